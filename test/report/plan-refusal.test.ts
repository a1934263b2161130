import { describe, expect, test } from 'vitest';
import { floorJson } from '../../src/report/plan-refusal.ts';
import { refusalMessage, refusalReference } from '../../src/report/messages.ts';
import { refusalJson } from '../../src/report/json.ts';
import type { PlanNode } from '../../src/composition/plan-node.ts';
import type { Query } from '../../src/privacy/query.ts';
import { atDelta, atEpsilon, dp, finitePair, gaussian, rdp, zcdp } from '../mechanisms.ts';
import { group, local, parallel, refusalOf, type PlanOptions } from '../plans.ts';
import { violations } from './schema.ts';

const continual = { kind: 'continual' } as const;

const endless = (of: PlanNode) => [parallel(1, of, { label: 'svt' })];

const refusals: Readonly<Record<string, readonly [readonly PlanNode[], Query, PlanOptions?]>> = {
  approximate: [endless(dp(1, '1e-6', continual)), atDelta('1e-6')],
  renyi: [endless(rdp([[2, '0.1']], continual)), atDelta('1e-6')],
  zcdp: [endless(zcdp('0.01', continual)), atEpsilon('0.1')],
  gaussian: [endless(gaussian(10, continual)), atDelta('0.1')],
  users: [[local(2, dp(1, '1e-6', continual))], atDelta('1e-6')],
  oblivious: [[dp(1, '1e-6', continual)], atDelta('1e-6'), { setting: { adaptiveAdversary: 'denied' } }],
  continuous: [[group(dp(1, 0, continual))], atDelta('1e-6'), { setting: { discrete: 'denied' } }],
  pair: [[group(finitePair(['0.5', '0.5'], ['0.4', '0.6'], continual))], atDelta('1e-6')],
  many: [[parallel(1e9, dp(1, 0, { count: 1e9 }))], atDelta('1e-6')],
  parameters: [endless(dp(1)), atDelta('1e-6'), { adaptivity: 'parameters' }],
};

const messageOf = (name: string): string => {
  const [nodes, query, options] = refusals[name] ?? [[], atDelta(0)];
  return refusalMessage(refusalOf(nodes, query, options));
};

describe('a refusal', () => {
  test('says what is wrong, how bad it is, and everything that would mend it', () => {
    expect(messageOf('approximate')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances, each of which may reveal everything with probability 1e-6 (its delta); the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances no delta below 0.6321207427 holds, whatever epsilon; with more it tends to 1. 693,147 instances reveal everything more often than not. Any one of these mends it: limit how many are created ("instances": a number); stop creating them once 1 - prod(1 - delta) reaches a limit, and say so ("deltaCap"); use instances with delta 0; if neighbours that agree on the first message to an instance agree on all that follow, set "firstPairConsistent" to true (where an instance gets all its data when it is created, its "kind" is interactive)."`,
    );
    expect(messageOf('users')).toMatchInlineSnapshot(
      `"mechanisms[0] has any number of continual users, each of which may reveal everything with probability 1e-6 (its delta); the answers may show which user is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances no delta below 0.6321207427 holds, whatever epsilon; with more it tends to 1. 693,147 users reveal everything more often than not. Any one of these mends it: limit how many users there are ("users": a number); use users with delta 0; if the data of each user are fixed from the start, set the "kind" of what they run to interactive."`,
    );
    expect(messageOf('renyi')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances with no more than a Renyi guarantee (rdp), by which each may reveal much, if rarely; the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances there are such mechanisms for which no epsilon below 11.5633516 holds at order 2; with more it grows without limit. Any one of these mends it: limit how many are created ("instances": a number, each of which is then paid); describe each instance by a pure guarantee, if it has one (dp with delta 0); if neighbours that agree on the first message to an instance agree on all that follow, set "firstPairConsistent" to true (where an instance gets all its data when it is created, its "kind" is interactive)."`,
    );
    expect(messageOf('zcdp')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances with no more than a Renyi guarantee (zcdp), by which each may reveal much, if rarely; the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances there are such mechanisms for which no delta below 0.2437752637 holds at epsilon 0.1; with more it tends to 1. Any one of these mends it: limit how many are created ("instances": a number, each of which is then paid); describe each instance by a pure guarantee, if it has one (dp with delta 0); if neighbours that agree on the first message to an instance agree on all that follow, set "firstPairConsistent" to true (where an instance gets all its data when it is created, its "kind" is interactive)."`,
    );
    expect(messageOf('gaussian')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances with no more than the guarantee of their noise (gaussian), by which each may reveal much, if rarely; the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances there are such mechanisms for which no epsilon below 0.3020258261 holds at delta 0.1; with more it grows without limit. Any one of these mends it: limit how many are created ("instances": a number, each of which is then paid); describe each instance by a pure guarantee, if it has one (dp with delta 0); if neighbours that agree on the first message to an instance agree on all that follow, set "firstPairConsistent" to true (where an instance gets all its data when it is created, its "kind" is interactive)."`,
    );
  });

  test('names the precondition that fails', () => {
    expect(messageOf('oblivious')).toMatchInlineSnapshot(
      `"mechanisms[0] answers questions or takes data over time, and its guarantee (dp) is said to hold only for questions and data that are fixed in advance ("adaptiveAdversary": false). Who chooses the next question after an answer can break such a guarantee completely: a mechanism that first tells a random number and reveals everything when asked for that number fails rarely on fixed questions, always on chosen ones. Use a guarantee that is proved against adaptive adversaries, or a pure one (dp with delta 0), for which the two are the same; for a mechanism that answers once, set "kind" to "noninteractive"."`,
    );
    expect(messageOf('continuous')).toMatchInlineSnapshot(
      `"mechanisms[0].mechanisms[0] is interactive or continual and its answers are said not to be discrete ("discrete": false), but concurrent composition of dp guarantees is proved for answers of countably many values only. Round every answer to a grid before it is given (that costs no privacy; to whole numbers, it adds at most 1 to the error) and leave "discrete" out, or describe the mechanism by a Renyi guarantee (rdp or zcdp), which needs no rounding."`,
    );
    expect(messageOf('pair')).toMatchInlineSnapshot(
      `"mechanisms[0].mechanisms[0] is an interactive or continual finite-pair, whose distributions compose concurrently only where communication is finite: finitely many possible messages and answers, and finitely many of them. If that is so for every mechanism here, set "finiteCommunication" to true; else describe it by a guarantee that it has, such as dp, or set "kind" to "noninteractive" if it answers once."`,
    );
    expect(messageOf('parameters')).toMatchInlineSnapshot(
      `"The privacy parameters are chosen along the way, and no theorem covers that together with groups, parts or parallel instances: filters cover a plain list of mechanisms, and the theorems for instances need the parameters fixed in advance. Fix the parameters and set "adaptivity" to "adaptive", or list the mechanisms flat and use a privacy filter or odometer (dpcompose ledger init)."`,
    );
    expect(messageOf('many')).toMatchInlineSnapshot(
      `"mechanisms[0] multiplies to more than 2^53 - 1 mechanisms that are alike. Lower "sparsity", "instances" or "count"."`,
    );
  });

  test.each(Object.entries(refusals))('is a document for a program: %s', (_, [nodes, query, options]) => {
    const refusal = refusalOf(nodes, query, options);
    expect(violations('refusal', refusalJson(refusal))).toEqual([]);
    expect(refusalReference(refusal) === null).toBe(refusal.code === 'too-many-mechanisms');
  });

  test('has what no claim can go below, with its limit', () => {
    const floorIn = (name: string) => {
      const [nodes, query, options] = refusals[name] ?? [[], atDelta(0)];
      const refusal = refusalOf(nodes, query, options);
      return 'floor' in refusal ? floorJson(refusal.floor) : null;
    };
    expect(floorIn('approximate')).toMatchObject({ instances: 1e6, epsilon: 'any', supremum: 1 });
    expect(floorIn('renyi')).toMatchObject({ instances: 1e6, alpha: 2, supremum: 'Infinity' });
    expect(floorIn('zcdp')).toMatchObject({ instances: 1e6, epsilon: 0.1, supremum: 1 });
    expect(floorIn('gaussian')).toMatchObject({ instances: 1e6, delta: 0.1, supremum: 'Infinity' });
    expect(floorIn('oblivious')).toBeNull();
  });
});
