import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import { nameField } from '../design/fields.ts';
import { issueOf, NO_SIGN, numberField, published } from '../core/fields.ts';
import { noNumber } from '../core/forms.ts';
import type { Path } from '../core/input-error.ts';
import { atMost } from '../core/lists.ts';
import { describe } from '../core/quote.ts';
import { rationalField } from '../core/rational-field.ts';
import { MOST_COPIES, MOST_FACTORS, MOST_ROUNDS, MOST_ROWS } from './limits.ts';
import { version } from '../core/version-field.ts';

const state = nameField('the name of a state', 'open');
const stage = nameField('the name of a stage', 'one sent');
const message = nameField('a message', '0');

const probability = rationalField({
  name: 'probability',
  allowed: 'a number from 0 to 1',
  example: '"1/10"',
  inRange: (value) => value.compare(Rational.ZERO) >= 0 && value.compare(Rational.ONE) <= 0,
  description: 'The probability of this answer and this state together',
  range: { minimum: 0, maximum: 1 },
});

const delta = rationalField({
  name: 'delta',
  allowed: 'a number from 0 to 1',
  example: '"1/10"',
  inRange: (value) => value.compare(Rational.ZERO) >= 0 && value.compare(Rational.ONE) <= 0,
  description: 'The delta that one copy is said to have at this e^epsilon; left out: the smallest it has',
  range: { minimum: 0, maximum: 1 },
});

const guaranteedFactor = rationalField({
  name: 'factor',
  allowed: 'a number of at least 1',
  example: '2',
  inRange: (value) => value.compare(Rational.ONE) >= 0,
  description: 'The e^epsilon of a guarantee',
  range: { minimum: 1 },
});

const askedFactor = rationalField({
  name: 'each e^epsilon',
  allowed: 'a number above 0',
  example: '"3/2"',
  inRange: (value) => value.compare(Rational.ZERO) > 0,
  description: 'A value of e^epsilon at which delta is asked for',
  range: { exclusiveMinimum: 0 },
});

const whole = (name: string, least: number, most: number, description: string) =>
  numberField({
    name,
    allowed: `a whole number from ${least} to ${most}`,
    example: String(Math.max(1, least)),
    whole: true,
    inRange: (value) => value.isInteger() && value.gte(least) && value.lte(most),
    description: `${description}: a whole number (or the same as a string) from ${least} to ${most}.`,
    range: { minimum: least, maximum: most },
    pattern: NO_SIGN,
  });

const rows = <S extends z.ZodMiniType>(item: S, name: string, description: string) =>
  z
    .pipe(atMost(MOST_ROWS, name, 'items', 'Describe a smaller mechanism.'), z.array(item).check(z.minLength(1)))
    .register(published, { maxItems: MOST_ROWS, minItems: 1, description });

const objects = <S extends z.ZodMiniType>(item: S, name: string, description: string) =>
  rows(z.pipe(noNumber('each item'), item), name, description);

/** The messages that reach the mechanism under the secret bit 0 and under 1. */
const pair = z
  .pipe(
    z.unknown(),
    z.transform((value, context): readonly [string, string] => {
      const parts: unknown[] = Array.isArray(value) ? value : [];
      const [zero, one] = parts;
      if (parts.length === 2 && typeof zero === 'string' && typeof one === 'string' && zero !== '' && one !== '') {
        return [zero, one];
      }
      context.issues.push(
        issueOf(
          {
            code: 'wrong-type',
            message: `each item must be a pair of messages, got ${describe(value)}`,
            hint: 'Write a pair such as ["0", "1"]: the message under the secret bit 0, and that under 1.',
          },
          value,
        ),
      );
      return z.NEVER;
    }),
  )
  .register(published, {
    description: 'A pair of messages: what the mechanism receives if the secret bit is 0, and if it is 1.',
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 2,
    maxItems: 2,
  });

const transition = z
  .strictObject({
    from: state,
    messages: rows(message, 'messages', 'The messages on which this may happen.'),
    answer: nameField('an answer', '1'),
    to: z.optional(state),
    probability: z._default(probability, Rational.ONE).register(published, { default: 1 }),
  })
  .register(published, {
    description:
      'In the state "from", on each of the messages, the mechanism gives the answer and goes to the state "to" (default: stays) with the probability (default 1). For every state and message the probabilities sum to exactly 1.',
  });

const mechanism = z.strictObject({
  start: state,
  transitions: objects(transition, 'transitions', 'What the mechanism does.'),
});

const allowed = z
  .strictObject({ from: stage, pairs: rows(pair, 'pairs', 'The pairs.'), to: stage })
  .register(published, {
    description: 'At the stage "from" each of the pairs may be sent; the stage is "to" after it.',
  });

const verification = z.strictObject({
  start: stage,
  allows: objects(allowed, 'allows', 'The pairs that may be sent. Each stands at most once at a stage.'),
});

const guarantee = z.strictObject({
  factor: z._default(guaranteedFactor, Rational.ONE).register(published, { default: 1 }),
  delta: z.optional(delta),
});

const verify = z
  .strictObject({
    mechanism: z.pipe(noNumber('mechanism'), mechanism),
    verification: z.pipe(noNumber('verification'), verification),
    guarantee: z.optional(z.pipe(noNumber('guarantee'), guarantee)),
    copies: z
      ._default(whole('copies', 1, MOST_COPIES, 'How many copies of the mechanism there are'), new Decimal(1))
      .register(published, { default: 1 }),
    sparsity: z.optional(
      whole(
        'sparsity',
        0,
        MOST_COPIES,
        'How many copies may receive pairs of different messages; left out: all of them',
      ),
    ),
    factors: z.optional(
      z
        .pipe(
          atMost(MOST_FACTORS, 'factors', 'numbers', 'Ask in several parts.'),
          z.array(askedFactor).check(z.minLength(1)),
        )
        .register(published, {
          description: 'Values of e^epsilon at which delta is asked for (default: 1).',
          minItems: 1,
          maxItems: MOST_FACTORS,
        }),
    ),
    rounds: z.optional(whole('rounds', 1, MOST_ROUNDS, 'The most messages that the adversary may send in all')),
  })
  .register(published, {
    description: 'A finite mechanism, and which pairs of messages an adversary may send to it.',
  });

const document = z.strictObject({
  dpcompose: version,
  name: z.optional(z.string()),
  verify: z.pipe(noNumber('verify'), verify),
});

/** A whole document of `attack verify`: its type, its validation and, with `published`, its JSON Schema. */
export const verifyDocumentSchema = z.pipe(noNumber('the document'), document);

/** A validated document as it was written. */
export type ParsedVerifyDocument = z.infer<typeof document>;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(document.shape),
  verify: Object.keys(verify.shape),
  'verify.mechanism': Object.keys(mechanism.shape),
  'verify.mechanism.transitions': Object.keys(transition.shape),
  'verify.verification': Object.keys(verification.shape),
  'verify.verification.allows': Object.keys(allowed.shape),
  'verify.guarantee': Object.keys(guarantee.shape),
};

/** The keys that an object of such a document may have; `path` leads to it. */
export const verifyKeys = (path: Path): readonly string[] =>
  KEYS[path.filter((step) => typeof step === 'string').join('.')] ?? [];
