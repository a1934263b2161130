import type { Answers } from '../../lazy/run/run-state.ts';
import { each } from '../../lazy/run/answers.ts';
import { described, identity, object, orNull, published } from '../kit/codec.ts';
import { COUNT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { jsonLine } from '../kit/json-value.ts';
import { printable } from '../kit/prose.ts';

/** A line of `lazy run`. */
export const LAZY_ANSWER = published(
  'lazy-answer',
  'The expert of the next round, as lazy run --json prints it in one line for each round of losses.',
  object({
    ...identity('lazy-answer'),
    round: described('the round in which the expert is played, from 1', COUNT),
    expert: described('from 1; null when the run is over', orNull(COUNT)),
    name: TEXT_OR_NULL,
  }),
);

type Names = readonly string[] | null;

/** Answers as lines of JSON. */
export function* answerJson(answers: Answers, names: Names, version: string): Generator<string> {
  for (const { round, expert } of each(answers)) {
    const [number, name] = expert === null ? [null, null] : [expert + 1, names?.[expert] ?? null];
    yield `${jsonLine(LAZY_ANSWER.encode({ version, round, expert: number, name }))}\n`;
  }
}

/** The name of an expert, or its number from 1; a hyphen when the run is over. */
export const expertText = (expert: number | null, names: Names): string =>
  expert === null ? '-' : printable(names?.[expert] ?? String(expert + 1));

/** Answers as lines with nothing but the expert. */
export function* answerText(answers: Answers, names: Names): Generator<string> {
  for (const { expert } of each(answers)) yield `${expertText(expert, names)}\n`;
}
