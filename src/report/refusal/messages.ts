import { BOUND_IDS } from '../../bounds/core/bound.ts';
import type { Unavailable } from '../../bounds/precise/curve.ts';
import type { BoundRow, InexpressibleEvent, Refusal, Warning } from '../../composition/core/outcome.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { samplingRefusalText, placeText, PLAN_REFERENCES, planRefusalText } from './plan-refusal.ts';
import { NOT_OFFERED, notOffered } from '../../document/core/not-offered.ts';
import { givenText } from '../kit/number.ts';
import { inOneParagraph, fix, plainRefusal, type Fix, type RefusalText } from '../kit/fix.ts';
import { sentenceIn, type Sentences } from '../kit/message.ts';
import { because, nearestOf, rewriteFixes, UNKNOWN_DOCUMENT, type RefusedDocument } from './refused-document.ts';
import { abridged, grouped, listed, printable } from '../kit/prose.ts';

/** A width to three digits, rounded up. */
const brief = (width: number): Decimal => new Decimal(width).toSignificantDigits(3, Decimal.ROUND_UP);

function toleranceMessage({ asked, reached, cut, rows }: Extract<Warning, { code: 'tolerance-not-met' }>): string {
  const width = `${givenText(brief(reached))} wide (relative) where ${givenText(new Decimal(asked))} was asked`;
  const remedy = cut
    ? 'Time was up (--max-seconds); with more time it may be narrower.'
    : 'A larger --tolerance accepts it.';
  if (rows === undefined) return `The enclosure is ${width}. The claim is valid. ${remedy}`;
  const wide = rows === 1 ? '1 enclosure is' : `${grouped(rows)} enclosures are`;
  return `${wide} wider than asked, up to ${width}. All numbers are valid. ${remedy}`;
}

/** A number that is held as text. */
const numberText = (text: string): string => givenText(new Decimal(text));

const WARNINGS: Sentences<'code', Warning, string> = {
  'laplace-as-dp': ({ entries }) =>
    `Laplace noise (${abridged(entries)}) is interactive or continual, and loss distributions compose for noninteractive mechanisms only: composed as (sensitivity/scale, 0)-DP and through Renyi DP. Set "kind" to "noninteractive" where a mechanism answers once.`,
  'bounded-range-interactive': ({ entries }) =>
    `${abridged(entries)} ${entries.length === 1 ? 'has bounded range but is' : 'have bounded range but are'} interactive or continual, and bounded-range theorems hold for noninteractive mechanisms only: composed as (epsilon, 0)-DP and through Renyi DP. Set "kind" to "noninteractive" where a mechanism answers once.`,
  'single-pair-interactive': ({ entries }) =>
    `${abridged(entries)} ${entries.length === 1 ? 'adds noise of a known distribution but is' : 'add noise of a known distribution but are'} interactive or continual, and exact loss distributions compose for noninteractive mechanisms only: composed through Renyi DP. Set "kind" to "noninteractive" where a mechanism answers once.`,
  'mixed-classes': ({ classes }) =>
    `The list mixes ${listed(classes)}. No bound here uses the particular strength of each of them at once, so only bounds that hold for all are used and the claim may be larger than it need be. Compose one class at a time to see what each costs alone.`,
  'delta-infeasible': ({ failure, smallestDelta }) =>
    `The target delta is below ${numberText(failure)}, the chance that these mechanisms together fail completely, so no epsilon is large enough. Ask for at least ${failure === smallestDelta ? 'that delta' : `a delta of ${numberText(smallestDelta)}`}, or make each mechanism less likely to fail.`,
  'delta-not-covered': ({ smallestDelta }) =>
    `No theorem here gives a finite epsilon at the target delta: what pays for this plan fails completely with probability ${numberText(smallestDelta)}. Whether the plan can fail that often is not known. Ask for at least that delta, or make each mechanism less likely to fail.`,
  'no-finite-epsilon':
    'No bound that applies gives a finite epsilon at this delta: the privacy loss of these mechanisms is not bounded. Ask for a larger delta.',
  'large-delta': ({ delta, examples }) =>
    `A delta of ${givenText(delta)} is not below 1 / ${grouped(examples)}: publishing one of the examples, drawn at random, as it is would be (0, 1 / ${grouped(examples)})-differentially private. Ask for a delta well below one over the number of examples.`,
  'weaker-bound': ({ bound, sharper, limit }) =>
    limit === undefined
      ? `${sharper}, which is sharper, found no narrow number here. The claim is by ${bound}: valid, and perhaps far larger than it need be. A larger delta or fewer mechanisms may get the sharper one.`
      : `${sharper}, which is sharper, is only computed for at most ${limit}. The claim is by ${bound}: valid, and perhaps far larger than it need be. Within those limits the sharper one is claimed.`,
  interrupted: ({ bounds }) =>
    `Time was up (--max-seconds) before ${listed(bounds)} had a number. The claim is valid; with more time it may be smaller.`,
  'tolerance-not-met': toleranceMessage,
  'different-neighbours': ({ relations: [one, other] }) =>
    `The designs are for different neighbouring data ("${printable(one)}" and "${printable(other)}"): their numbers bound different risks, and the smaller one need not protect more. Give both for the same "neighbours".`,
  'design-not-checked':
    'The "design" of this document was not checked: this is what its mechanisms cost together, a guarantee of the whole only if dpcompose design accepts it. Run dpcompose design on this document.',
  'cap-below-instance': ({ path, label, deltaCap, delta }) =>
    `${placeText({ path, label })} has "deltaCap": ${givenText(deltaCap)}, and one instance may fail with probability ${givenText(delta)}: no instance fits under the cap. Raise "deltaCap", or lower the delta of the instances.`,
};

/** A warning in one sentence or two: what, why, and what can be done. */
export const warningMessage = (warning: Warning): string => sentenceIn(WARNINGS, 'code', warning);

const UNAVAILABLE: Readonly<Record<Unavailable, string>> = {
  'too-large':
    'is not available in decimal arithmetic: there are too many mechanisms, or their parameters are too large, to add up every term',
  'needs-lattice': 'is not available in decimal arithmetic: it is computed by integrals or tables',
  'mechanism-not-covered': 'is not available in decimal arithmetic: it has no such form for these mechanisms',
  interrupted: 'is not available in decimal arithmetic: time was up (--max-seconds)',
  'not-resolved':
    'is not available in decimal arithmetic: so many digits were lost to cancellation that those asked for are not certain',
};

/** Why a bound has no decimal value, in words that follow its name. */
export const unavailableMessage = (reason: Unavailable): string => UNAVAILABLE[reason];

function notOfferedMessage(path: string, type: string): string {
  const known = NOT_OFFERED[notOffered(type) ?? ''];
  const why = known?.why ?? 'no theorem here covers it';
  const instead = known?.instead ?? 'If you know what it guarantees, describe it by that: dp, rdp, zcdp or gdp.';
  return `${path}: ${type} is not offered: ${why}. ${instead}`;
}

/** Why no bound covers mechanisms, and which of them to describe in another way. */
function noBoundText(bounds: readonly BoundRow[], document: RefusedDocument): RefusalText {
  const rows = bounds.filter((row) => !row.applies);
  if (rows.length < BOUND_IDS.length)
    return plainRefusal(
      `No bound asked for covers these mechanisms: ${because(rows)}. Leave out --bounds to use all of them.`,
    );
  const nearest = nearestOf(rows);
  const ways = nearest.flatMap((row) => rewriteFixes(row, document));
  const message = `No bound covers these mechanisms together. Nearest: ${because(nearest)}.`;
  const otherwise =
    'Describe what is in the way by a guarantee that it has, such as (epsilon, delta) as dp, or compose it apart.';
  return ways.length === 0 ? plainRefusal(`${message} ${otherwise}`) : { message, mends: ways };
}

const LEDGER = 'use a privacy filter or odometer (dpcompose ledger init)';
const FIXED: Fix = fix('fix the parameters and set "adaptivity" to "adaptive" at the top of the document', {
  path: '',
  key: 'adaptivity',
  value: 'adaptive',
});

const CHARGED: Fix = fix(
  `${LEDGER} and charge every mechanism to it on its own, and every part whose parameters are fixed as one`,
);

/** The reason for a refusal, and what would fix it in its document. */
export function refusalText(refusal: Refusal, document: RefusedDocument): RefusalText {
  switch (refusal.code) {
    case 'adaptive-parameters':
      return {
        message:
          'The privacy parameters are chosen along the way ("adaptivity": "parameters" at the top of the document), and composition theorems need them fixed in advance: a total computed as if they were would be wrong.',
        mends: document.design === null ? [fix(LEDGER), FIXED] : [FIXED],
      };
    case 'adaptive-parameters-in-parallel':
      return {
        message:
          'The privacy parameters are chosen along the way ("adaptivity": "parameters" at the top of the document), and no theorem covers parameters that are chosen inside groups, parts or parallel instances. A ledger charges each part as one mechanism if the parameters inside it are fixed in advance.',
        mends: [FIXED, ...(document.design === null ? [CHARGED] : [])],
      };
    case 'not-offered':
      return plainRefusal(notOfferedMessage(refusal.path, refusal.type));
    case 'not-expressible':
      if (refusal.event !== undefined) return plainRefusal(`${refusal.path}: ${NO_EVENT[refusal.event]}`);
      return plainRefusal(
        `${refusal.path}: a table lists mechanisms and their keys only, and cannot say this. Write YAML or JSON instead; what is asked and how mechanisms are chosen can also be said on the command line.`,
      );
    case 'mixed-neighbours':
    case 'sampled-in-structure':
    case 'shuffled-batches':
      return samplingRefusalText(refusal);
    case 'no-bound':
      return noBoundText(refusal.bounds, document);
    case 'unbounded-approximate':
    case 'unbounded-renyi':
    case 'unbounded-f-dp':
    case 'oblivious-guarantee':
    case 'answers-not-discrete':
    case 'too-many-mechanisms':
    case 'chosen-along-the-way':
      return planRefusalText(refusal, document);
  }
}

/** The same in one paragraph. */
export const refusalMessage = (refusal: Refusal, document: RefusedDocument = UNKNOWN_DOCUMENT): string =>
  inOneParagraph(refusalText(refusal, document));

/** Why dp_accounting has no event for something, and what to do. */
const NO_EVENT: Readonly<Record<InexpressibleEvent, string>> = {
  structure:
    'dp_accounting has events for lists of mechanisms, not for instances, parts, users or groups. Write the mechanisms that it stands for as a list, or its (epsilon, delta) as dp.',
  type: 'dp_accounting has no event for this type. Write a guarantee that it implies, such as dp or zcdp.',
  kind: 'dp_accounting has no event for a mechanism that answers more than once and beside which others are run. Keep it in a specification, and compose that.',
  shuffled: 'dp_accounting has no event for shuffled batches. Draw Poisson samples, or leave out the sampling.',
  'mixed-neighbours':
    'an accountant of dp_accounting has one relation of neighbours, and this mechanism has another than those before it or after it. Write them to two files.',
  'odd-sensitivity':
    'where a record is replaced, the sensitivity of discrete Laplace noise in dp_accounting is twice a whole norm bound. Write the next even number, which claims less privacy.',
  'adaptive-parameters':
    'events of dp_accounting have parameters that are fixed in advance. Keep a ledger, or leave "adaptivity" out if they are fixed.',
  design: 'dp_accounting has no event for a design. Leave it out: its mechanisms are written without it.',
};

/** Where to read about parameters that are chosen along the way. */
export const ADAPTIVE_REFERENCE =
  'Rogers, Roth, Ullman and Vadhan, "Privacy Odometers and Filters: Pay-as-you-Go Composition", NeurIPS 2016, arXiv:1605.08294; Whitehouse, Ramdas, Rogers and Wu, "Fully-Adaptive Composition in Differential Privacy", ICML 2023, arXiv:2203.05481';

const REFERENCES: Readonly<Record<Refusal['code'], string | null>> = {
  ...PLAN_REFERENCES,
  'adaptive-parameters': ADAPTIVE_REFERENCE,
  'adaptive-parameters-in-parallel': henzingerSafaviVadhan('Thm 12.4 (filters) and Def 5.1 (fixed parameters)'),
  'not-offered': null,
  'not-expressible': null,
  'no-bound': null,
  'mixed-neighbours': null,
  'sampled-in-structure': null,
  'shuffled-batches':
    'Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang, "How Private are DP-SGD Implementations?", ICML 2024, arXiv:2403.17673',
};

/** The paper or theorem to read about what is refused; null where there is none. */
export const refusalReference = ({ code }: Refusal): string | null => REFERENCES[code];
