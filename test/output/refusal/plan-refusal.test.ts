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
      `"mechanisms[0] ("svt") has an unlimited number of continual instances, each of which may reveal everything with probability 1e-6 (the delta of mechanisms[0].of); the answers may show which instance is about to, and data can still be sent to it, so no theorem bounds their total. With 1,000,000 instances no delta below 0.6321207427 holds at any epsilon; with more, delta tends to 1. 693,147 instances reveal everything with probability above 1/2. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; stop creating them before 1 - prod(1 - delta) over all of them exceeds a limit, and declare the limit, such as "deltaCap": 0.001 at mechanisms[0]; set "delta" to 0 at mechanisms[0].of, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance gets all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
    expect(messageOf('users')).toMatchInlineSnapshot(
      `"mechanisms[0] has an unlimited number of users who each run a continual mechanism, each of whom may reveal everything with probability 1e-6 (the delta of mechanisms[0].of); the answers may show which user is about to, and data can still be sent to it, so no theorem bounds their total. With 1,000,000 users no delta below 0.6321207427 holds at any epsilon; with more, delta tends to 1. 693,147 users reveal everything with probability above 1/2. Any one of these fixes it: limit how many users there are, such as "users": 1000 at mechanisms[0]; set "delta" to 0 at mechanisms[0].of, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if the data of each user are fixed from the start."`,
    );
    expect(messageOf('renyi')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has an unlimited number of continual instances with only a Renyi guarantee (rdp at mechanisms[0].of), under which each may rarely reveal much; the answers may show which instance is about to, and data can still be sent to it, so no theorem bounds their total. With 1,000,000 instances, for some such mechanisms no epsilon below 11.5633516 holds at order 2; with more, epsilon grows without limit. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; describe mechanisms[0].of by a pure guarantee, such as {"type": "dp", "epsilon": 0.1, "kind": "continual"}, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance gets all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
    expect(messageOf('zcdp')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has an unlimited number of continual instances with only a Renyi guarantee (zcdp at mechanisms[0].of), under which each may rarely reveal much; the answers may show which instance is about to, and data can still be sent to it, so no theorem bounds their total. With 1,000,000 instances, for some such mechanisms no delta below 0.2437752637 holds at epsilon 0.1; with more, delta tends to 1. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; describe mechanisms[0].of by a pure guarantee, such as {"type": "dp", "epsilon": 0.1, "kind": "continual"}, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance gets all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
    expect(messageOf('gaussian')).toMatchInlineSnapshot(
      `"mechanisms[0] ("svt") has an unlimited number of continual instances with only the guarantee of their noise (gaussian at mechanisms[0].of), under which each may rarely reveal much; the answers may show which instance is about to, and data can still be sent to it, so no theorem bounds their total. With 1,000,000 instances, for some such mechanisms no epsilon below 0.3020258261 holds at delta 0.1; with more, epsilon grows without limit. Any one of these fixes it: limit how many are created, such as "instances": 1000 at mechanisms[0]; describe mechanisms[0].of by a pure guarantee, such as {"type": "dp", "epsilon": 0.1, "kind": "continual"}, if it has a pure guarantee; set "kind" to "interactive" at mechanisms[0].of, if each instance gets all its data when it is created and none later; set "firstPairConsistent" to true at mechanisms[0], if each instance is given all its data in its first message."`,
    );
  });

  test('names the precondition that fails', () => {
    expect(messageOf('oblivious')).toMatchInlineSnapshot(
      `"mechanisms[0] is interactive or continual, but its dp guarantee is declared only for queries and data that are fixed in advance ("adaptiveAdversary": false at the top of the document). An analyst who chooses each query after seeing earlier answers can break such a guarantee completely. For example, a mechanism first outputs a random number, then reveals everything if the query is that number. It rarely fails on fixed queries and always fails on chosen ones. Any one of these fixes it: use guarantees that are proved against adaptive adversaries for all mechanisms, and remove "adaptiveAdversary": false at the top of the document; set "delta" to 0 at mechanisms[0], if it is (epsilon, 0)-DP: pure guarantees also hold against adaptive adversaries; set "kind" to "noninteractive" at mechanisms[0], if it answers once."`,
    );
    expect(messageOf('continuous')).toMatchInlineSnapshot(
      `"mechanisms[0].mechanisms[0] is interactive or continual, but its answers are declared not discrete ("discrete": false at the top of the document). For dp guarantees, concurrent composition and interactive post-processing are proved only for answers with countably many values. Any one of these fixes it: round every answer to a grid, and remove "discrete": false at the top of the document: rounding costs no privacy, and to whole numbers it adds at most 1 to the error; describe mechanisms[0].mechanisms[0] by a Renyi guarantee, such as "type": "zcdp", "rho": 0.01, if it has one: this needs no rounding; set "kind" to "noninteractive" at mechanisms[0].mechanisms[0], if it answers once."`,
    );
    expect(messageOf('parameters')).toMatchInlineSnapshot(
      `"The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document). No theorem covers that inside groups, parts or parallel instances. If the parameters inside a part are fixed in advance, a ledger can charge the part as one mechanism. Any one of these fixes it: fix the parameters and set "adaptivity" to "adaptive" at the top of the document; use a privacy filter or odometer (dpcompose ledger init) and charge every mechanism separately, and every part with fixed parameters as one mechanism."`,
    );
    expect(messageOf('advance')).toMatchInlineSnapshot(
      `"mechanisms[0] ("picks") creates instances adaptively, and the instances whose data differ between neighbors are chosen at run time, but all mechanisms are declared fixed in advance ("adaptivity": "nonadaptive" at the top of the document, or --nonadaptive). The theorem for that case needs fixed mechanisms and fixed data; its epsilon could be too small here. What fixes it: remove --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document."`,
    );
    expect(messageOf('updated')).toMatchInlineSnapshot(
      `"mechanisms[0] takes data over time, and these may depend on earlier answers, but all mechanisms are declared fixed in advance ("adaptivity": "nonadaptive" at the top of the document, or --nonadaptive). The theorem for that case needs fixed mechanisms and fixed data; its epsilon could be too small here. Any one of these fixes it: remove --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document; set "kind" to "interactive" at mechanisms[0], if its data are fixed from the start; set "kind" to "noninteractive" at mechanisms[0], if it answers once."`,
    );
    expect(messageOf('many')).toMatchInlineSnapshot(
      `"mechanisms[0] stands for more than 2^53 - 1 equal mechanisms. Lower "sparsity" (now 1000000000) at mechanisms[0] or "count" (now 1000000000) at mechanisms[0].of."`,
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
