import { BOUND_IDS } from '../../bounds/core/bound.ts';
import type { BoundRow, InexpressibleEvent, Refusal, Uncertifiable } from '../../composition/core/outcome.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { ADAPTIVE, PLAN_REFUSALS } from './plan-refusal.ts';
import { NOT_OFFERED, notOffered } from '../../document/core/not-offered.ts';
import { inOneParagraph, fix, plainRefusal, type Fix, type RefusalText } from '../kit/page.ts';
import { listed } from '../kit/prose.ts';
import type { Explanations } from '../kit/message.ts';
import { contradictedText } from './batch-facts.ts';
import {
  because,
  nearestOf,
  rewriteFixes,
  UNKNOWN_DOCUMENT,
  type RefusalEntries,
  type RefusalEntry,
  type RefusedDocument,
} from './refused-document.ts';

function notOfferedMessage(path: string, type: string): string {
  const facts = NOT_OFFERED[notOffered(type) ?? ''];
  const why = facts?.why ?? 'no theorem in dpcompose covers it';
  const instead = facts?.instead ?? 'If you know a guarantee of it, write that instead: dp, rdp, zcdp or gdp.';
  return `${path}: ${type} is not supported: ${why}. ${instead}`;
}

/** Why no bound covers mechanisms, and which of them to describe in another way. */
function noBoundText(bounds: readonly BoundRow[], document: RefusedDocument): RefusalText {
  const rows = bounds.filter((row) => !row.applies);
  if (rows.length < BOUND_IDS.length)
    return plainRefusal(
      `None of the bounds in --bounds covers these mechanisms: ${because(rows)}. Remove --bounds to use all bounds.`,
    );
  const nearest = nearestOf(rows);
  const ways = nearest.flatMap((row) => rewriteFixes(row, document));
  const message = `No bound covers these mechanisms together. Nearest: ${because(nearest)}.`;
  const otherwise =
    'Describe the mechanisms that do not fit by a guarantee that they have, such as (epsilon, delta) as dp, or compose them separately.';
  return ways.length === 0 ? plainRefusal(`${message} ${otherwise}`) : { message, fixes: ways };
}

const NO_TABLE =
  'CSV has columns for mechanisms and their keys only. Write YAML or JSON instead; the target and the adaptivity can also be options of the command line.';

/** Why dp_accounting has no event for something, and what to do. */
const NO_EVENT: Readonly<Record<InexpressibleEvent, string>> = {
  structure:
    'dp_accounting has events for lists of mechanisms, not for instances, parts, users or groups. Write the mechanisms in it as a list, or its (epsilon, delta) as dp.',
  type: 'dp_accounting has no event for this type. Write a guarantee that the mechanism has, such as dp or zcdp.',
  kind: 'dp_accounting has no event for an interactive or continual mechanism that runs beside others. Keep it in a specification and use compose.',
  shuffled:
    'dp_accounting has no event for shuffled batches. Use Poisson subsampling. Or write one run without sampling for each epoch, with replace-one neighbors and twice the sensitivity.',
  'mixed-neighbours':
    'an accountant of dp_accounting has one neighboring relation, and this mechanism has a different one than another in the list. Write them to two files.',
  'odd-sensitivity':
    'under replace-one, the sensitivity of discrete Laplace noise in dp_accounting is twice a whole norm bound. Write the next even number, which gives a larger epsilon.',
  'several-records':
    'no event of dp_accounting that this program writes is a subsample for replaced records. Nor is one for more than 32 records of a person, or rates of their own. Keep the specification: events without it would stand for less loss.',
  runs: 'dp_accounting has Poisson and negative binomial numbers of runs only. Write the (epsilon, delta) of the selection as dp.',
  'adaptive-parameters':
    'events of dp_accounting have parameters that are fixed in advance. Use a ledger, or remove "adaptivity" if they are fixed.',
  design: 'dp_accounting has no event for a design. Omit it: its mechanisms are written without it.',
};

/** Why an answer has no certificate. */
function uncertifiableReason(reason: Uncertifiable): string {
  switch (reason.obstacle) {
    case 'types':
      return `the checker does not know ${listed(reason.types)}`;
    case 'structure':
      return 'the checker reads lists of mechanisms, not groups, parts, users or instances';
    case 'negative-epsilon':
      return 'the checker reads an epsilon of at least 0';
    case 'infinite':
      return 'no finite epsilon is claimed';
    case 'too-large':
      return 'no bound here is a short exact sum. The checker knows dp-optimal up to 1,000 mechanisms, br-nonadaptive up to 300 equal ones, gaussian, zcdp, rdp and basic';
  }
}

/** Where to read about parameters that are chosen adaptively. */
export const ADAPTIVE_REFERENCE =
  'Rogers, Roth, Ullman and Vadhan, "Privacy Odometers and Filters: Pay-as-you-Go Composition", NeurIPS 2016, arXiv:1605.08294; Whitehouse, Ramdas, Rogers and Wu, "Fully-Adaptive Composition in Differential Privacy", ICML 2023, arXiv:2203.05481';

const LEDGER = 'use a privacy filter or odometer (dpcompose ledger init)';
const FIXED: Fix = fix('fix the parameters and set "adaptivity" to "adaptive" at the top of the document', ADAPTIVE);
const CHARGED: Fix = fix(
  `${LEDGER} and charge every mechanism separately, and every part with fixed parameters as one mechanism`,
);

/** Every refusal of a specification. */
const REFUSALS: RefusalEntries<Refusal> = {
  ...PLAN_REFUSALS,
  'adaptive-parameters': {
    text: (_, { design }) => ({
      message:
        'The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document). Composition theorems need them fixed in advance; a total that assumes so could be too small.',
      fixes: design === null ? [fix(LEDGER), FIXED] : [FIXED],
    }),
    reference: ADAPTIVE_REFERENCE,
    meaning:
      'The privacy parameters are adaptively chosen. Composition theorems need them fixed in advance; a total that assumes so could be too small.',
    remedy: 'Use a privacy filter or odometer (dpcompose ledger init), or fix the parameters.',
  },
  'adaptive-parameters-in-parallel': {
    text: (_, { design }) => ({
      message:
        'The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document). No theorem covers that inside groups, parts or parallel instances. If the parameters inside a part are fixed in advance, a ledger can charge the part as one mechanism.',
      fixes: [FIXED, ...(design === null ? [CHARGED] : [])],
    }),
    reference: henzingerSafaviVadhan('Thm 12.4 (filters) and Def 5.1 (fixed parameters)'),
    meaning:
      'The privacy parameters are adaptively chosen, and no theorem covers that inside groups, parts or parallel instances.',
    remedy: 'Fix the parameters inside each part; a ledger then charges the part as one mechanism.',
  },
  'contradicted-batches': {
    text: ({ contradicted, batch, threshold }) => ({
      message: contradictedText(contradicted, batch, threshold),
      fixes: [
        fix('declare the scheme that your sampler uses; without --scheme, all are tested'),
        fix('let the sampler draw batches as the scheme says, and record them again'),
      ],
    }),
    meaning:
      'Batches that were recorded contradict the sampling scheme that is claimed. A guarantee for that scheme does not hold for this training.',
    remedy: 'Declare the scheme that the sampler uses, or change the sampler.',
  },
  'not-offered': {
    text: ({ path, type }) => plainRefusal(notOfferedMessage(path, type)),
    meaning: 'Other accountants have this mechanism; its composition needs theorems that dpcompose does not have.',
    remedy: 'Write a guarantee of it instead: dp, rdp, zcdp or gdp.',
  },
  'not-expressible': {
    text: ({ path, event }) => plainRefusal(`${path}: ${event === undefined ? NO_TABLE : NO_EVENT[event]}`),
    meaning: 'CSV, or an event of dp_accounting, cannot express what is at this place.',
    remedy: 'Write YAML or JSON instead; the message lists other ways.',
  },
  'not-certifiable': {
    text: (reason) =>
      plainRefusal(
        `There is no certificate of this answer: ${uncertifiableReason(reason)}. Omit --certificate to print the answer.`,
      ),
    meaning: 'The answer rests on no bound that the checker of certificates can verify. No certificate is written.',
    remedy: 'Omit --certificate, or describe the mechanisms by guarantees such as dp, zcdp, rdp or gdp.',
  },
  'no-bound': {
    text: ({ bounds }, document) => noBoundText(bounds, document),
    meaning: 'No bound covers these mechanisms together. The message names the nearest bounds and what they need.',
    remedy:
      'Describe the mechanisms that do not fit by a guarantee that they have, such as dp, or compose them separately.',
  },
};

/** The reason for a refusal, and what would fix it in its document. */
export const refusalText = (refusal: Refusal, document: RefusedDocument): RefusalText =>
  (REFUSALS[refusal.code] as RefusalEntry<Refusal>).text(refusal, document);

/** The same in one paragraph. */
export const refusalMessage = (refusal: Refusal, document: RefusedDocument = UNKNOWN_DOCUMENT): string =>
  inOneParagraph(refusalText(refusal, document));

/** The paper or theorem to read about what is refused; null where there is none. */
export const refusalReference = ({ code }: Refusal): string | null => REFUSALS[code].reference ?? null;

/** What every refusal of a specification is. */
export const specificationRefusals = (): Explanations<Refusal['code']> => REFUSALS;
