import type { GapAnswer, GapRow } from '../../composition/gap/gap.ts';
import {
  anyOf,
  choice,
  described,
  document,
  documentText,
  list,
  object,
  oneOf,
  orNull,
  together,
  type ValueOf,
} from '../kit/codec.ts';
import { COUNT, ENCLOSURE, GIVEN, askedAt, NEAREST_GIVEN, NULL, TEXT, whole } from '../kit/codecs.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { WARNING } from '../refusal/bound-row-json.ts';

const POSITIVE = whole(1);
const NONADAPTIVE = object({ nonadaptive: ENCLOSURE });

const OPTIMUM = anyOf(
  object({
    adaptive: ENCLOSURE,
    ratio: described('adaptive / nonadaptive - 1; null where nonadaptive is 0', orNull(ENCLOSURE)),
    difference: ENCLOSURE,
  }),
  object({ adaptive: NULL, ratio: NULL, difference: NULL, code: TEXT, reason: TEXT }),
);

const ROW = together(
  oneOf(
    object({ each: NEAREST_GIVEN, count: POSITIVE, delta: NEAREST_GIVEN }),
    object({ each: NEAREST_GIVEN, count: POSITIVE, epsilon: NEAREST_GIVEN }),
  ),
  { ...NONADAPTIVE, schema: { allOf: [NONADAPTIVE.schema] } },
  OPTIMUM,
);

/** The gap between both optima. */
export const GAP = document(
  'gap',
  'The nonadaptive and the adaptive optimum of equal bounded-range mechanisms, and the gap between them, as gap --json prints them.',
  {
    input: described(
      'What was asked, with all digits; epsilon or delta, whichever is given.',
      oneOf(
        object({ each: list(GIVEN), count: list(POSITIVE), delta: list(GIVEN) }),
        object({ each: list(GIVEN), count: list(POSITIVE), epsilon: list(GIVEN) }),
      ),
    ),
    solveFor: choice('epsilon', 'delta'),
    rows: list(ROW),
    largest: described(
      'The largest ratio of all rows, and the row (from 0) with the largest that is certain.',
      orNull(object({ ratio: ENCLOSURE, row: COUNT })),
    ),
    warnings: list(WARNING),
  },
);

function optimum({ gap }: GapRow): ValueOf<typeof OPTIMUM> {
  if (!('reason' in gap)) return gap;
  const { code } = gap.reason;
  return { adaptive: null, ratio: null, difference: null, code, reason: inapplicabilityMessage(gap.reason) };
}

/** Both optima of every composition and the gap between them as `dpcompose.gap/1`. */
export function gapJson({ question, rows, largest, warnings }: GapAnswer, version: string): string {
  const { solveFor } = question;
  return documentText(GAP, {
    version,
    input: { ...question, ...askedAt(solveFor, question.given) },
    solveFor,
    rows: rows.map((row) => ({ ...row, ...askedAt(solveFor, row.given), ...optimum(row) })),
    largest: largest && { ratio: largest.ratio, row: rows.indexOf(largest.row) },
    warnings,
  });
}
