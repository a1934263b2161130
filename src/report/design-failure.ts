import type { DesignCheck, Verdict } from '../composition/design/check-design.ts';
import { ofSubmechanisms } from '../composition/theorems/design.ts';
import { propertyOf, type TaintedVariable, type Violation } from '../composition/design/violation.ts';
import { placeText } from './design-reasons.ts';
import { PROPERTY_NAMES, violationText } from './design-violations.ts';
import { jsonDocument, type Json } from './json-value.ts';
import { grouped, listed, printable } from './prose.ts';
import type { Style } from './style.ts';

/** Why a mechanism that runs others may not have their privacy. */
export const DESIGN_FAILURE = 'design-fails';

const failing = ({ verdicts }: DesignCheck): Verdict[] => verdicts.filter(({ state }) => state === 'fails');

function summary(check: DesignCheck): string {
  const lacking = failing(check).map(({ property }) => PROPERTY_NAMES[property]);
  const open = check.verdicts.filter(({ state }) => state === 'open').map(({ property }) => PROPERTY_NAMES[property]);
  const rest =
    open.length === 0
      ? ''
      : ` Whether it has the ${listed(open)} can only be said once it has the destination property.`;
  return `The mechanism may be less private than its sub-mechanisms, as it does not have the ${listed(lacking)}.${rest}`;
}

/** How many violations are told. */
const MOST = 20;

/** The first violations, and how many more there are. */
function violationsOf(check: DesignCheck): { readonly first: readonly Violation[]; readonly more: number } {
  const all = failing(check).flatMap(({ violations }) => [...violations]);
  return { first: all.slice(0, MOST), more: Math.max(0, all.length - MOST) };
}

/** What is wrong with a design and what would mend it, for a person. */
export function failureText(check: DesignCheck, style: Style): string {
  const { first, more } = violationsOf(check);
  const paragraphs = first.map((violation) => {
    const { message, remedy } = violationText(violation);
    return `${message}\n${style.heading('To mend it:')} ${remedy}`;
  });
  const lines = [
    `${style.error('refused:')} ${summary(check)}`,
    ...paragraphs,
    ...(more === 0 ? [] : [`and ${grouped(more)} more`]),
    `See ${ofSubmechanisms.reference}.`,
  ];
  return `${lines.map((paragraph) => paragraph.split('\n').map(printable).join('\n')).join('\n\n')}\n`;
}

const chainJson = ({ variable, chain }: TaintedVariable): Json => ({
  name: variable,
  chain: chain.map(({ variable: to, from, how, at }) => ({ variable: to, from, how, path: placeText(at) })),
});

function violationJson(violation: Violation): Json {
  const { message, remedy } = violationText(violation);
  const variables = 'variables' in violation ? { variables: violation.variables.map(chainJson) } : {};
  const variable = 'variable' in violation ? { variable: violation.variable } : {};
  const mechanism = 'mechanism' in violation ? { mechanism: violation.mechanism } : {};
  return {
    code: violation.code,
    property: propertyOf(violation),
    path: placeText(violation.at),
    ...mechanism,
    ...variable,
    ...variables,
    message,
    remedy,
  };
}

/** The same as `dpcompose.refusal/1`. */
export function failureJson(check: DesignCheck): string {
  const { first, more } = violationsOf(check);
  return jsonDocument({
    schema: 'dpcompose.refusal/1',
    code: DESIGN_FAILURE,
    message: summary(check),
    reference: ofSubmechanisms.reference,
    lowerBound: null,
    properties: Object.fromEntries(check.verdicts.map(({ property, state }) => [property, state])),
    violations: first.map(violationJson),
    more,
  });
}
