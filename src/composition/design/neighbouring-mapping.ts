import {
  moreThan,
  together,
  fewer,
  isBeyond,
  larger,
  NO_CHANGE,
  type Argument,
  type Submechanism,
  type Times,
  type Change,
  type Design,
} from './design.ts';
import { runsOf, Differences, type Difference, type Occurrences } from './difference.ts';
import type { Part } from './part.ts';
import { those, statementsOf, type Located } from './data-flow.ts';
import type { Violation } from './violation.ts';

/** One value of a message, and how neighbours may differ in it. */
interface Value {
  readonly variable: string;
  readonly argument: Argument;
  readonly difference: Difference | null;
}

/** A statement that gives a sub-mechanism messages. */
interface Delivery {
  readonly at: Located;
  readonly values: readonly Value[];
  /** Nothing in them may differ: they are not the first messages, and only those may. */
  readonly fixed: boolean;
  /** In how many of them neighbours may differ. */
  readonly occurrences: Occurrences;
}

/** All that a sub-mechanism gets. */
interface Traffic {
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
function trafficOf(
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

/** How neighbouring inputs may differ in what a sub-mechanism gets. */
export interface Exposure {
  readonly mechanism: string;
  readonly kind: Part['kind'];
  /** How many instances there may be. */
  readonly created: Times;
  /** In how many messages neighbours may differ. */
  readonly messages: Times;
  /** To how many instances. */
  readonly instances: Times;
  /** By how much in each argument, and how much the guarantee covers. */
  readonly arguments: readonly { readonly name: string; readonly change: Change; readonly covered: Change }[];
}

/** The differences that neighbours may cause, and where they are more than the sub-mechanisms and their composition cover. */
interface MappingFindings {
  readonly exposures: readonly Exposure[];
  readonly violations: readonly Violation[];
}

function exposureOf({ mechanism, data, receives }: Submechanism, part: Part, traffic: Traffic): Exposure {
  const { created, messages, deliveries } = traffic;
  const values = deliveries.flatMap((delivery) => delivery.values);
  return {
    mechanism,
    kind: part.kind,
    created,
    messages,
    instances: fewer(messages, fewer(created, part.instances)),
    arguments: [...data, ...receives].map((argument) => ({
      name: argument.name,
      change: values
        .filter((value) => value.argument === argument)
        .reduce<Change>((max, { difference }) => larger(max, difference?.change ?? NO_CHANGE), NO_CHANGE),
      covered: argument.change,
    })),
  };
}

/** Values of a message in which neighbours may differ by more than is covered, or at all where nothing is. */
function valueViolations({ at, values, fixed }: Delivery, mechanism: string): Violation[] {
  return values.flatMap(({ variable, argument: { name, change: covered }, difference }): Violation[] => {
    if (difference === null) return [];
    if (fixed) return [{ code: 'later-difference', at, mechanism, variable, difference }];
    return isBeyond(difference.change, covered)
      ? [{ code: 'larger-change', at, mechanism, argument: name, variable, difference, covered }]
      : [];
  });
}

function creationViolations({ making, created }: Traffic, part: Part): Violation[] {
  const [at] = making;
  if (at === undefined) return [];
  const { label: mechanism, instances, cap } = part;
  const beyond: Violation[] =
    instances !== 'unbounded' && moreThan(created, instances)
      ? [{ code: 'more-created', at, mechanism, created, declared: instances }]
      : [];
  // In a design it is the procedure that creates, so nobody else keeps to the cap.
  return cap !== null && moreThan(created, cap.fits)
    ? [...beyond, { code: 'cap-exceeded', at, mechanism, created, cap: cap.delta, fits: cap.fits }]
    : beyond;
}

/** More messages to one instance, or more instances, in which neighbours may differ than are covered. */
function countViolations(
  { differing }: Submechanism,
  part: Part,
  { deliveries, messages }: Traffic,
  { instances }: Exposure,
): Violation[] {
  const [first, ...others] = deliveries;
  if (first === undefined) return [];
  const worst = others.reduce((a, b) => (moreThan(b.occurrences.times, a.occurrences.times) ? b : a), first);
  const { unending } = worst.occurrences;
  const common = { at: worst.at, mechanism: part.label, unending };
  // An instance that answers once gets one message; of an interactive one, only the first may differ at all.
  const toOne = part.kind === 'continual' && !part.firstPairConsistent ? messages : fewer(messages, 1);
  const again = moreThan(toOne, differing);
  // What has no end for one instance has none for all of them, for the same reason.
  const sparse = (again && unending !== null) || part.sparsity === 'unbounded' || !moreThan(instances, part.sparsity);
  return [
    ...(again ? [{ code: 'more-messages', ...common, messages: toOne, covered: differing } as const] : []),
    ...(sparse ? [] : [{ code: 'more-instances', ...common, instances, sparsity: part.sparsity } as const]),
  ];
}

function violationsOf(submechanism: Submechanism, part: Part, traffic: Traffic, exposure: Exposure): Violation[] {
  const values = traffic.deliveries.flatMap((delivery) => valueViolations(delivery, part.label));
  // Where later messages differ that must not, there is nothing to count.
  const counts = values.some(({ code }) => code === 'later-difference')
    ? []
    : countViolations(submechanism, part, traffic, exposure);
  return [...values, ...creationViolations(traffic, part), ...counts];
}

/**
 * How neighbouring inputs may differ in what the sub-mechanisms get, untainted variables being the same: the messages to
 * each must be neighbouring by its own guarantee, and the data of no more of them may differ than the plan composes
 * (the f -> f' property, f' being the verification function of the plan). Holds where the destination property holds;
 * errs to the side of a violation.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 6.3, property (3); the way to it is derived: see {@link Differences}.
 *
 * @param parts - the parts of the plan, by the label that sub-mechanisms go by
 */
export function mappingFindings(design: Design, parts: ReadonlyMap<string, Part>): MappingFindings {
  const statements = statementsOf(design);
  const differences = new Differences(design);
  const diagnostics = design.submechanisms.flatMap((submechanism) => {
    const part = parts.get(submechanism.mechanism);
    if (part === undefined) return [];
    const traffic = trafficOf(submechanism, part, statements, differences);
    const exposure = exposureOf(submechanism, part, traffic);
    return [{ exposure, violations: violationsOf(submechanism, part, traffic, exposure) }];
  });
  return {
    exposures: diagnostics.map(({ exposure }) => exposure),
    violations: diagnostics.flatMap(({ violations }) => violations),
  };
}
