import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { VERSION } from '../../src/cli/kit/io.ts';
import { answer } from '../../src/page/answer.ts';
import type { Part, Question, Request } from '../../src/page/question.ts';

// The build leaves out of the page what it takes for unread: nothing that it says may change by that.

const HTML = readFileSync(join(import.meta.dirname, '../../dist/page/index.html'), 'utf8');

const [, PACKED = ''] = /id="program">([^<]*)</.exec(HTML) ?? [];
const PROGRAM = gunzipSync(Buffer.from(PACKED, 'base64')).toString();

type Listen = (type: string, take: (event: { data: Request }) => void) => void;

/** The packed program of the page. */
const program = runInThisContext(`(addEventListener, postMessage) => {${PROGRAM}}`) as (
  listen: Listen,
  post: (part: Part) => void,
) => void;

const ask = (request: Request, post: (part: Part) => void): void => {
  program((_, take) => {
    take({ data: request });
  }, post);
};

const documentOf = (mechanisms: readonly object[], more: object = {}): Question => ({
  kind: 'text',
  text: JSON.stringify({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms, ...more }),
});

const TRAINING = { examples: '600', batch: '60', 'noise-multiplier': '2', scheme: 'poisson', delta: '1e-5' };

const QUESTIONS: Readonly<Record<string, Question>> = {
  'a list': documentOf([{ type: 'dp', epsilon: '0.1', count: 20 }]),
  'a mixed list': documentOf([
    { type: 'dp', epsilon: '0.2', count: 10, label: 'tables' },
    { type: 'bounded-range', epsilon: '0.1', count: 2 },
    { type: 'gaussian', sigma: 8 },
  ]),
  parts: documentOf([{ type: 'parallel', sparsity: 2, of: { type: 'dp', epsilon: '0.1', kind: 'interactive' } }]),
  training: { kind: 'training', cells: { ...TRAINING, epochs: '1' } },
  'a training to be found': { kind: 'training', cells: { ...TRAINING, 'target-epsilon': '2' } },
  'a refusal': documentOf([{ type: 'dp', epsilon: '0.1' }], { adaptivity: 'parameters' }),
  'a type that is not offered': documentOf([{ type: 'subsampled-gaussian' }]),
  mistakes: documentOf([{ type: 'gaussian', sigma: -1, cuont: 2 }, { type: 'gauss' }, { type: 'dp', rho: 1 }]),
  'no document': { kind: 'text', text: '[1, 2' },
  'the test of itself': { kind: 'self-test' },
};

const QUICK = new Set(['a list', 'parts']);

beforeAll(() => {
  vi.stubGlobal('VERSION', VERSION);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** The parts of an answer; those after the answer itself, which take longer, only of what is quick. */
function partsOf(name: string, asked: typeof answer): readonly Part[] {
  const parts: Part[] = [];
  asked({ question: QUESTIONS[name]!, isNarrow: false }, (part) => {
    parts.push(part);
    if (part.part === 'answer' && !QUICK.has(name)) throw new Error('This is enough.');
  });
  return parts;
}

describe('the built page', () => {
  it.each(Object.keys(QUESTIONS))('says of %s what the source says', (name) => {
    const parts = partsOf(name, ask);
    expect(JSON.stringify(parts)).toBe(JSON.stringify(partsOf(name, answer)));
    if (QUICK.has(name)) expect(parts.filter(({ part }) => part === 'chart').length).toBeGreaterThan(1);
  });
});
