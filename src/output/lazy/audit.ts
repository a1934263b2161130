import { auditNotes, guarantee, type Audit, type AuditNote } from '../../learning/accounting/audit.ts';
import {
  covers,
  type CheckedPrecondition,
  type Theorem32,
  type Theorem32Input,
} from '../../learning/theorems/theorem-3-2.ts';
import { Decimal, exactUpper } from '../../numeric/decimal.ts';
import { always, described, from, list, object, orNull } from '../kit/codec.ts';
import { BRACKET, ENCLOSURE, FLAG, GIVEN, NEAREST, NEAREST_GIVEN, NOTICE, TEXT, UPPER } from '../kit/codecs.ts';
import { givenText, upperText } from '../kit/number.ts';
import { paragraph, type Block, type Output } from '../kit/page.ts';
import { table } from '../kit/table.ts';
import {
  CLAIMED,
  GUARANTEED,
  lazyText,
  MEASURE,
  printedSetting,
  RESAMPLING,
  SETTING,
  claimText,
  GUARANTEE_TEXT,
  HYPOTHESIS_TEXT,
  lazyHeading,
  leastText,
  mostText,
  probabilityText,
  settingText,
  auditNoteMessage,
} from './words.ts';

/** Theorem 3.2 as printed, with its hypotheses and terms. */
const THEOREM = from(
  object({
    status: CLAIMED,
    covers: described('whether every hypothesis holds', FLAG),
    eta: NEAREST,
    hypotheses: list(object({ id: TEXT, value: ENCLOSURE, holds: FLAG })),
    terms: object({ firstFlag: ENCLOSURE, eta: ENCLOSURE, drift: ENCLOSURE, deviation: ENCLOSURE }),
    epsilon: ENCLOSURE,
    delta: ENCLOSURE,
  }),
  (theorem: Theorem32) => ({
    ...theorem,
    covers: covers(theorem),
    eta: theorem.input.eta,
    hypotheses: theorem.preconditions,
  }),
);

/** Exact accounting, one row for each kind of step. */
export const ACCOUNTING = list(
  object({
    status: GUARANTEED,
    resampling: RESAMPLING,
    epsilon: described(
      'upper: guaranteed for L2P; lower: certain for all that has these flags and steps, not for L2P itself; null if none is known',
      BRACKET,
    ),
  }),
);

export const NOTES = list(from(NOTICE, (note: AuditNote) => ({ code: note.code, message: auditNoteMessage(note) })));

/** An audit. */
export const AUDIT = object({
  result: always('audit'),
  input: object({
    setting: orNull(TEXT),
    ...SETTING,
    measure: MEASURE,
    delta1: orNull(GIVEN),
    delta0: orNull(GIVEN),
    target: orNull(GIVEN),
  }),
  theorem: described('null without y', orNull(THEOREM)),
  moved: described('Theorem 3.2 at the distance of Lemma 3.11, where that is above eta', orNull(THEOREM)),
  delta: described('at which the epsilons of the accounting hold', NEAREST_GIVEN),
  accounting: ACCOUNTING,
  guarantee: orNull(object({ resampling: RESAMPLING, epsilon: UPPER })),
  notes: NOTES,
});

/** What a hypothesis is about: p as it is; what fails to the side on which it fails, so that no bound is shown as reached. */
function hypothesisText({ id, value, holds }: CheckedPrecondition, { fakeSwitch }: Theorem32Input): string {
  if (id === 'fake-chance') return probabilityText(fakeSwitch);
  if (holds || value.lower <= 0) return claimText(value);
  return id === 'fake-switches' ? leastText(value.lower) : mostText(value.upper);
}

const hypotheses = ({ preconditions, input }: Theorem32): Block =>
  table(preconditions, [
    ['hypothesis', ({ id }) => HYPOTHESIS_TEXT[id][0], { titled: true }],
    ['value', (row) => hypothesisText(row, input)],
    ['must be', ({ id }) => HYPOTHESIS_TEXT[id][1]],
    ['holds', ({ holds }) => (holds ? 'yes' : 'NO')],
  ]);

function terms({ terms: parts, epsilon }: Theorem32): Block {
  const rows = [
    ['2 eta / p', claimText(parts.firstFlag)],
    ['eta', claimText(parts.eta)],
    ['3 T eta^2 p ln(1/delta1) / (2 B)', claimText(parts.drift)],
    ['sqrt(6 T eta^2 p ln(1/delta1)^2 / B)', claimText(parts.deviation)],
    ['sum', mostText(epsilon.upper)],
  ] as const;
  return table(rows, [
    ['term of Theorem 3.2', ([name]) => name, { titled: true }],
    ['epsilon', ([, value]) => value],
  ]);
}

/** A row of the theorem; null of one that is not evaluated. */
const claimRows = (name: string, theorem: Theorem32 | null) =>
  theorem === null
    ? []
    : [
        {
          name,
          epsilon: theorem.epsilon.upper,
          least: null,
          delta: exactUpper(theorem.delta).toSignificantDigits(4, Decimal.ROUND_CEIL),
          is: covers(theorem) ? 'claimed' : 'not covered',
        },
      ];

function sideBySide(audit: Audit): Block {
  const { theorem, moved, accounting, delta } = audit;
  const best = guarantee(audit);
  const rows = [
    ...claimRows('Theorem 3.2', theorem),
    ...claimRows('Theorem 3.2, Lemma 3.11', moved),
    ...accounting.map((row) => ({
      name: `exact, ${GUARANTEE_TEXT[row.resampling]}`,
      epsilon: row.epsilon.upper,
      least: row.epsilon.lower,
      delta,
      is: row.epsilon.upper < Infinity ? 'guaranteed' : 'says nothing',
      isBest: row === best && row.epsilon.upper < Infinity,
    })),
  ];
  return table(rows, [
    ['accounting', ({ name }) => name, { best: (row) => 'isBest' in row && row.isBest, titled: true }],
    ['epsilon', ({ epsilon }) => mostText(epsilon)],
    ['at least', ({ least }) => (least === null ? '' : leastText(least))],
    ['delta', (row) => givenText(row.delta)],
    ['is', (row) => row.is],
  ]);
}

function statement(audit: Audit): string | null {
  const best = guarantee(audit);
  if (best === null || best.epsilon.upper === Infinity) return null;
  const pair = `(${upperText(best.epsilon)}, ${givenText(audit.delta)})`;
  const steps =
    audit.accounting.every(({ epsilon }) => epsilon.lower === null) || best.epsilon.upper === 0
      ? ''
      : ' The lower bound holds for any accounting that knows only this flag, one certain step after it, and steps with these probabilities. L2P itself may need less.';
  return `By exact accounting L2P with these parameters is ${pair}-differentially private.${steps}`;
}

/**
 * Theorem 3.2 with its hypotheses and terms, and exact accounting beside it. What the theorem gives is called claimed;
 * every number is rounded to the side on which it stays true.
 */
export function lazyAuditOutput(audit: Audit, target: Decimal | null): Output {
  const { id, setting, measure } = audit;
  const judged = audit.moved ?? audit.theorem;
  const notes = auditNotes(audit, target);
  const { delta1 = null, delta0 = null } = audit.theorem?.input ?? {};
  const best = guarantee(audit);
  return {
    page: () => [
      lazyHeading(`${settingText(setting, measure)}${id === null ? '' : ` (${id})`}`),
      ...(judged === null ? [] : [hypotheses(judged), terms(judged)]),
      sideBySide(audit),
      paragraph(statement(audit)),
      ...notes.map((note) => paragraph(auditNoteMessage(note))),
    ],
    json: (version) =>
      lazyText(
        AUDIT,
        {
          ...audit,
          input: { ...printedSetting(setting), setting: id, measure, delta1, delta0, target },
          guarantee: best && { resampling: best.resampling, epsilon: best.epsilon.upper },
          notes,
        },
        version,
      ),
  };
}
