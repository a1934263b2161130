import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../src/cli/kit/io.ts';
import { answer } from '../../src/page/answer.ts';
import type { Part, Question } from '../../src/page/question.ts';
import { run } from '../cli/run.ts';

const BINARY = join(import.meta.dirname, '../../bin/dpcompose.js');

const partsOf = (question: Question): Part[] => {
  const parts: Part[] = [];
  answer({ question, isNarrow: false }, (part) => parts.push(part));
  return parts;
};

/** The parts up to the answer itself; what follows from it takes longer. */
const firstPartsOf = (question: Question): Part[] => {
  const parts: Part[] = [];
  answer({ question, isNarrow: false }, (part) => {
    parts.push(part);
    if (part.part === 'answer') throw new Error('This is enough.');
  });
  return parts;
};

const partOf = <Name extends Part['part']>(parts: readonly Part[], name: Name) =>
  parts.find((part): part is Extract<Part, { part: Name }> => part.part === name);

/** What a command that was copied prints, of the built program. */
const printed = (command: string): string => {
  const line = command.replace(/^dpcompose/, `"${process.execPath}" "${BINARY}"`);
  return spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout;
};

/** The exit code of a step of a workflow that was copied, for the document that stands in it. */
function exitCode(step: string): number | null {
  const input = [...step.matchAll(/^# {3}(.*)$/gm)].map(([, line]) => line).join('\n');
  const [, words = ''] = /dpcompose check privacy\.json (.*)/.exec(step) ?? [];
  return spawnSync(process.execPath, [BINARY, 'check', ...words.split(' ')], { input }).status;
}

const FIXTURES = ['dashboard', 'noise', 'selection', 'mixed', 'live-dashboard'];

const TRAINING = {
  examples: '6000',
  batch: '60',
  epochs: '2.5',
  'noise-multiplier': '1.1',
  scheme: 'poisson',
  delta: '1e-5',
};

beforeAll(() => {
  vi.stubGlobal('VERSION', VERSION);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe('the answer to a document', () => {
  it.each(FIXTURES)('%s is that of compose, byte for byte', async (name) => {
    const file = `fixtures/${name}.json`;
    const parts = firstPartsOf({ kind: 'text', text: readFileSync(file, 'utf8') });
    const { stdout } = await run(['compose', file, '--json']);
    expect(partOf(parts, 'answer')?.copies.JSON).toBe(stdout);
  });

  it.each(FIXTURES)('%s is copied as a command that prints it', (name) => {
    const parts = firstPartsOf({ kind: 'text', text: readFileSync(`fixtures/${name}.json`, 'utf8') });
    const { copies, headline } = partOf(parts, 'answer')!;
    const text = printed(copies.command!);
    expect(text).toContain(headline!.upper);
    if (headline!.lower !== null) expect(text).toContain(headline!.lower);
  });

  it('begins with the document, and ends', () => {
    const rows = { settings: { delta: '1e-6' }, mechanisms: [{ type: 'dp', epsilon: '0.1', count: '9' }] };
    const parts = partsOf({ kind: 'rows', rows });
    expect(parts.map(({ part }) => part)).toEqual(['document', 'answer', 'risk', 'chart', 'chart', 'chart', 'end']);
    expect(parts[0]).toMatchObject({ rows });
    expect(partOf(parts, 'risk')?.sentence).toContain('a coin flip is right with 50%');
  });

  it('is what is wrong with it, at its lines', () => {
    const parts = partsOf({ kind: 'text', text: '{"dpcompose": 1,\n "mechanisms": [{"type": "dp", "epsilon": -1}]}' });
    expect(partOf(parts, 'mistakes')?.mistakes).toMatchObject([{ path: 'mechanisms[0].epsilon', line: 2 }]);
    expect(partOf(parts, 'answer')).toBeUndefined();
  });

  it('is a refusal, after any of whose fixes it is answered', () => {
    const text = JSON.stringify({
      dpcompose: 1,
      adaptivity: 'parameters',
      target: { delta: '1e-6' },
      mechanisms: [{ type: 'dp', epsilon: '0.1' }],
    });
    const refusal = partOf(partsOf({ kind: 'text', text }), 'refusal')!;
    const fixes = refusal.fixes.filter(({ changes }) => changes.length > 0);
    expect(fixes.length).toBeGreaterThan(0);
    for (const fix of fixes) {
      expect(partOf(firstPartsOf({ kind: 'fix', text, fix }), 'answer')?.headline?.lower).not.toBeNull();
    }
  });

  it('is what requires a target where it has none', () => {
    const parts = partsOf({ kind: 'rows', rows: { settings: {}, mechanisms: [{ type: 'gdp', mu: '1' }] } });
    expect(partOf(parts, 'mistakes')?.mistakes).toMatchObject([{ code: 'no-target' }]);
  });
});

describe('the answer to a training', () => {
  const search = { ...TRAINING, 'target-epsilon': '2' };
  it.each([
    ['a cost', TRAINING],
    ['a cost for people with several examples', { ...TRAINING, 'records-per-person': '3' }],
    ['the noise of a target', { ...search, 'noise-multiplier': '' }],
    ['the length of a target', { ...search, epochs: '' }],
    ['a target that nothing meets', { ...search, epochs: '', 'target-epsilon': '1e-9' }],
  ])('is that of sgd, byte for byte, and copied as its command: %s', async (_what, cells) => {
    const { copies } = partOf(firstPartsOf({ kind: 'training', cells }), 'answer')!;
    const words = copies.command!.split(' ').slice(1);
    const { stdout } = await run([...words, '--json']);
    expect(copies.JSON).toBe(stdout);
  });

  it('is a refusal of shuffled batches', () => {
    const parts = partsOf({ kind: 'training', cells: { ...TRAINING, scheme: 'shuffled', epochs: '1' } });
    expect(partOf(parts, 'refusal')?.message).toContain('Shuffled batches');
  });
});

describe('the step of a workflow that is copied', () => {
  it.each<[string, Question]>([
    ['a document', { kind: 'text', text: readFileSync('fixtures/dashboard.json', 'utf8') }],
    ['a training', { kind: 'training', cells: TRAINING }],
  ])('passes, and does not with the last digit less: %s', (_what, question) => {
    const { copies, headline } = partOf(firstPartsOf(question), 'answer')!;
    const less = (Number(headline!.upper) - 1e-8).toFixed(9);
    expect(exitCode(copies['CI step']!)).toBe(0);
    expect(exitCode(copies['CI step']!.replace(headline!.upper, less))).toBe(1);
  });
});

describe('the self-test', () => {
  it('passes here', () => {
    const part = partOf(partsOf({ kind: 'self-test' }), 'self-test')!;
    expect(part.passed).toBe(true);
    expect(part.values).toBeGreaterThan(1000);
    expect(part.sentence).toContain(part.values.toLocaleString('en'));
  });
});
