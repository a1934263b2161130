import { brAdaptive } from '../bounds/bounded-range/adaptive.ts';
import { givenName, type GapAnswer, type GapQuestion, type GapRow, type LargestGap } from '../composition/gap/gap.ts';
import { inapplicabilityMessage } from './kit/message.ts';
import { givenText, shortRangeText, shortText, bracketText } from './kit/number.ts';
import { grouped } from './kit/prose.ts';
import { COUNT, ENCLOSURE, GIVEN, askedAt, NEAREST_GIVEN, NULL, TEXT, whole } from './kit/codecs.ts';
import { WARNING } from './refusal/refusal.ts';
import * as json from './kit/codec.ts';
import { csvText, endsOf, table } from './kit/table.ts';
import { heading, paragraph, type Output } from './kit/page.ts';

/** The parameters that can have several values. */
type Parameter = 'each' | 'count' | 'epsilon' | 'delta';

/** The parameter with several values; the count where none has. */
function varying(question: GapQuestion): Parameter {
  if (question.each.length > 1) return 'each';
  return question.given.length > 1 ? givenName(question) : 'count';
}

/** The value of a parameter in a row. */
function settingOf({ each, count, given }: GapRow, parameter: Parameter): string {
  if (parameter === 'count') return grouped(count);
  return givenText(parameter === 'each' ? each : given);
}

const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null);

/** The heading: the question, with the parameters that have one value in all rows. */
export function gapHeading(question: GapQuestion): string {
  const [each, count, given] = [only(question.each), only(question.count), only(question.given)];
  const target = given === null ? '' : ` at ${givenName(question)} ${givenText(given)}`;
  const many = count === null ? 'mechanisms' : `${grouped(count)} ${count === 1 ? 'mechanism' : 'mechanisms'}`;
  const range = each === null ? 'bounded range' : `${givenText(each)}-bounded range`;
  return `Smallest ${question.solveFor}${target} of ${many} of ${range}`;
}

function place({ row }: LargestGap, question: GapQuestion): string {
  const varies = varying(question);
  const value = settingOf(row, varies);
  return varies === 'each' ? `with ${value}-bounded range` : `at ${varies} ${value}`;
}

function largestGap(answer: GapAnswer): string {
  const { largest, question, rows } = answer;
  const { solveFor } = question;
  const computed = rows.filter(({ gap }) => !('reason' in gap));
  if (largest === null) {
    return computed.length === 0
      ? 'No adaptive optimum is computed here.'
      : 'The nonadaptive optimum is 0: there is no ratio to it.';
  }
  const { ratio } = largest;
  const scope = computed.length === rows.length ? 'here' : 'where it is computed';
  if (ratio.upper === 0) return `Adaptivity costs nothing ${scope}: both optima are the same.`;
  const chosen = 'Mechanisms that are chosen adaptively, not fixed in advance, need';
  const maximum = `${shortText(ratio.upper, 'up', 100)}%`;
  if (ratio.lower === 0)
    return `${chosen} at most ${maximum} more ${solveFor} ${scope}; that they need more is not certain.`;
  if (rows.length === 1) return `${chosen} ${shortRangeText(ratio, 100)}% more ${solveFor} here.`;
  const minimum = `${shortText(ratio.lower, 'down', 100)}%`;
  return `${chosen} at least ${minimum} more ${solveFor} ${place(largest, question)}, and nowhere ${scope} more than ${maximum}.`;
}

/** Why some rows have no adaptive optimum. */
function missing(rows: readonly GapRow[]): string[] {
  const reasons = rows.flatMap(({ gap }) => ('reason' in gap ? [inapplicabilityMessage(gap.reason)] : []));
  return [...new Set(reasons)].map((reason) => `Where no adaptive optimum is computed: ${brAdaptive.id} ${reason}.`);
}

/** In sentences: the largest gap that is certain, the most that any can be, and what is not known. */
export const gapStatement = (answer: GapAnswer): string[] => [largestGap(answer), ...missing(answer.rows)];

const POSITIVE = whole(1);
const NONADAPTIVE = json.object({ nonadaptive: ENCLOSURE });

const OPTIMUM = json.anyOf(
  json.object({
    adaptive: ENCLOSURE,
    ratio: json.described('adaptive / nonadaptive - 1; null where nonadaptive is 0', json.orNull(ENCLOSURE)),
    difference: ENCLOSURE,
  }),
  json.object({ adaptive: NULL, ratio: NULL, difference: NULL, code: TEXT, reason: TEXT }),
);

const ROW = json.together(
  json.oneOf(
    json.object({ each: NEAREST_GIVEN, count: POSITIVE, delta: NEAREST_GIVEN }),
    json.object({ each: NEAREST_GIVEN, count: POSITIVE, epsilon: NEAREST_GIVEN }),
  ),
  { ...NONADAPTIVE, schema: { allOf: [NONADAPTIVE.schema] } },
  OPTIMUM,
);

/** The gap between both optima. */
export const GAP = json.document(
  'gap',
  'The nonadaptive and the adaptive optimum of equal bounded-range mechanisms, and the gap between them, as gap --json prints them.',
  {
    input: json.described(
      'The question with all digits; epsilon or delta, whichever is given.',
      json.oneOf(
        json.object({ each: json.list(GIVEN), count: json.list(POSITIVE), delta: json.list(GIVEN) }),
        json.object({ each: json.list(GIVEN), count: json.list(POSITIVE), epsilon: json.list(GIVEN) }),
      ),
    ),
    solveFor: json.choice('epsilon', 'delta'),
    rows: json.list(ROW),
    largest: json.described(
      'The largest ratio of all rows, and the row (counted from 0) with the largest certain ratio.',
      json.orNull(json.object({ ratio: ENCLOSURE, row: COUNT })),
    ),
    warnings: json.list(WARNING),
  },
);

function optimum({ gap }: GapRow): json.ValueOf<typeof OPTIMUM> {
  if (!('reason' in gap)) return gap;
  const { code } = gap.reason;
  return { adaptive: null, ratio: null, difference: null, code, reason: inapplicabilityMessage(gap.reason) };
}

const ratioText = ({ gap }: GapRow): string =>
  'reason' in gap || gap.ratio === null ? '' : `${shortRangeText(gap.ratio, 100)}%`;

/**
 * Both optima of every composition and the gap between them, with the largest gap in one sentence.
 *
 * Every number is rounded to the side on which it stays true.
 */
export function gapOutput(answer: GapAnswer): Output {
  const { question, rows, largest, warnings } = answer;
  const { solveFor } = question;
  const varies = varying(question);
  return {
    page: () => [
      heading(gapHeading(question)),
      table(rows, [
        [varies, (row) => settingOf(row, varies), { inBlock: varies }],
        ['nonadaptive', ({ nonadaptive }) => bracketText(nonadaptive)],
        ['adaptive', ({ gap }) => ('reason' in gap ? 'not computed' : bracketText(gap.adaptive))],
        ['gap', ratioText],
        ['difference', ({ gap }) => ('reason' in gap ? '' : shortRangeText(gap.difference)), { spare: 'columns' }],
      ]),
      ...gapStatement(answer).map(paragraph),
    ],
    json: (version) =>
      json.documentText(GAP, {
        version,
        input: { ...question, ...askedAt(solveFor, question.given) },
        solveFor,
        rows: rows.map((row) => ({ ...row, ...askedAt(solveFor, row.given), ...optimum(row) })),
        largest: largest && { ratio: largest.ratio, row: rows.indexOf(largest.row) },
        warnings,
      }),
    csv: () =>
      csvText(rows, [
        ['each', ({ each }) => each.toString()],
        ['count', ({ count }) => count],
        [givenName(question), ({ given }) => given.toString()],
        ...endsOf<GapRow>('nonadaptive', ({ nonadaptive }) => nonadaptive),
        ...endsOf<GapRow>('adaptive', ({ gap }) => ('reason' in gap ? null : gap.adaptive)),
        ...endsOf<GapRow>('ratio', ({ gap }) => ('reason' in gap ? null : gap.ratio)),
        ...endsOf<GapRow>('difference', ({ gap }) => ('reason' in gap ? null : gap.difference)),
        ['code', ({ gap }) => ('reason' in gap ? gap.reason.code : null)],
      ]),
  };
}
