import { describe, expect, test } from 'vitest';
import { refusalMessage, refusalReference } from '../../../src/output/refusal/messages.ts';
import { refusalJson } from '../../../src/output/refusal/refusal.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import type { Query } from '../../../src/privacy/curve.ts';
import { atDelta, atEpsilon, dp, gaussian, rdp, zcdp } from '../../mechanisms.ts';
import { group, local, parallel, refusalOf, type PlanOptions } from '../../plans.ts';
import { USUAL_SETTING } from '../../../src/composition/core/setting.ts';
import type { RefusedDocument } from '../../../src/output/refusal/refused-document.ts';
import { violations } from '../schema.ts';

const continual = { kind: 'continual' } as const;

const endless = (of: PlanNode) => [parallel(1, of, { label: 'svt' })];

const refusals: Readonly<Record<string, readonly [readonly PlanNode[], Query, PlanOptions?]>> = {
  approximate: [endless(dp(1, '1e-6', continual)), atDelta('1e-6')],
  renyi: [endless(rdp([[2, '0.1']], continual)), atDelta('1e-6')],
  zcdp: [endless(zcdp('0.01', continual)), atEpsilon('0.1')],
  gaussian: [endless(gaussian(10, continual)), atDelta('0.1')],
  users: [[local(2, dp(1, '1e-6', continual))], atDelta('1e-6')],
  oblivious: [[dp(1, '1e-6', continual)], atDelta('1e-6'), { setting: { adaptiveAdversary: 'denied' } }],
  continuous: [
    [group(dp(1, '1e-9', { ...continual, count: 2 }))],
    atDelta('1e-6'),
    { setting: { discrete: 'denied' } },
  ],
  many: [[parallel(1e9, dp(1, 0, { count: 1e9 }))], atDelta('1e-6')],
  advance: [[parallel(2, dp(1), { label: 'picks' })], atDelta('1e-6'), { adaptivity: 'nonadaptive' }],
  updated: [[dp(1, 0, continual)], atDelta('1e-6'), { adaptivity: 'nonadaptive' }],
  parameters: [endless(dp(1)), atDelta('1e-6'), { adaptivity: 'parameters' }],
};

const documentOf = (entries: readonly PlanNode[], options: PlanOptions = {}): RefusedDocument => ({
  entries,
  setting: { ...USUAL_SETTING, ...options.setting },
  design: null,
});

const messageOf = (name: string): string => {
  const [nodes, query, options] = refusals[name] ?? [[], atDelta(0)];
  return refusalMessage(refusalOf(nodes, query, options), documentOf(nodes, options));
};

describe('a refusal', () => {
  test('says what is wrong, how bad it is, and everything that would fix it', () => {
    expect(messageOf('approximate')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances, each of which may reveal everything with probability 1e-6 (the delta of mechanisms[0].of); the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances no delta below 0.6321207427 holds, whatever epsilon; with more it tends to 1. 693,147 instances reveal everything more often than not. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; stop creating them before 1 minus the product of (1 - delta) over all of them exceeds a limit, and say so, such as "deltaCap": 0.001 at mechanisms[0]; set "delta" to 0 at mechanisms[0].of, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance is given all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
    expect(messageOf('users')).toMatchInlineSnapshot(
      `"mechanisms[0] has any number of users who each run something continual, each of whom may reveal everything with probability 1e-6 (the delta of mechanisms[0].of); the answers may show which user is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 users no delta below 0.6321207427 holds, whatever epsilon; with more it tends to 1. 693,147 users reveal everything more often than not. Any one of these fixes it: limit how many users there are, such as "users": 1000 at mechanisms[0]; set "delta" to 0 at mechanisms[0].of, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if the data of each user are fixed from the start."`,
    );
    expect(messageOf('renyi')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances with no more than a Renyi guarantee (rdp at mechanisms[0].of), by which each may reveal much, if rarely; the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances there are such mechanisms for which no epsilon below 11.5633516 holds at order 2; with more it grows without limit. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; describe mechanisms[0].of by a pure guarantee, such as {"type": "dp", "epsilon": 0.1, "kind": "continual"}, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance is given all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
    expect(messageOf('zcdp')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances with no more than a Renyi guarantee (zcdp at mechanisms[0].of), by which each may reveal much, if rarely; the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances there are such mechanisms for which no delta below 0.2437752637 holds at epsilon 0.1; with more it tends to 1. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; describe mechanisms[0].of by a pure guarantee, such as {"type": "dp", "epsilon": 0.1, "kind": "continual"}, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance is given all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
    expect(messageOf('gaussian')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has any number of continual instances with no more than the guarantee of their noise (gaussian at mechanisms[0].of), by which each may reveal much, if rarely; the answers may show which instance is about to, and data can still be sent to that one: so no theorem limits what they reveal together. With 1,000,000 instances there are such mechanisms for which no epsilon below 0.3020258261 holds at delta 0.1; with more it grows without limit. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; describe mechanisms[0].of by a pure guarantee, such as {"type": "dp", "epsilon": 0.1, "kind": "continual"}, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance is given all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
  });

  test('names the precondition that fails', () => {
    expect(messageOf('oblivious')).toMatchInlineSnapshot(
      `"mechanisms[0] answers questions or takes data over time, and the document says of all its mechanisms that their guarantees, such as this one (dp), hold only for questions and data that are fixed in advance ("adaptiveAdversary": false at the top of the document). An analyst who chooses the next question after seeing an answer can break such a guarantee completely: a mechanism that first tells a random number and reveals everything when asked for that number fails rarely on fixed questions, always on chosen ones. Any one of these fixes it: use guarantees that are proved against adaptive adversaries for all mechanisms here, and remove "adaptiveAdversary": false at the top of the document; set "delta" to 0 at mechanisms[0], if it has a pure guarantee, for which the two are the same; set "kind" to "noninteractive" at mechanisms[0], if it answers once."`,
    );
    expect(messageOf('continuous')).toMatchInlineSnapshot(
      `"mechanisms[0].mechanisms[0] is interactive or continual and its answers are said not to be discrete ("discrete": false at the top of the document), but how several such mechanisms compose, and how even one goes together with what an analyst does with its answers, is proved of dp guarantees for answers of countably many values only. Any one of these fixes it: round every answer to a grid, and remove "discrete": false at the top of the document: rounding costs no privacy, and to whole numbers it adds at most 1 to the error; describe mechanisms[0].mechanisms[0] by a Renyi guarantee, such as "type": "zcdp", "rho": 0.01, if it has one: that needs no rounding; set "kind" to "noninteractive" at mechanisms[0].mechanisms[0], if it answers once."`,
    );
    expect(messageOf('parameters')).toMatchInlineSnapshot(
      `"The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document), and no theorem covers parameters that are chosen inside groups, parts or parallel instances. A ledger charges each part as one mechanism if the parameters inside it are fixed in advance. Any one of these fixes it: fix the parameters and set "adaptivity" to "adaptive" at the top of the document; use a privacy filter or odometer (dpcompose ledger init) and charge every mechanism to it on its own, and every part whose parameters are fixed as one."`,
    );
    expect(messageOf('advance')).toMatchInlineSnapshot(
      `"mechanisms[0] ("picks") creates instances adaptively, and which of them get data in which neighbors differ is chosen then; but all mechanisms are said to be fixed in advance ("adaptivity": "nonadaptive" at the top of the document, or --nonadaptive). The theorem for those needs the mechanisms and their data fixed, and could claim too little here. What fixes it: leave out --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document."`,
    );
    expect(messageOf('updated')).toMatchInlineSnapshot(
      `"mechanisms[0] takes data over time, and these may be chosen by what was answered before; but all mechanisms are said to be fixed in advance ("adaptivity": "nonadaptive" at the top of the document, or --nonadaptive). The theorem for those needs the mechanisms and their data fixed, and could claim too little here. Any one of these fixes it: leave out --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document; set "kind" to "interactive" at mechanisms[0], if its data are fixed from the start; set "kind" to "noninteractive" at mechanisms[0], if it answers once."`,
    );
    expect(messageOf('many')).toMatchInlineSnapshot(
      `"mechanisms[0] multiplies to more than 2^53 - 1 mechanisms that are alike. Lower "sparsity" (now 1000000000) at mechanisms[0] or "count" (now 1000000000) at mechanisms[0].of."`,
    );
  });

  test.each(Object.entries(refusals))('is a document for a program: %s', (_, [nodes, query, options]) => {
    const refusal = refusalOf(nodes, query, options);
    expect(violations('refusal', refusalJson(refusal, '0.1.0', documentOf(nodes, options)))).toEqual([]);
    expect(refusalReference(refusal) === null).toBe(refusal.code === 'too-many-mechanisms');
  });

  test('has what no claim can go below, with its limit', () => {
    const floorIn = (name: string) => {
      const [nodes, query, options] = refusals[name] ?? [[], atDelta(0)];
      const document = refusalJson(refusalOf(nodes, query, options), '0.1.0');
      return (JSON.parse(document) as { lowerBound: unknown }).lowerBound;
    };
    expect(floorIn('approximate')).toMatchObject({ instances: 1e6, epsilon: 'any', supremum: 1 });
    expect(floorIn('renyi')).toMatchObject({ instances: 1e6, alpha: 2, supremum: 'Infinity' });
    expect(floorIn('zcdp')).toMatchObject({ instances: 1e6, epsilon: 0.1, supremum: 1 });
    expect(floorIn('gaussian')).toMatchObject({ instances: 1e6, delta: 0.1, supremum: 'Infinity' });
    expect(floorIn('oblivious')).toBeNull();
  });
});
