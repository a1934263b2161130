import { BOUND_IDS } from '../../bounds/core/bound.ts';
import type { BoundRow, InexpressibleEvent, Refusal } from '../../composition/core/outcome.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { ADAPTIVE, PLAN_REFUSALS } from './plan-refusal.ts';
import { NOT_OFFERED, notOffered } from '../../document/core/not-offered.ts';
import { inOneParagraph, fix, plainRefusal, type Fix, type RefusalText } from '../kit/page.ts';
import type { Explanations } from '../kit/message.ts';
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
  return ways.length === 0 ? plainRefusal(`${message} ${otherwise}`) : { message, fixes: ways };
}

const NO_TABLE =
  'a table lists mechanisms and their keys only, and cannot say this. Write YAML or JSON instead; what is asked and how mechanisms are chosen can also be said on the command line.';

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
  design: 'dp_accounting has no event for a design. Omit it: its mechanisms are written without it.',
};

/** Where to read about parameters that are chosen adaptively. */
export const ADAPTIVE_REFERENCE =
  'Rogers, Roth, Ullman and Vadhan, "Privacy Odometers and Filters: Pay-as-you-Go Composition", NeurIPS 2016, arXiv:1605.08294; Whitehouse, Ramdas, Rogers and Wu, "Fully-Adaptive Composition in Differential Privacy", ICML 2023, arXiv:2203.05481';

const LEDGER = 'use a privacy filter or odometer (dpcompose ledger init)';
const FIXED: Fix = fix('fix the parameters and set "adaptivity" to "adaptive" at the top of the document', ADAPTIVE);
const CHARGED: Fix = fix(
  `${LEDGER} and charge every mechanism to it on its own, and every part whose parameters are fixed as one`,
);

/** Every refusal of a specification. */
const REFUSALS: RefusalEntries<Refusal> = {
  ...PLAN_REFUSALS,
  'adaptive-parameters': {
    text: (_, { design }) => ({
      message:
        'The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document), and composition theorems need them fixed in advance: a total computed as if they were would be wrong.',
      fixes: design === null ? [fix(LEDGER), FIXED] : [FIXED],
    }),
    reference: ADAPTIVE_REFERENCE,
    meaning:
      'The privacy parameters are adaptively chosen, and composition theorems need them fixed in advance: a total computed as if they were would be wrong.',
    remedy: 'Use a privacy filter or odometer (dpcompose ledger init), or fix the parameters.',
  },
  'adaptive-parameters-in-parallel': {
    text: (_, { design }) => ({
      message:
        'The privacy parameters are adaptively chosen ("adaptivity": "parameters" at the top of the document), and no theorem covers parameters that are chosen inside groups, parts or parallel instances. A ledger charges each part as one mechanism if the parameters inside it are fixed in advance.',
      fixes: [FIXED, ...(design === null ? [CHARGED] : [])],
    }),
    reference: henzingerSafaviVadhan('Thm 12.4 (filters) and Def 5.1 (fixed parameters)'),
    meaning:
      'The privacy parameters are chosen adaptively, and no theorem covers that inside groups, parts or parallel instances.',
    remedy: 'Fix the parameters inside each part; a ledger then charges the part as one mechanism.',
  },
  'not-offered': {
    text: ({ path, type }) => plainRefusal(notOfferedMessage(path, type)),
    meaning: 'The mechanism is one that is known elsewhere, and whose composition needs theorems that are not here.',
    remedy: 'Describe it by a guarantee that it has: dp, rdp, zcdp or gdp.',
  },
  'not-expressible': {
    text: ({ path, event }) => plainRefusal(`${path}: ${event === undefined ? NO_TABLE : NO_EVENT[event]}`),
    meaning: 'A table, or an event of dp_accounting, cannot say what stands at this place.',
    remedy: 'Write YAML or JSON instead; the message says what else can be done.',
  },
  'no-bound': {
    text: ({ bounds }, document) => noBoundText(bounds, document),
    meaning: 'No bound covers these mechanisms together; the nearest ones and what they lack are told.',
    remedy: 'Describe what is in the way by a guarantee that it has, such as dp, or compose it apart.',
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
