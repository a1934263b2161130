import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSession } from '../../src/bounds/core/session.ts';
import { compose, composeAsync } from '../../src/library/compose.ts';
import { readSpecification } from '../../src/library/read-specification.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Query } from '../../src/privacy/curve.ts';
import type { Specification } from '../../src/document/core/specification.ts';

const FIXTURES = ['dashboard', 'noise', 'selection', 'mixed', 'live-dashboard', 'infeasible', 'endless-alarms'];

function asked(document: string, flags = {}): { specification: Specification; target: Query } {
  const read = readSpecification(document, flags);
  if (read.kind !== 'specification' || read.specification.target === null) throw new Error(document);
  return { specification: read.specification, target: read.specification.target };
}

/** Equal ranges and noise, which several slow bounds take. */
const SLOW = JSON.stringify({
  dpcompose: 1,
  target: { delta: '1e-6' },
  mechanisms: [
    { type: 'exponential', epsilon: '0.1', count: 40 },
    { type: 'laplace', scale: '20', count: 10 },
    { type: 'dp', epsilon: '0.05', delta: '1e-9', count: 20 },
  ],
});

describe('in turns', () => {
  const documents = FIXTURES.map((name): [string, string] => [name, readFileSync(`fixtures/${name}.json`, 'utf8')]);

  test.each([
    ...documents,
    [
      'partition',
      '{"dpcompose":1,"target":{"delta":"1e-6"},"mechanisms":[{"type":"partition","of":[{"type":"dp","epsilon":"1"},{"type":"dp","epsilon":"0.5","count":3}]},{"type":"dp","epsilon":"0.1"}]}',
    ],
    [
      'refused',
      '{"dpcompose":1,"adaptivity":"parameters","target":{"delta":"1e-6"},"mechanisms":[{"type":"dp","epsilon":"1"}]}',
    ],
    ['no bound', '{"dpcompose":1,"target":{"delta":"0"},"mechanisms":[{"type":"rdp","alpha":2,"epsilon":"1"}]}'],
  ])('%s has the same answer', async (_, document) => {
    const { specification, target } = asked(document);
    expect(await composeAsync(specification, target)).toEqual(compose(specification, target));
    const other: Query =
      target.solveFor === 'epsilon'
        ? { solveFor: 'delta', epsilon: target.delta.plus(1) }
        : { solveFor: 'delta', epsilon: target.epsilon.plus(1) };
    expect(await composeAsync(specification, other, { signal: new AbortController().signal })).toEqual(
      compose(specification, other),
    );
  });

  test('others have their turn before the first bound', async () => {
    const { specification, target } = asked(documents[0]![1]);
    const order: string[] = [];
    setTimeout(() => order.push('timer'), 0);
    await composeAsync(specification, target);
    order.push('answer');
    expect(order).toEqual(['timer', 'answer']);
  });

  test('others have their turns while it goes on', async () => {
    const { specification, target } = asked(SLOW);
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    try {
      await composeAsync(specification, target);
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(1);
  });

  test('two at once share a session, and have the answers that each has alone', async () => {
    const { specification, target } = asked(documents[2]![1]);
    const other: Query = { solveFor: 'delta', epsilon: new Decimal(2) };
    const session = createSession();
    expect(
      await Promise.all([
        composeAsync(specification, target, { session }),
        composeAsync(specification, other, { session }),
      ]),
    ).toEqual([compose(specification, target), compose(specification, other)]);
  });
});

describe('a signal', () => {
  const { specification, target } = asked(SLOW);
  const reason = new Error('nobody waits');

  test('that is aborted before gives the work up before it begins', async () => {
    const progress: unknown[] = [];
    const work = composeAsync(specification, target, {
      signal: AbortSignal.abort(reason),
      progress: (what) => progress.push(what),
    });
    await expect(work).rejects.toBe(reason);
    expect(progress).toEqual([]);
  });

  test('that is aborted in another turn gives it up', async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort(reason);
    }, 0);
    await expect(composeAsync(specification, target, { signal: controller.signal })).rejects.toBe(reason);
  });

  test('that is aborted by who is told how far a bound is gives that up under way', async () => {
    const controller = new AbortController();
    let told = 0;
    const work = composeAsync(specification, target, {
      signal: controller.signal,
      progress: (_, share) => {
        if (controller.signal.aborted) told++;
        else if (share > 0) controller.abort(reason);
      },
    });
    await expect(work).rejects.toBe(reason);
    expect(told).toBe(0);
  });

  test('that is aborted afterwards says nothing', async () => {
    const controller = new AbortController();
    const { specification: quick, target: query } = asked(readFileSync('fixtures/dashboard.json', 'utf8'));
    const outcome = await composeAsync(quick, query, { signal: controller.signal });
    controller.abort(reason);
    expect(outcome.kind).toBe('answer');
  });
});

test('arguments are looked at before the first turn, and refused by the promise', async () => {
  await expect(composeAsync({} as Specification, {} as Query)).rejects.toThrow(
    /^composeAsync: problem\.entries must be a list of mechanisms and parts, got nothing\. /,
  );
});
