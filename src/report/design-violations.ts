import type { Unending } from '../composition/design/difference.ts';
import { those, under, type Located } from '../composition/design/statements.ts';
import { propertyOf, type Property, type TaintedVariable, type Violation } from '../composition/design/violation.ts';
import {
  changeText,
  countText,
  differenceText,
  endingText,
  limitText,
  placeText,
  reachedText,
  unendingText,
} from './design-reasons.ts';
import { givenText } from './number.ts';
import { abridged, grouped, listed } from './prose.ts';

/** The properties as the paper calls them. */
export const PROPERTY_NAMES: Readonly<Record<Property, string>> = {
  destination: 'destination property',
  response: 'response property',
  'neighbouring-mapping': "f -> f' property",
};

/** A violation in words: where it is and what is wrong, and what would mend it. */
export interface ViolationText {
  readonly message: string;
  readonly remedy: string;
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** `check and d-counter get a message and svt is created`: what is done under a condition. */
function deedsUnder(at: Extract<Violation, { code: 'tainted-condition' }>['at']): string {
  const located = under(at);
  const sent = distinct(those(located, 'send').map(({ statement }) => statement.mechanism));
  const created = distinct(those(located, 'create').map(({ statement }) => statement.mechanism));
  return listed([
    ...(sent.length === 0 ? [] : [`${listed(sent)} ${sent.length === 1 ? 'gets' : 'get'} a message`]),
    ...(created.length === 0 ? [] : [`${listed(created)} ${created.length === 1 ? 'is' : 'are'} created`]),
    ...(those(located, 'output').length === 0 ? [] : ['there is an output']),
  ]);
}

const named = (variables: readonly TaintedVariable[]): string => abridged(variables.map(({ variable }) => variable));

const failsAt = (violation: Violation, at: Located): string =>
  `The ${PROPERTY_NAMES[propertyOf(violation)]} fails at ${placeText(at)}:`;

function largerChange(violation: Extract<Violation, { code: 'larger-change' }>): ViolationText {
  const { at, mechanism, argument, variable, difference, covered } = violation;
  const same = covered !== 'any' && covered.isZero();
  const guarantee = same ? 'none' : covered === 'any' ? 'any' : `one of at most ${givenText(covered)}`;
  const by = changeText(difference.change);
  return {
    message: `${failsAt(violation, at)} ${mechanism} is sent ${variable} as its ${argument}, in which neighbours may differ by ${by} (${differenceText(difference)}), but its guarantee covers ${guarantee}.`,
    remedy: same
      ? `Send ${argument} from answers of sub-mechanisms and constants only; if the guarantee of ${mechanism} does cover a difference in it, write that as its "change".`
      : difference.change === 'any'
        ? limitText(difference)
        : `Send it something that changes less, or give ${mechanism} a guarantee that covers a difference of ${by} (with the same noise, its epsilon is larger in that proportion) and write ${by} as the "change" of ${argument}.`,
  };
}

/** A remedy, behind that which would end a difference where it has no end. */
const ended = (unending: Unending | null, otherwise: string): string =>
  unending === null ? otherwise : endingText(unending);

const because = (unending: Unending | null): string => (unending === null ? '' : ` (${unendingText(unending)})`);

/** What is wrong, and what would mend it, for someone who has not read the paper. */
export function violationText(violation: Violation): ViolationText {
  switch (violation.code) {
    case 'tainted-condition': {
      const { at, variables } = violation;
      return {
        message: `${failsAt(violation, at)} whether ${deedsUnder(at)} is decided by ${reachedText(variables)}. On neighbouring inputs the mechanism could do different things there, which no composition theorem covers.`,
        remedy: `Decide it by the answer of a sub-mechanism: send ${named(variables)} to one, such as a sparse vector test, and put its answer into the condition.`,
      };
    }
    case 'tainted-creation': {
      const { at, mechanism, variables } = violation;
      return {
        message: `${failsAt(violation, at)} ${mechanism} is created from ${reachedText(variables)}. What is created, and how it starts, must be the same on neighbouring inputs.`,
        remedy: `Create it from answers of sub-mechanisms and constants only, and send it ${named(variables)} in a message.`,
      };
    }
    case 'tainted-choice': {
      const { at, mechanism, variables } = violation;
      return {
        message: `${failsAt(violation, at)} which instance of ${mechanism} gets the message is decided by ${reachedText(variables)}. On neighbouring inputs different instances could get it.`,
        remedy: `Choose the instance by answers of sub-mechanisms and constants only, or send to every instance.`,
      };
    }
    case 'tainted-output': {
      const { at, variables } = violation;
      return {
        message: `${failsAt(violation, at)} the output includes ${reachedText(variables)}. No private sub-mechanism stands in between.`,
        remedy: `Output answers of sub-mechanisms and what is computed from those alone: send ${named(variables)} to a sub-mechanism, such as one that adds Laplace noise, and output its answer.`,
      };
    }
    case 'larger-change':
      return largerChange(violation);
    case 'later-difference': {
      const { at, mechanism, variable, difference } = violation;
      return {
        message: `${failsAt(violation, at)} ${mechanism} is sent ${variable}, in which neighbours may differ by ${changeText(difference.change)} (${differenceText(difference)}), but only in the first message to an instance may they differ: its data are fixed when it is created.`,
        remedy: `Give ${variable} to the instance when it is created ("data"), or, if its data are updated, use a continual mechanism ("kind": "continual").`,
      };
    }
    case 'more-messages': {
      const { at, mechanism, messages, covered, unending } = violation;
      return {
        message: `${failsAt(violation, at)} neighbours may differ in ${countText(messages, 'message')} to one instance of ${mechanism}${because(unending)}, but its guarantee covers ${countText(covered, 'message')}.`,
        remedy: ended(
          unending,
          `Use a guarantee of ${mechanism} that covers differences in that many messages, and write how many as its "differing".`,
        ),
      };
    }
    case 'more-instances': {
      const { at, mechanism, instances, sparsity, unending } = violation;
      return {
        message: `${failsAt(violation, at)} neighbours may differ in what ${countText(instances, 'instance')} of ${mechanism} ${instances === 1 ? 'gets' : 'get'}${because(unending)}, but the plan pays for ${grouped(sparsity)}.`,
        remedy: ended(
          unending,
          `Write ${countText(instances, 'instance').replace(/ .*/, '')} as the "sparsity" of ${mechanism}, and pay for that many.`,
        ),
      };
    }
    case 'more-created': {
      const { at, mechanism, created, declared } = violation;
      return {
        message: `${failsAt(violation, at)} ${countText(created, 'instance')} of ${mechanism} may be created, but the plan has ${grouped(declared)}.`,
        remedy: `Limit how often that happens ("atMost" of the condition it stands under), or write how many there can be in the plan.`,
      };
    }
    case 'cap-exceeded': {
      const { at, mechanism, created, cap, fits } = violation;
      return {
        message: `${failsAt(violation, at)} ${countText(created, 'instance')} of ${mechanism} may be created, but ${fits === 0 ? 'none fits' : `only ${grouped(fits)} ${fits === 1 ? 'fits' : 'fit'}`} under its "deltaCap" of ${givenText(cap)}, and nothing in the procedure stops there.`,
        remedy: `Create them under a condition with "atMost"${fits === 0 ? '' : ` so that there are ${grouped(fits)} at most`}, raise "deltaCap" to what that many add up to, or use instances with a smaller delta.`,
      };
    }
  }
}
