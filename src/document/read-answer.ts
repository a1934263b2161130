import * as z from 'zod/mini';
import type { GivenAnswer } from '../composition/compose/explain-answer.ts';
import type { InputError } from './core/specification.ts';
import { formatPath } from './core/quote.ts';
import { decodeText } from './core/input-error.ts';

const number = z.union([
  z.number(),
  z.pipe(
    z.literal('Infinity'),
    z.transform(() => Infinity),
  ),
]);
const exact = z.optional(z.string().check(z.regex(/^\d+(\.\d+)?(e[+-]\d+)?$/)));
const bracket = z.object({ lower: z.nullable(number), upper: number });
const identity = { id: z.string(), name: z.string(), reference: z.string() };
const row = z.discriminatedUnion('applies', [
  z.object({ ...identity, applies: z.literal(true), epsilon: bracket, delta: bracket, exact }),
  z.object({ ...identity, applies: z.literal(false), code: z.string(), reason: z.string() }),
]);

/** The keys that are read of the output of `compose --json`. */
const answerDocument = z.object({
  schema: z.literal('dpcompose.compose/1'),
  query: z.union([
    z.object({ solveFor: z.literal('epsilon'), delta: z.number() }),
    z.object({ solveFor: z.literal('delta'), epsilon: z.number() }),
  ]),
  answer: z.object({ epsilon: bracket, delta: bracket, bound: z.string(), tight: z.boolean(), exact }),
  bounds: z.array(row),
});

/** An answer, or why the input is none. */
export type AnswerReading = { readonly answer: GivenAnswer } | { readonly error: InputError };

const notAnAnswer = (path: string, message: string): AnswerReading => ({
  error: {
    code: 'not-an-answer',
    path,
    message,
    hint: 'Give what dpcompose compose --json prints.',
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads what `compose --json` printed (UTF-8). */
export function readAnswer(input: Uint8Array): AnswerReading {
  const text = decodeText(input);
  const value = typeof text === 'string' ? parsed(text) : undefined;
  if (value === undefined) return notAnAnswer('document', 'this is not a JSON document');
  const parsing = z.safeParse(answerDocument, value);
  if (!parsing.success) {
    const path = parsing.error.issues[0]?.path ?? [];
    const place = formatPath(path.map((step) => (typeof step === 'symbol' ? String(step) : step)));
    return notAnAnswer(place, 'not the JSON output of `compose` (schema dpcompose.compose/1)');
  }
  const { answer, bounds, query } = parsing.data;
  const { solveFor } = query;
  return {
    answer: {
      solveFor,
      given: query.solveFor === 'epsilon' ? query.delta : query.epsilon,
      ...answer[solveFor],
      exact: answer.exact,
      tight: answer.tight,
      bound: answer.bound,
      rows: bounds.map((bound) =>
        bound.applies
          ? { id: bound.id, name: bound.name, applies: true, upper: bound[solveFor].upper, exact: bound.exact }
          : { id: bound.id, name: bound.name, applies: false, code: bound.code, reason: bound.reason },
      ),
    },
  };
}
