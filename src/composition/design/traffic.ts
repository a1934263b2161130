import { moreThan, together } from './change.ts';
import type { Argument, Submechanism, Times } from './design.ts';
import { runsOf, type Difference, type Differences, type Occurrences } from './difference.ts';
import type { Part } from './part.ts';
import { those, type Located } from './statements.ts';

/** One value of a message, and how neighbours may differ in it. */
export interface Value {
  readonly variable: string;
  readonly argument: Argument;
  readonly difference: Difference | null;
}

/** A statement that gives a sub-mechanism messages. */
export interface Delivery {
  readonly at: Located;
  readonly values: readonly Value[];
  /** Nothing in them may differ: they are not the first messages, and only those may. */
  readonly fixed: boolean;
  /** In how many of them neighbours may differ. */
  readonly occurrences: Occurrences;
}

/** All that a sub-mechanism gets. */
export interface Traffic {
  /** The statements that make instances: creations, or messages where each is an instance of its own; most first. */
  readonly making: readonly Located[];
  /** How many instances they can make. */
  readonly created: Times;
  readonly deliveries: readonly Delivery[];
  /** In how many messages neighbours may differ, in all. */
  readonly messages: Times;
}

function delivery(
  at: Located,
  variables: readonly string[],
  takes: readonly Argument[],
  fixed: boolean,
  differences: Differences,
): Delivery {
  const values = variables.flatMap((variable, index): Value[] => {
    const argument = takes[index];
    return argument === undefined ? [] : [{ variable, argument, difference: differences.at(variable, at) }];
  });
  const occurrences = differences.occurrences(
    values.map(({ difference }) => difference),
    at,
  );
  return { at, values, fixed, occurrences };
}

/** Those that are run more often come first. */
const byRuns = (a: Located, b: Located): number =>
  moreThan(runsOf(b), runsOf(a)) ? 1 : moreThan(runsOf(a), runsOf(b)) ? -1 : 0;

/** The messages that a design gives one of its sub-mechanisms. */
export function trafficOf(
  { mechanism, data, receives }: Submechanism,
  { kind, firstPairConsistent }: Part,
  statements: readonly Located[],
  differences: Differences,
): Traffic {
  const creations = those(statements, 'create').filter(({ statement }) => statement.mechanism === mechanism);
  const sends = those(statements, 'send').filter(({ statement }) => statement.mechanism === mechanism);
  const deliveries = [
    ...creations.map((at) => delivery(at, at.statement.data, data, false, differences)),
    ...sends.map((at) => delivery(at, at.statement.values, receives, firstPairConsistent, differences)),
  ];
  const making: Located[] = kind === 'noninteractive' ? sends : creations;
  return {
    making: making.toSorted(byRuns),
    created: together(making.map(runsOf)),
    deliveries,
    messages: together(deliveries.map(({ occurrences }) => occurrences.times)),
  };
}
