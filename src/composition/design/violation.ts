import type { Decimal } from '../../numeric/decimal.ts';
import type { Change, Times } from './design.ts';
import type { Difference, Unending } from './difference.ts';
import type { Condition, Located, Chain } from './data-flow.ts';

/** The properties of a mechanism that pass the privacy of its sub-mechanisms on to it. */
export const PROPERTIES = ['destination', 'response', 'neighbouring-mapping'] as const;

export type Property = (typeof PROPERTIES)[number];

/** A variable that the input reaches, and how. */
export interface TaintedVariable {
  readonly variable: string;
  readonly chain: Chain;
}

/** One way in which a design fails a property. */
export type Violation =
  /** Creations, messages or outputs depend on the input through a condition. */
  | {
      readonly code: 'tainted-condition';
      readonly at: Located<Condition>;
      readonly variables: readonly TaintedVariable[];
    }
  /** Which mechanism is created, or how it starts, depends on the input. */
  | {
      readonly code: 'tainted-creation';
      readonly at: Located;
      readonly mechanism: string;
      readonly variables: readonly TaintedVariable[];
    }
  /** Which instance gets a message depends on the input. */
  | {
      readonly code: 'tainted-choice';
      readonly at: Located;
      readonly mechanism: string;
      readonly variables: readonly TaintedVariable[];
    }
  | { readonly code: 'tainted-output'; readonly at: Located; readonly variables: readonly TaintedVariable[] }
  /** An argument may differ by more between neighbors than the guarantee of the sub-mechanism covers. */
  | {
      readonly code: 'larger-change';
      readonly at: Located;
      readonly mechanism: string;
      readonly argument: string;
      readonly variable: string;
      readonly difference: Difference;
      readonly covered: Change;
    }
  /** Neighbors may differ in a message after the first one, but the guarantee covers the first only. */
  | {
      readonly code: 'later-difference';
      readonly at: Located;
      readonly mechanism: string;
      readonly variable: string;
      readonly difference: Difference;
    }
  /** Neighbors may differ in more messages to one instance than its guarantee covers. */
  | {
      readonly code: 'more-messages';
      readonly at: Located;
      readonly mechanism: string;
      readonly messages: Times;
      readonly covered: number;
      readonly unending: Unending | null;
    }
  /** Neighbours may differ in what more instances get than the plan allows. */
  | {
      readonly code: 'more-instances';
      readonly at: Located;
      readonly mechanism: string;
      readonly instances: Times;
      readonly sparsity: number;
      readonly unending: Unending | null;
    }
  /** More instances are created, or more messages sent to mechanisms that answer once, than the plan has. */
  | {
      readonly code: 'more-created';
      readonly at: Located;
      readonly mechanism: string;
      readonly created: Times;
      readonly declared: number;
    }
  /** More instances may be created than fit under the cap on delta that the price rests on. */
  | {
      readonly code: 'cap-exceeded';
      readonly at: Located;
      readonly mechanism: string;
      readonly created: Times;
      readonly cap: Decimal;
      readonly fits: number;
    };

const PROPERTY_OF: Readonly<Record<Violation['code'], Property>> = {
  'tainted-condition': 'destination',
  'tainted-creation': 'destination',
  'tainted-choice': 'destination',
  'tainted-output': 'response',
  'larger-change': 'neighbouring-mapping',
  'later-difference': 'neighbouring-mapping',
  'more-messages': 'neighbouring-mapping',
  'more-instances': 'neighbouring-mapping',
  'more-created': 'neighbouring-mapping',
  'cap-exceeded': 'neighbouring-mapping',
};

/** The property that a violation breaks. */
export const propertyOf = ({ code }: Violation): Property => PROPERTY_OF[code];
