import type { LedgerNode } from '../../ledger/ledger-tree.ts';
import { loss } from '../../ledger/loss.ts';
import { described, document, documentText, from, list, object, optional, orNull } from '../kit/codec.ts';
import { COUNT, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { paragraph, type Output } from '../kit/page.ts';
import { counted, grouped, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { claimText, guaranteeText } from './amounts.ts';
import { GUARANTEE, HASH, percentText, SPENT, STANDING, shareOf } from './facts-json.ts';
import { exceededIn } from './ledger-text.ts';
import { faultMessage } from './faults.ts';
import { totalsOf } from '../../ledger/state.ts';

/** Several ledgers, each as it stands. */
export interface StandingReport {
  readonly store: string;
  readonly placed: readonly LedgerNode[];
}

const BELOW = object({ ledgers: COUNT, launched: COUNT, lastAt: TEXT_OR_NULL });

const ROW = from(
  object({
    file: TEXT,
    id: optional(TEXT),
    parent: described('Its parent or predecessor, if that is listed, too.', TEXT_OR_NULL),
    origin: TEXT_OR_NULL,
    state: described(
      'open, exceeded, halted, converted, moved, copy, or the code of the fault if it cannot be read.',
      TEXT,
    ),
    records: optional(COUNT),
    hash: optional(HASH),
    lastAt: optional(TEXT),
    launched: optional(COUNT),
    totals: optional(SPENT),
    spent: optional(GUARANTEE),
    guarantee: optional(GUARANTEE),
    shares: optional(STANDING.shares),
    below: described('Totals of all ledgers nested in it or continuing it.', orNull(BELOW)),
  }),
  ({ summary, parent, descendants }: LedgerNode) => {
    const common = {
      file: summary.name,
      parent,
      state: stateOf(summary),
      below: descendants.ledgers === 0 ? null : descendants,
    };
    if (summary.kind === 'fault') return { ...common, origin: null };
    const { present } = summary;
    const { spent, guarantee } = loss(present.state);
    return {
      ...common,
      id: present.header.id,
      origin: present.header.origin?.kind ?? null,
      records: present.records,
      hash: present.hash,
      lastAt: present.at,
      launched: present.state.launched,
      totals: totalsOf(present.state),
      spent,
      guarantee,
      shares: shareOf(present.state),
    };
  },
);

/** The state of several ledgers, as a document. */
export const LEDGER_LIST = document(
  'ledger-list',
  'The status of several ledgers, each after its parent or predecessor.',
  {
    store: TEXT,
    ledgers: list(ROW),
  },
);

/** Whether a ledger is open, or why not. */
function stateOf(summary: LedgerNode['summary']): string {
  if (summary.kind === 'fault') return summary.fault.code;
  const { state, successor, movedTo } = summary.present;
  if (summary.isCopy === true) return 'copy';
  if (movedTo !== undefined) return 'moved';
  if (successor !== null) return 'converted';
  if (state.halted !== null) return 'halted';
  return exceededIn(state).length > 0 ? 'exceeded' : 'open';
}

function usedText({ summary }: LedgerNode): string {
  if (summary.kind === 'fault') return '';
  const shares = shareOf(summary.present.state).map(({ share }) => share);
  return shares.length === 0 ? '' : percentText(Math.max(...shares));
}

function guaranteeOf({ summary }: LedgerNode): string {
  if (summary.kind === 'fault') return '';
  const { guarantee } = summary.present.state.rule;
  return guarantee === null ? 'none' : claimText(guarantee);
}

function spentOf({ summary }: LedgerNode): string {
  if (summary.kind === 'fault') return faultMessage(summary.fault).message;
  const { state } = summary.present;
  return state.terms.mode === 'compositor' ? '' : guaranteeText(loss(state).spent, 'up');
}

const launchedOf = ({ summary }: LedgerNode): string =>
  summary.kind === 'fault' ? '' : grouped(summary.present.state.launched);
const belowOf = ({ descendants }: LedgerNode): string =>
  descendants.ledgers === 0
    ? ''
    : `${counted(descendants.launched, 'mechanism')} in ${counted(descendants.ledgers, 'ledger')}`;
const lastOf = ({ summary, descendants }: LedgerNode): string => {
  const own = summary.kind === 'fault' ? null : summary.present.at;
  const last = [own, descendants.lastAt]
    .filter((at) => at !== null)
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
  return last?.slice(0, 10) ?? '';
};

/** Where several ledgers stand, as a table: what comes from a ledger stands under it. */
export const standingOutput = ({ store, placed }: StandingReport): Output => ({
  page: () => [
    table(placed, [
      ['ledger', ({ summary, depth }) => `${'  '.repeat(depth)}${printable(summary.name)}`],
      ['budget', guaranteeOf],
      ['budget used', usedText],
      ['mechanisms', launchedOf],
      ...(placed.some(({ descendants }) => descendants.ledgers > 0) ? ([['below it', belowOf]] as const) : []),
      ['last', lastOf],
      ['state', ({ summary }) => stateOf(summary)],
      ['loss so far', spentOf],
    ]),
    paragraph(placed.length === 0 ? 'No ledgers.' : null),
  ],
  json: (version) => documentText(LEDGER_LIST, { version, store, ledgers: placed }),
});
