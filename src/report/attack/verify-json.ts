import type { ParallelBound } from '../../composition/attack/verify/parallel-bounds.ts';
import type { VerifyAnswer } from '../../composition/attack/verify/verify.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import type { Rational } from '../../numeric/rational.ts';
import { exactVerifyForm } from '../../document/verification/normal-form.ts';
import { choice, described, documentText, list, object, oneOf, orNull, published, type ValueOf } from '../kit/codec.ts';
import { COUNT, FLAG, FORM, TEXT } from '../kit/codecs.ts';
import { attackIdentity, EXACT, OBLIVIOUS, PARALLEL, RENYI } from './json.ts';
import { PARALLEL_BOUNDS } from './parallel-bound-text.ts';

const DIRECTIONS = { factor: EXACT, delta: EXACT, forward: EXACT, backward: EXACT };

const BOUND = object({
  id: choice('first-pair', 'product', 'doubled', 'fixed'),
  name: TEXT,
  reference: TEXT,
  delta: EXACT,
  applies: FLAG,
  optimum: choice('below', 'equal', 'above'),
});

const VERIFY = object({
  ...attackIdentity('verify'),
  input: described('The document in normal form.', FORM),
  properties: object({ closedUnderSwapping: FLAG, firstPairConsistent: FLAG, longest: orNull(COUNT) }),
  alone: list(object({ ...DIRECTIONS, oblivious: orNull(EXACT) })),
  guarantee: object({ factor: EXACT, claimed: orNull(EXACT), exact: EXACT, swapped: EXACT, holds: FLAG }),
  together: described(
    'All copies together; null where there is one.',
    orNull(list(object({ ...DIRECTIONS, bounds: list(BOUND) }))),
  ),
});

/** The answer of an attack. */
export const ATTACK = published(
  'attack',
  'What came of an attack: against a composition that is refused, or of all adversaries against a finite mechanism, as attack --json prints it.',
  oneOf(PARALLEL, RENYI, OBLIVIOUS, VERIFY),
);

const COMPARED = { '-1': 'below', '0': 'equal', '1': 'above' } as const;

const boundRow = (bound: ParallelBound, optimum: Rational): ValueOf<typeof BOUND> => ({
  ...bound,
  name: PARALLEL_BOUNDS[bound.id].name,
  reference: henzingerSafaviVadhan(PARALLEL_BOUNDS[bound.id].place),
  optimum: COMPARED[optimum.compare(bound.delta)],
});

/** A verification as `dpcompose.attack/1`. */
export const verifyJson = (answer: VerifyAnswer, version: string): string =>
  documentText(VERIFY, {
    ...answer,
    version,
    reference: henzingerSafaviVadhan('Def 10.2 and Cor 10.7'),
    input: exactVerifyForm(answer.question),
    together:
      answer.together?.map((row) => ({ ...row, bounds: row.bounds.map((bound) => boundRow(bound, row.delta)) })) ??
      null,
  });
