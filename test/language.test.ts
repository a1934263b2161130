import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, listCommands } from '../src/cli/commands.ts';
import { ALL_THEOREMS } from '../src/composition/theorems/all.ts';
import { codeFacts } from '../src/output/codes.ts';
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

/** A literal or a template, a word in each of its holes. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
}

/** The texts of the source: of literals and templates that have a blank. */
function textsIn(file: string): readonly string[] {
  const texts: string[] = [];
  const look = (node: ts.Node): void => {
    texts.push(textOf(node));
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return texts.filter((text) => text.includes(' '));
}

/** Sentences of more than 25 words; citations, numbers and the signs of formulas are none. */
const longSentences = (texts: readonly string[]): readonly string[] =>
  texts
    .flatMap((text) => text.split(/(?<=[.;:?])\s+|\n/))
    .filter((sentence) => (sentence.replace(/\([^)]*\)/g, '').match(/[A-Za-z]{2,}\S*|\b[aAIX]\b/g) ?? []).length > 25);

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

  it('has no sentence of more than 25 words', async () => {
    const texts = globSync('src/**/*.ts').flatMap((file) => textsIn(file));
    expect(texts.length).toBeGreaterThan(3000);
    expect(longSentences(texts)).toEqual([]);
    const commands = await listCommands(() => true, {} as never);
    const below = commands.flatMap((command) => [command, ...command.commands]);
    expect(longSentences(below.map((command) => command.description()))).toEqual([]);
  });

  it('explains no code and no theorem of plans in a sentence of more than 25 words', () => {
    const codes = codeFacts().flatMap(({ meaning, remedy }) => [meaning, remedy]);
    const theorems = ALL_THEOREMS.flatMap(({ exposition }) => [exposition.statement, ...exposition.departures]);
    expect(codes.length).toBeGreaterThan(300);
    expect(longSentences([...codes, ...theorems])).toEqual([]);
  });
});
