import { describe, expect, it } from 'vitest';
import { BOUND_IDS, type BoundId, type Inapplicability } from '../../../src/bounds/core/bound.ts';
import type { BoundRow, Refusal, Warning } from '../../../src/composition/core/outcome.ts';
import { inapplicabilityMessage } from '../../../src/output/kit/message.ts';
import { refusalMessage, refusalReference } from '../../../src/output/refusal/messages.ts';
import { warningMessage } from '../../../src/output/refusal/warnings.ts';
import { brNonadaptive } from '../answers.ts';

const warnings: Warning[] = [
  { code: 'laplace-as-dp', entries: ['counts'] },
  { code: 'bounded-range-interactive', entries: ['mechanisms[1]'] },
  { code: 'single-pair-interactive', entries: ['a', 'b'] },
  { code: 'mixed-classes', classes: ['dp', 'gaussian', 'bounded-range'] },
  { code: 'delta-infeasible', failure: '0.0295698630', smallestDelta: '0.0295698630' },
  { code: 'delta-infeasible', failure: '0.05', smallestDelta: '0.142625' },
  { code: 'delta-not-covered', smallestDelta: '0.142625' },
  { code: 'no-finite-epsilon' },
  { code: 'tolerance-not-met', asked: 1e-9, reached: 0.0000014304630816829992, cut: false },
];

const reasons: Inapplicability[] = [
  { code: 'needs-types', needs: ['bounded-range'], found: ['dp', 'bounded-range', 'gaussian'] },
  { code: 'needs-noninteractive', kinds: ['noninteractive', 'interactive', 'continual'] },
  { code: 'needs-nonadaptive' },
  { code: 'is-dp-optimal' },
  { code: 'too-large', limit: '100 mechanisms' },
  { code: 'needs-mixture' },
];

/** Every bound lacks two types, but `rdp` lacks one. */
const tooFar = (id: BoundId): BoundRow => ({
  ...brNonadaptive,
  id,
  applies: false,
  reason: { code: 'needs-types', needs: ['rdp'], found: id === 'rdp' ? ['finite-pair'] : ['finite-pair', 'zcdp'] },
});

const refusals: Refusal[] = [
  { code: 'adaptive-parameters' },
  { code: 'not-offered', path: 'mechanisms[2].type', type: 'Subsampled_Gaussian' },
  { code: 'not-offered', path: 'mechanisms[0].type', type: 'mystery' },
  { code: 'no-bound', bounds: [brNonadaptive], warnings: [] },
  { code: 'no-bound', bounds: BOUND_IDS.map(tooFar), warnings: [] },
];

describe('a warning about many mechanisms', () => {
  it('names five, and counts all the others', () => {
    const entries = Array.from({ length: 12 }, (_, index) => `m${index + 1}`);
    expect(warningMessage({ code: 'laplace-as-dp', entries })).toContain('m1, m2, m3, m4, m5 and 7 more');
  });
});

describe('messages', () => {
  it('say what, why and what to do for every warning', () => {
    expect(warnings.map(warningMessage)).toMatchInlineSnapshot(`
      [
        "Laplace noise (counts) is interactive or continual, and loss distributions compose for noninteractive mechanisms only: composed as (sensitivity/scale, 0)-DP and through Renyi DP. Set "kind" to "noninteractive" where a mechanism answers once.",
        "mechanisms[1] has bounded range but is interactive or continual, and bounded-range theorems hold for noninteractive mechanisms only: composed as (epsilon, 0)-DP and through Renyi DP. Set "kind" to "noninteractive" where a mechanism answers once.",
        "a and b add noise of a known distribution but are interactive or continual, and exact loss distributions compose for noninteractive mechanisms only: composed through Renyi DP. Set "kind" to "noninteractive" where a mechanism answers once.",
        "The list mixes dp, gaussian and bounded-range. No bound here uses the particular strength of each of them at once, so only bounds that hold for all are used and the claim may be larger than it need be. Compose one class at a time to see what each costs alone.",
        "The target delta is below 0.029569863, the chance that these mechanisms together fail completely, so no epsilon is large enough. Ask for at least that delta, or make each mechanism less likely to fail.",
        "The target delta is below 0.05, the chance that these mechanisms together fail completely, so no epsilon is large enough. Ask for at least a delta of 0.142625, or make each mechanism less likely to fail.",
        "No theorem here gives a finite epsilon at the target delta: what pays for this plan fails completely with probability 0.142625. Whether the plan can fail that often is not known. Ask for at least that delta, or make each mechanism less likely to fail.",
        "No bound that applies gives a finite epsilon at this delta: the privacy loss of these mechanisms is not bounded. Ask for a larger delta.",
        "The enclosure is 1.44e-6 wide (relative) where 1e-9 was asked. The claim is valid. A larger --tolerance accepts it.",
      ]
    `);
  });

  it('say why a theorem does not apply', () => {
    expect(reasons.map(inapplicabilityMessage)).toMatchInlineSnapshot(`
      [
        "holds for bounded-range mechanisms only; here there is dp and gaussian",
        "holds for noninteractive mechanisms only; here there are interactive and continual ones",
        "holds when every mechanism is fixed in advance; say --nonadaptive if that is so",
        "adds nothing to dp-optimal where no noise of a known distribution and no finite pair is composed",
        "is only computed for at most 100 mechanisms",
        "joins bounded-range mechanisms to others; here there is only one of the two",
      ]
    `);
  });

  it('say what is refused and what to do instead', () => {
    expect(refusals.map((refusal) => refusalMessage(refusal))).toMatchInlineSnapshot(`
      [
        "The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document), and composition theorems need them fixed in advance: a total computed as if they were would be wrong. Any one of these fixes it: use a privacy filter or odometer (dpcompose ledger init); fix the parameters and set "adaptivity" to "adaptive" at the top of the document.",
        "mechanisms[2].type: Subsampled_Gaussian is not offered: a mechanism on a sample is written as the mechanism itself with a sampling. Write {"type": "gaussian", "noise-multiplier": 1.1, "sampling": {"scheme": "poisson", "rate": "256/60000"}, "count": 14063}; the sampling as it is done: poisson, without-replacement or shuffled.",
        "mechanisms[0].type: mystery is not offered: no theorem here covers it. If you know what it guarantees, describe it by that: dp, rdp, zcdp or gdp.",
        "No bound asked for covers these mechanisms: br-nonadaptive holds for bounded-range mechanisms only; here there is dp. Leave out --bounds to use all of them.",
        "No bound covers these mechanisms together. Nearest: rdp holds for rdp mechanisms only; here there is finite-pair. Describe what is in the way by a guarantee that it has, such as (epsilon, delta) as dp, or compose it apart.",
      ]
    `);
    expect(refusals.map(refusalReference).map((reference) => reference === null)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('stay short for long lists', () => {
    const entries = Array.from({ length: 100_000 }, (_, index) => `mechanisms[${index}]`);
    const message = warningMessage({ code: 'laplace-as-dp', entries });
    expect(message).toContain('mechanisms[4] and 99,995 more');
  });
});
