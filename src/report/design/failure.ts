import type { DesignCheck, Verdict } from '../../composition/design/check-design.ts';
import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { propertyOf, type TaintedVariable, type Violation } from '../../composition/design/violation.ts';
import { placeText } from '../refusal/design-reasons.ts';
import { PROPERTY_NAMES, violationText } from './violations.ts';
import type { Layout } from '../kit/columns.ts';
import type { DesignedDocument } from './designed-document.ts';
import { jsonDocument, jsonForm, type Json } from '../kit/json-value.ts';
import { onTerminal, pageText, paragraph, stack, type Block } from '../kit/page.ts';
import { grouped, ledBy, listed } from '../kit/prose.ts';
import { refused } from '../refusal/refusal-page.ts';

/** Why a mechanism that runs others may not have their privacy. */
export const DESIGN_FAILURE = 'design-fails';

const failing = ({ verdicts }: DesignCheck): Verdict[] => verdicts.filter(({ state }) => state === 'fails');

/** What a design lacks, in a sentence or two. */
export function failureSummary(check: DesignCheck): string {
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

/** A design, and the mechanisms of its document. */
type Designing = Pick<DesignedDocument, 'design' | 'entries'>;

/** The failure of a design: what is wrong, and what would mend it, for a person. */
export function failureText(check: DesignCheck, document: Designing, layout: Layout): string {
  const { first, more } = violationsOf(check);
  const about = { ...document, exposures: check.exposures };
  const violations = first.map((violation): Block => {
    const { message, remedy } = violationText(violation, about);
    return stack([
      paragraph(message),
      onTerminal(({ style, width }) => ledBy('To mend it:', remedy, style.heading, width)),
    ]);
  });
  return pageText(
    [
      refused(failureSummary(check)),
      ...violations,
      paragraph(more === 0 ? null : `and ${grouped(more)} more`),
      paragraph(`See ${ofSubmechanisms.reference}.`),
    ],
    layout,
  );
}

const chainJson = ({ variable, chain }: TaintedVariable): Json => ({
  name: variable,
  chain: chain.map(({ variable: to, from, how, at }) => ({ variable: to, from, how, path: placeText(at) })),
});

/** The numbers of a violation: what was found, and what is covered. */
function limitsOf(violation: Violation): Readonly<Record<string, Json>> {
  const limits = (found: Json, covered: Json): Readonly<Record<string, Json>> => ({ limits: { found, covered } });
  switch (violation.code) {
    case 'larger-change':
      return limits(jsonForm(violation.difference.change), jsonForm(violation.covered));
    case 'later-difference':
      return limits(jsonForm(violation.difference.change), 0);
    case 'more-messages':
      return limits(violation.messages, violation.covered);
    case 'more-instances':
      return limits(violation.instances, violation.sparsity);
    case 'more-created':
      return limits(violation.created, violation.declared);
    case 'cap-exceeded':
      return limits(violation.created, violation.fits);
    case 'tainted-condition':
    case 'tainted-creation':
    case 'tainted-choice':
    case 'tainted-output':
      return {};
  }
}

function violationJson(violation: Violation, document: DesignedDocument): Json {
  const { message, remedy } = violationText(violation, document);
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
    ...limitsOf(violation),
    message,
    remedy,
  };
}

/** The same as `dpcompose.refusal/1`. */
export function failureJson(check: DesignCheck, document: Designing, version: string): string {
  const about = { ...document, exposures: check.exposures };
  const { first, more } = violationsOf(check);
  return jsonDocument({
    schema: 'dpcompose.refusal/1',
    version,
    code: DESIGN_FAILURE,
    message: failureSummary(check),
    reference: ofSubmechanisms.reference,
    lowerBound: null,
    properties: Object.fromEntries(check.verdicts.map(({ property, state }) => [property, state])),
    violations: first.map((violation) => violationJson(violation, about)),
    more,
  });
}
