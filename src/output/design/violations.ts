import type { Change } from '../../composition/design/design.ts';
import { isEntry } from '../../composition/core/plan-node.ts';
import {
  moreCreated,
  endingText,
  limitText,
  argumentPlace,
  countKeys,
  descriptionOf,
  mechanismPlaces,
  runOf,
  type DesignedDocument,
  type ViolationText,
} from './fixes.ts';
import type { Unending } from '../../composition/design/difference.ts';
import { statementsOf, those, under } from '../../composition/design/data-flow.ts';
import { propertyOf, type Property, type TaintedVariable, type Violation } from '../../composition/design/violation.ts';
import {
  changeText,
  countText,
  differenceText,
  placeText,
  reachedText,
  unendingText,
} from '../refusal/design-reasons.ts';
import type { ValueOf } from '../kit/codec.ts';
import type { DESIGN_VIOLATION } from '../refusal/refusal.ts';
import type { Explanation, Explanations } from '../kit/message.ts';
import { givenText } from '../kit/number.ts';
import { abridged, grouped, listed } from '../kit/prose.ts';

/** The properties as the paper calls them. */
export const PROPERTY_NAMES: Readonly<Record<Property, string>> = {
  destination: 'destination property',
  response: 'response property',
  'neighbouring-mapping': "f -> f' property",
};

/** `check and d-counter get a message and svt is created`: what is done under a condition. */
function deedsUnder(at: Extract<Violation, { code: 'tainted-condition' }>['at']): string {
  const located = under(at);
  const mechanisms = (does: 'send' | 'create'): string[] => [
    ...new Set(those(located, does).map(({ statement }) => statement.mechanism)),
  ];
  const [sent, created] = [mechanisms('send'), mechanisms('create')];
  return listed([
    ...(sent.length === 0 ? [] : [`${listed(sent)} ${sent.length === 1 ? 'gets' : 'get'} a message`]),
    ...(created.length === 0 ? [] : [`${listed(created)} ${created.length === 1 ? 'is' : 'are'} created`]),
    ...(those(located, 'output').length === 0 ? [] : ['there is an output']),
  ]);
}

const namesText = (variables: readonly TaintedVariable[]): string =>
  abridged(variables.map(({ variable }) => variable));

const LEADS: Readonly<Record<Property, string>> = {
  destination: 'An action depends on the input',
  response: 'The output depends on the input',
  'neighbouring-mapping': 'Messages of neighboring inputs differ by more than the guarantee covers',
};

/** `The output depends on the input (response property), at design.procedure.start[0]:`. */
function leadOf(violation: Violation): string {
  const property = propertyOf(violation);
  const lead =
    violation.code === 'more-created' ? 'More instances are created than the plan accounts for' : LEADS[property];
  return `${lead} (${PROPERTY_NAMES[property]}), at ${placeText(violation.at)}:`;
}

function coveredText(covered: Change): string {
  if (covered === 'any') return 'any difference';
  return covered.isZero() ? 'no difference' : `a difference of at most ${givenText(covered)}`;
}

type Of<Code extends Violation['code']> = Extract<Violation, { code: Code }>;

function largerChange(violation: Of<'larger-change'>, document: DesignedDocument): ViolationText {
  const { mechanism, argument, variable, difference, covered } = violation;
  const by = changeText(difference.change);
  const place = argumentPlace(document, mechanism, argument);
  const message = `${mechanism} is sent ${variable} as its ${argument}, which may differ by ${by} between neighbors (${differenceText(difference)}), but its guarantee covers ${coveredText(covered)}.`;
  if (covered !== 'any' && covered.isZero()) {
    return {
      message,
      remedy: `Send ${argument} from answers of sub-mechanisms and constants only; if the guarantee of ${mechanism} does cover a difference in it, write that as its "change" at ${place}.`,
    };
  }
  return {
    message,
    remedy:
      difference.change === 'any'
        ? limitText(difference, document.design)
        : `Send it something that changes less; or give ${mechanism} a guarantee that covers a difference of ${by}, and write ${by} as the "change" of ${argument} at ${place}. With the same noise, its epsilon is larger in that proportion.`,
  };
}

const because = (unending: Unending | null): string => (unending === null ? '' : ` (${unendingText(unending)})`);

/** An answer to a message with a value, where the design has one. */
function answerTo(term: string, { design }: DesignedDocument): string {
  const sends = those(statementsOf(design), 'send').filter(({ statement }) => statement.values.includes(term));
  const send = sends.find(({ statement }) => statement.answer !== null);
  return send === undefined
    ? ''
    : `: such as ${send.statement.answer ?? ''}, the answer of ${send.statement.mechanism} at ${placeText(send)}`;
}

function decisionRemedy(variables: readonly TaintedVariable[], document: DesignedDocument): string {
  const decide = 'Decide it by the answer of a sub-mechanism: send';
  // The first sum on the ways of the input, and what is added to it.
  const sum = variables.flatMap(({ chain }) => chain).find(({ how }) => how === 'added');
  return sum === undefined
    ? `${decide} ${namesText(variables)} to one, such as a sparse vector test, and put its answer into the condition.`
    : `${decide} the new value ${sum.from} (not the running sum ${sum.variable}) to a continual mechanism that keeps the sum, such as a sparse vector test. Use its answer in the condition in place of ${namesText(variables)}${answerTo(sum.from, document)}.`;
}

function laterDifference(violation: Of<'later-difference'>, document: DesignedDocument): ViolationText {
  const { mechanism, variable, difference } = violation;
  const { node, path, name } = runOf(document, mechanism);
  const isConsistent = !isEntry(node) && node.node === 'parallel' && node.firstPairConsistent;
  const updated = isConsistent
    ? `remove "firstPairConsistent": true at ${name}`
    : `set "kind" to "continual" at ${listed(mechanismPlaces(node, path))}, and list what holds data under "receives" instead of "data" at ${descriptionOf(document, mechanism)}`;
  return {
    message: `${mechanism} is sent ${variable}, which may differ by ${changeText(difference.change)} between neighbors (${differenceText(difference)}). Only the first message to an instance may differ: its data are fixed when it is created.`,
    remedy: `Give ${variable} to the instance when it is created ("data"), or, if its data are updated, ${updated}.`,
  };
}

function capExceeded(violation: Of<'cap-exceeded'>, document: DesignedDocument): ViolationText {
  const { mechanism, created, cap, fits } = violation;
  const { name } = runOf(document, mechanism);
  const many = fits === 0 ? 'none fits' : `only ${grouped(fits)} ${fits === 1 ? 'fits' : 'fit'}`;
  const raise = `"deltaCap" at ${name} to what all that may be created add up to, or give them a smaller delta.`;
  return {
    message: `${countText(created, 'instance')} of ${mechanism} may be created, but ${many} under the "deltaCap" of ${givenText(cap)} at ${name}, and nothing in the procedure stops there.`,
    remedy:
      fits === 0
        ? `Set ${raise}`
        : `Create them under {"if": [...], "then": [...], "atMost": N} so that there are ${grouped(fits)} at most; or set ${raise}`,
  };
}

/** What is said of a violation: of one without its lead, and of all of its kind. */
interface ViolationEntry<V> extends Explanation {
  readonly text: (violation: V, document: DesignedDocument) => ViolationText;
  /** For a value out of range: the value found, and the range covered. */
  readonly limits?: (violation: V) => Limits;
}

type Limits = NonNullable<ValueOf<typeof DESIGN_VIOLATION>['limits']>;

/** Every way in which a design fails. */
const VIOLATIONS: { readonly [C in Violation['code']]: ViolationEntry<Of<C>> } = {
  'tainted-condition': {
    text: ({ at, variables }, document) => ({
      message: `whether ${deedsUnder(at)} is decided by ${reachedText(variables)}. On neighboring inputs the mechanism could act differently, which no composition theorem covers.`,
      remedy: decisionRemedy(variables, document),
    }),
    meaning: 'What is created, sent or output depends on the input through a condition.',
    remedy: 'Decide it by the answer of a sub-mechanism, such as a sparse vector test.',
  },
  'tainted-creation': {
    text: ({ mechanism, variables }) => ({
      message: `${mechanism} is created from ${reachedText(variables)}. What is created, and how it starts, must be the same on neighboring inputs.`,
      remedy: `Create it from answers of sub-mechanisms and constants only, and send it ${namesText(variables)} in a message.`,
    }),
    meaning: 'Which mechanism is created, or how it starts, depends on the input.',
    remedy: 'Create it from constants and from answers of sub-mechanisms only.',
  },
  'tainted-choice': {
    text: ({ mechanism, variables }) => ({
      message: `which instance of ${mechanism} gets the message is decided by ${reachedText(variables)}. On neighboring inputs different instances could get it.`,
      remedy: 'Choose the instance by answers of sub-mechanisms and constants only, or send to every instance.',
    }),
    meaning: 'Which instance gets a message depends on the input.',
    remedy: 'Choose the instance by constants and by answers of sub-mechanisms only.',
  },
  'tainted-output': {
    text: ({ variables }) => ({
      message: `the output includes ${reachedText(variables)}. No private sub-mechanism is in between.`,
      remedy: `Output answers of sub-mechanisms and what is computed from those alone: send ${namesText(variables)} to a sub-mechanism, such as one that adds Laplace noise, and output its answer.`,
    }),
    meaning: 'The output depends on the input directly, and not through the answers of sub-mechanisms.',
    remedy: 'Output answers of sub-mechanisms and constants only.',
  },
  'larger-change': {
    text: largerChange,
    limits: ({ difference, covered }) => ({ found: difference.change, covered }),
    meaning: 'An argument may differ by more between neighbors than the guarantee of the sub-mechanism covers.',
    remedy: 'Send a value that changes less, or use a guarantee that covers the difference.',
  },
  'later-difference': {
    text: laterDifference,
    limits: ({ difference }) => ({ found: difference.change, covered: 0 }),
    meaning: 'Neighbors may differ in a message after the first one, but the guarantee covers the first only.',
    remedy: 'Give the data to the instance when it is created, or declare the mechanism continual.',
  },
  'more-messages': {
    text: ({ mechanism, messages, covered, unending }, document) => {
      const sent = countText(messages, 'message');
      return {
        message: `neighbors may differ in ${sent} to one instance of ${mechanism}${because(unending)}, but its guarantee covers ${countText(covered, 'message')}.`,
        remedy:
          unending === null
            ? `Use a guarantee of ${mechanism} that covers differences in ${sent}, and set "differing" to ${String(messages)} at ${descriptionOf(document, mechanism)}.`
            : endingText(unending, document.design),
      };
    },
    limits: ({ messages, covered }) => ({ found: messages, covered }),
    meaning: 'Neighbors may differ in more messages to one instance than its guarantee covers.',
    remedy: 'Limit in how many messages they may differ, or use a guarantee that covers so many.',
  },
  'more-instances': {
    text: ({ mechanism, instances, sparsity, unending }, document) => {
      const { node, name } = runOf(document, mechanism);
      const key = countKeys(node).differing ?? 'sparsity';
      return {
        message: `neighbors may differ in the messages to ${countText(instances, 'instance')} of ${mechanism}${because(unending)}, but "${key}" is ${grouped(sparsity)} at ${name}.`,
        remedy:
          unending === null
            ? `Set "${key}" to ${String(instances)} at ${name}; the price then covers ${String(instances)}.`
            : endingText(unending, document.design),
      };
    },
    limits: ({ instances, sparsity }) => ({ found: instances, covered: sparsity }),
    meaning: 'Neighbors may differ in the messages to more instances than the plan accounts for.',
    remedy: 'Raise "sparsity" or "differing" in the plan, or send less.',
  },
  'more-created': {
    text: moreCreated,
    limits: ({ created, declared }) => ({ found: created, covered: declared }),
    meaning: 'More instances are created, or more messages sent to mechanisms that answer once, than the plan has.',
    remedy: 'Raise the number in the plan, or limit how many are created.',
  },
  'cap-exceeded': {
    text: capExceeded,
    limits: ({ created, fits }) => ({ found: created, covered: fits }),
    meaning: 'More instances may be created than fit under "deltaCap".',
    remedy: 'Limit how many are created, or raise "deltaCap".',
  },
};

/** A violation and its fix, for someone who has not read the paper. */
export function violationText(violation: Violation, document: DesignedDocument): ViolationText {
  const { message, remedy } = (VIOLATIONS[violation.code] as ViolationEntry<Violation>).text(violation, document);
  return { message: `${leadOf(violation)} ${message}`, remedy };
}

/** The numbers of a violation; null where it is no matter of numbers. */
export const violationLimits = (violation: Violation): Limits | null =>
  (VIOLATIONS[violation.code] as ViolationEntry<Violation>).limits?.(violation) ?? null;

/** What every way is in which a design fails. */
export const violationExplanations = (): Explanations<Violation['code']> => VIOLATIONS;
