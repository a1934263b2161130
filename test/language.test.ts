import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, listCommands } from '../src/cli/commands.ts';
import { ALL_THEOREMS } from '../src/composition/theorems/all.ts';
import { codeFacts } from '../src/output/codes.ts';
import { uncoveredExplanations } from '../src/output/ledger/refusals.ts';
import { type } from './cli/run.ts';

const linesOf = async (line: string): Promise<readonly string[]> =>
  (await type(line)).stdout.replace(/\n$/, '').split('\n');
const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => line.length));

describe('help', () => {
  it('of the program is a screen with every command and the words that people search for', async () => {
    const lines = await linesOf('--help');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(widest(lines)).toBeLessThanOrEqual(80);
    const text = lines.join('\n');
    for (const name of COMMAND_NAMES) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
    for (const word of ['privacy accountant', 'DP-SGD', 'PLD', 'RDP', 'zCDP', 'f-DP', 'CI']) {
      expect(text).toContain(word);
    }
  });

  it('of compose is two screens', async () => {
    const lines = await linesOf('compose --help');
    expect(lines.length).toBeLessThanOrEqual(48);
    expect(widest(lines)).toBeLessThanOrEqual(80);
  });

  it('has summaries of at most sixty characters', async () => {
    const commands = await listCommands(() => true, {} as never);
    const below = commands.flatMap((command) => [command, ...command.commands]);
    const long = below.map((command) => command.summary()).filter((summary) => summary.length > 60);
    expect(long).toEqual([]);
  });
});

/** Phrases that stand in nothing printed: each has a word of the field, which is written instead. */
const NEVER = [
  /what .* mechanisms cost together/,
  /along the way/,
  /times in 100/,
  /budget does not suffice/,
  /takes? for granted/,
  /departs from print/i,
  /\b(?:recognis|authoris|optimis)/i,
  /\bcolour/,
  /neighbouring (?:data|sets|inputs|steps)/i,
  /leave it out/i,
  /however little was spent/,
  /this is no answer of/,
  /can be claimed for (?:this|these) class/,
  /would make it/,
  /nothing need be done/i,
  /\b(?:is|are) said (?:to|not)\b/,
  /\bthat are told\b/,
  /\bis not offered\b/,
  /\bcost(?:s|liest)? (?:what|no more|cost)\b/,
  /\bthe other way round\b/,
  /\btime was (?:up|over)\b/i,
  /\bpays? for this plan\b/,
];

/** The texts of the source: of literals and templates that have a blank. */
function textsIn(file: string): readonly string[] {
  const texts: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return texts.filter((text) => text.includes(' '));
}

describe('what is printed', () => {
  it('has the terms of the field, and no others for them', () => {
    const found = globSync('src/**/*.ts').flatMap((file) =>
      textsIn(file).filter((text) => NEVER.some((phrase) => phrase.test(text))),
    );
    expect(found).toEqual([]);
  });

  it('is documented in the same terms', () => {
    const found = globSync(['README.md', 'docs/*.md']).flatMap((file) =>
      NEVER.filter((phrase) => phrase.test(readFileSync(file, 'utf8'))).map((phrase) => `${file}: ${phrase.source}`),
    );
    expect(found).toEqual([]);
  });

  it('describes no command in a sentence of more than 25 words', async () => {
    const commands = await listCommands(() => true, {} as never);
    const below = commands.flatMap((command) => [command, ...command.commands]);
    const sentences = below.flatMap((command) => command.description().split(/(?<=[.;:])\s/));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([]);
  });

  it('explains no code and no theorem of plans in a sentence of more than 25 words', () => {
    const ofLedgers = new Set(Object.keys(uncoveredExplanations()));
    const codes = codeFacts().filter(({ kind, code }) => !kind.startsWith('ledger') && !ofLedgers.has(code));
    const texts = [
      ...codes.flatMap(({ meaning, remedy }) => [meaning, remedy]),
      ...ALL_THEOREMS.flatMap(({ exposition }) => [exposition.statement, ...exposition.departures]),
    ];
    expect(texts.length).toBeGreaterThan(300);
    const sentences = texts.flatMap((text) => text.split(/(?<=[.;:])\s/));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 25)).toEqual([]);
  });
});
