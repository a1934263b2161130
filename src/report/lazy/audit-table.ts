import { guarantee, type Audit } from '../../lazy/accounting/audit.ts';
import { auditNotes } from '../../lazy/accounting/audit-notes.ts';
import { covers, type Theorem32 } from '../../lazy/theorems/theorem-3-2.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Layout } from '../kit/columns.ts';
import { auditNoteMessage, GUARANTEE_TEXT, HYPOTHESIS_TEXT } from './messages.ts';
import { claimText, leastText, mostText } from './number.ts';
import { paragraphs, plainLine, section } from './sections.ts';
import { settingText } from './setting-text.ts';
import { givenText, upperText } from '../kit/number.ts';

function hypotheses({ preconditions }: Theorem32, layout: Layout): string {
  const lines = preconditions.map(({ id, value, holds }) =>
    plainLine(HYPOTHESIS_TEXT[id][0], claimText(value), HYPOTHESIS_TEXT[id][1], holds ? 'yes' : 'NO'),
  );
  return section(['hypothesis', 'value', 'must be', 'holds'], lines, layout);
}

function terms({ terms: parts, epsilon }: Theorem32, layout: Layout): string {
  const lines = [
    ['2 eta / p', parts.firstFlag],
    ['eta', parts.eta],
    ['3 T eta^2 p ln(1/delta1) / (2 B)', parts.drift],
    ['sqrt(6 T eta^2 p ln(1/delta1)^2 / B)', parts.deviation],
    ['sum', epsilon],
  ] as const;
  return section(
    ['term of Theorem 3.2', 'epsilon'],
    lines.map(([name, value]) => plainLine(name, name === 'sum' ? mostText(value.upper) : claimText(value))),
    layout,
  );
}

const standing = (theorem: Theorem32): string => (covers(theorem) ? 'claimed' : 'claimed, not covered');

function sideBySide(audit: Audit, layout: Layout): string {
  const { theorem, moved, accounting, delta } = audit;
  const best = guarantee(audit);
  const claims = [
    plainLine('  Theorem 3.2', mostText(theorem.epsilon.upper), '', standing(theorem)),
    ...(moved === null
      ? []
      : [plainLine('  Theorem 3.2, Lemma 3.11', mostText(moved.epsilon.upper), '', standing(moved))]),
  ];
  const guarantees = accounting.map((row) => {
    const isBest = row === best && row.epsilon.upper < Infinity;
    return {
      cells: [
        `${isBest ? '*' : ' '} exact, ${GUARANTEE_TEXT[row.resampling]}`,
        mostText(row.epsilon.upper),
        row.epsilon.lower === null ? '' : leastText(row.epsilon.lower),
        row.epsilon.upper < Infinity ? 'guaranteed' : 'says nothing',
      ],
      best: isBest,
    };
  });
  return section([`  at delta ${givenText(delta)}`, 'epsilon', 'at least', 'is'], [...claims, ...guarantees], layout);
}

function statement(audit: Audit): string[] {
  const best = guarantee(audit);
  if (best === null || best.epsilon.upper === Infinity) return [];
  const pair = `(${upperText(best.epsilon)}, ${givenText(audit.delta)})`;
  const steps =
    audit.accounting.every(({ epsilon }) => epsilon.lower === null) || best.epsilon.upper === 0
      ? ''
      : ' Under at least stands what no accounting can go below that knows of L2P this flag, one certain step after it and steps with these chances, and no more; L2P itself may need less.';
  return [`By exact accounting L2P with these parameters is ${pair}-differentially private.${steps}`];
}

/**
 * Theorem 3.2 with its hypotheses and terms, and exact accounting beside it, for a person. What the theorem gives is
 * called claimed; every number is rounded to the side on which it stays true.
 */
export function lazyAuditTable(audit: Audit, target: Decimal | null, layout: Layout): string {
  const judged = audit.moved ?? audit.theorem;
  const from = audit.id === null ? '' : ` (${audit.id})`;
  return paragraphs(
    [
      layout.style.heading(`${settingText(audit.setting, audit.measure)}${from}`),
      hypotheses(judged, layout),
      terms(judged, layout),
      sideBySide(audit, layout),
      ...statement(audit),
      ...auditNotes(audit, target).map(auditNoteMessage),
    ],
    layout,
  );
}
