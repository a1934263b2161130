import type { Placed } from '../../ledger/journal/rollup.ts';
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
import { totalsOf } from '../../ledger/core/state.ts';

/** Several ledgers, each as it stands. */
export interface StandingReport {
  readonly store: string;
  readonly placed: readonly Placed[];
}

const BELOW = object({ ledgers: COUNT, launched: COUNT, lastAt: TEXT_OR_NULL });

const ROW = from(
  object({
    file: TEXT,
    id: optional(TEXT),
    parent: described('The ledger that paid for it, or that it goes on from, where that is listed too.', TEXT_OR_NULL),
    origin: TEXT_OR_NULL,
    state: described('open, exceeded, halted, converted, moved, copy, or the code of why it cannot be read.', TEXT),
    records: optional(COUNT),
    hash: optional(HASH),
    lastAt: optional(TEXT),
    launched: optional(COUNT),
    totals: optional(SPENT),
    spent: optional(GUARANTEE),
    guarantee: optional(GUARANTEE),
    shares: optional(STANDING.shares),
    below: described('All ledgers that come from it, together.', orNull(BELOW)),
  }),
  ({ stand, parent, below }: Placed) => {
    const common = { file: stand.name, parent, state: stateOf(stand), below: below.ledgers === 0 ? null : below };
    if (stand.kind === 'fault') return { ...common, origin: null };
    const { present } = stand;
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

/** Where several ledgers stand. */
export const LEDGER_LIST = document(
  'ledger-list',
  'Where several ledgers stand, each after the one that it comes from.',
  {
    store: TEXT,
    ledgers: list(ROW),
  },
);

/** Whether a ledger is open, or why not. */
function stateOf(stand: Placed['stand']): string {
  if (stand.kind === 'fault') return stand.fault.code;
  const { state, successor, movedTo } = stand.present;
  if (stand.isCopy === true) return 'copy';
  if (movedTo !== undefined) return 'moved';
  if (successor !== null) return 'converted';
  if (state.halted !== null) return 'halted';
  return exceededIn(state).length > 0 ? 'exceeded' : 'open';
}

function usedText({ stand }: Placed): string {
  if (stand.kind === 'fault') return '';
  const shares = shareOf(stand.present.state).map(({ share }) => share);
  return shares.length === 0 ? '' : percentText(Math.max(...shares));
}

function guaranteeOf({ stand }: Placed): string {
  if (stand.kind === 'fault') return '';
  const { guarantee } = stand.present.state.rule;
  return guarantee === null ? 'none' : claimText(guarantee);
}

function spentOf({ stand }: Placed): string {
  if (stand.kind === 'fault') return faultMessage(stand.fault).message;
  const { state } = stand.present;
  return state.terms.mode === 'compositor' ? '' : guaranteeText(loss(state).spent, 'up');
}

const launchedOf = ({ stand }: Placed): string => (stand.kind === 'fault' ? '' : grouped(stand.present.state.launched));
const belowOf = ({ below }: Placed): string =>
  below.ledgers === 0 ? '' : `${counted(below.launched, 'mechanism')} in ${counted(below.ledgers, 'ledger')}`;
const lastOf = ({ stand, below }: Placed): string => {
  const own = stand.kind === 'fault' ? null : stand.present.at;
  const last = [own, below.lastAt]
    .filter((at) => at !== null)
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
  return last?.slice(0, 10) ?? '';
};

/** Where several ledgers stand, as a table: what comes from a ledger stands under it. */
export const standingOutput = ({ store, placed }: StandingReport): Output => ({
  page: () => [
    table(placed, [
      ['ledger', ({ stand, depth }) => `${'  '.repeat(depth)}${printable(stand.name)}`],
      ['budget', guaranteeOf],
      ['used', usedText],
      ['mechanisms', launchedOf],
      ...(placed.some(({ below }) => below.ledgers > 0) ? ([['below it', belowOf]] as const) : []),
      ['last', lastOf],
      ['state', ({ stand }) => stateOf(stand)],
      ['spent', spentOf],
    ]),
    paragraph(placed.length === 0 ? 'No ledgers.' : null),
  ],
  json: (version) => documentText(LEDGER_LIST, { version, store, ledgers: placed }),
});
