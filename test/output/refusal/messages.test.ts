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
  { code: 'needs-alone' },
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
        "Laplace noise (counts) is interactive or continual, and privacy loss distributions compose for noninteractive mechanisms only. It is composed as (sensitivity/scale, 0)-DP and through Renyi DP. Set "kind" to "noninteractive" if a mechanism answers once.",
        "mechanisms[1] has bounded range but is interactive or continual, and bounded-range theorems hold for noninteractive mechanisms only. Each is composed as (epsilon, 0)-DP and through Renyi DP. Set "kind" to "noninteractive" if a mechanism answers once.",
        "a and b are interactive or continual. Without finite communication, privacy loss distributions compose for noninteractive mechanisms only. Renyi DP is used instead. If communication is finite, set "finiteCommunication": true. Set "kind" to "noninteractive" if a mechanism answers once.",
        "The list mixes dp, gaussian and bounded-range. No bound in dpcompose uses the full strength of all of them at once. The upper bound may be larger than necessary. To see the privacy loss of each class, compose one at a time.",
        "The total delta of these mechanisms is at least 0.029569863 at every epsilon. The target delta is smaller, so no epsilon is large enough. Use a delta of at least that, or reduce the delta of each mechanism.",
        "The total delta of these mechanisms is at least 0.05 at every epsilon. The target delta is smaller, so no epsilon is large enough. Use a delta of at least 0.142625, or reduce the delta of each mechanism.",
        "No theorem in dpcompose gives a finite epsilon at the target delta: the bounds allow for a complete failure with probability 0.142625. Whether the plan can fail that often is not known. Use at least that delta, or make each mechanism less likely to fail.",
        "No bound that applies gives a finite epsilon at this delta: the privacy loss of these mechanisms is not bounded. Use a larger delta.",
        "The relative gap between the bounds is 1.44e-6, above the tolerance of 1e-9. The upper bound is valid. To accept the gap, use a larger --tolerance.",
      ]
    `);
  });

  it('say why a theorem does not apply', () => {
    expect(reasons.map(inapplicabilityMessage)).toMatchInlineSnapshot(`
      [
        "holds for bounded-range mechanisms only; the list has dp and gaussian",
        "holds for noninteractive mechanisms only; the list has interactive and continual ones",
        "holds if every mechanism is fixed in advance (--nonadaptive)",
        "adds nothing to dp-optimal if no noise of a known distribution and no finite pair is composed",
        "is computed for at most 100 mechanisms only",
        "is for bounded-range mechanisms together with others, and the list has only one of the two",
        "is for one selection alone, and the list has more",
      ]
    `);
  });

  it('say what is refused and what to do instead', () => {
    expect(refusals.map((refusal) => refusalMessage(refusal))).toMatchInlineSnapshot(`
      [
        "The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document). Composition theorems need them fixed in advance; a total that assumes so could be too small. Any one of these fixes it: use a privacy filter or odometer (dpcompose ledger init); fix the parameters and set "adaptivity" to "adaptive" at the top of the document.",
        "mechanisms[2].type: Subsampled_Gaussian is not supported: a subsampled mechanism is written as the mechanism with a "sampling". Write {"type": "gaussian", "noise-multiplier": 1.1, "sampling": {"scheme": "poisson", "rate": "256/60000"}, "count": 14063}; for the scheme, write the one that your sampler uses: poisson, random-allocation, without-replacement, with-replacement (with draws) or shuffled.",
        "mechanisms[0].type: mystery is not supported: no theorem in dpcompose covers it. If you know a guarantee of it, write that instead: dp, rdp, zcdp or gdp.",
        "None of the bounds in --bounds covers these mechanisms: br-nonadaptive holds for bounded-range mechanisms only; the list has dp. Remove --bounds to use all bounds.",
        "No bound covers these mechanisms together. Nearest: rdp holds for rdp mechanisms only; the list has finite-pair. Describe the mechanisms that do not fit by a guarantee that they have, such as (epsilon, delta) as dp, or compose them separately.",
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
