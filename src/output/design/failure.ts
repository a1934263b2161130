import type { DesignCheck, Verdict } from '../../composition/design/check-design.ts';
import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { propertyOf, type Violation } from '../../composition/design/violation.ts';
import { placeText } from '../refusal/design-reasons.ts';
import { PROPERTY_NAMES, violationLimits, violationText } from './violations.ts';
import { type Layout, onTerminal, pageText, paragraph, stack, type Block, refused } from '../kit/page.ts';
import type { Explanations } from '../kit/message.ts';
import type { DesignedDocument } from './fixes.ts';
import { documentText, type ValueOf } from '../kit/codec.ts';
import { grouped, ledBy, listed } from '../kit/prose.ts';
import { REFUSAL, type DESIGN_VIOLATION } from '../refusal/refusal.ts';

/** A design without its properties: the mechanism that runs others may not have their privacy. */
export const DESIGN_FAILURE: Explanations<'design-fails'> = {
  'design-fails': {
    meaning:
      'The design does not pass the privacy of the mechanisms that it runs on to the whole: each way in which it fails is told as a violation.',
    remedy: 'Change what the violations name, and run dpcompose design again.',
  },
};

const failing = ({ verdicts }: DesignCheck): Verdict[] => verdicts.filter(({ state }) => state === 'fails');

/** The properties that a design lacks, in a sentence or two. */
export function failureSummary(check: DesignCheck): string {
  const lacking = failing(check).map(({ property }) => PROPERTY_NAMES[property]);
  const open = check.verdicts.filter(({ state }) => state === 'open').map(({ property }) => PROPERTY_NAMES[property]);
  const rest =
    open.length === 0
      ? ''
      : ` Whether it has the ${listed(open)} can only be said once it has the destination property.`;
  return `The mechanism may be less private than its sub-mechanisms, as it does not have the ${listed(lacking)}.${rest}`;
}

/** The most violations that are printed. */
const MOST = 20;

/** The first violations, and how many more there are. */
function violationsOf(check: DesignCheck): { readonly first: readonly Violation[]; readonly more: number } {
  const all = failing(check).flatMap(({ violations }) => [...violations]);
  return { first: all.slice(0, MOST), more: Math.max(0, all.length - MOST) };
}

/** A design, and the mechanisms of its document. */
type Designing = Pick<DesignedDocument, 'design' | 'entries'>;

/** The failure of a design: its violations, each with a fix, for a person. */
export function failureText(check: DesignCheck, document: Designing, layout: Layout): string {
  const { first, more } = violationsOf(check);
  const about = { ...document, exposures: check.exposures };
  const violations = first.map((violation): Block => {
    const { message, remedy } = violationText(violation, about);
    return stack([
      paragraph(message),
      onTerminal(({ style, width }) => ledBy('To fix it:', remedy, style.heading, width)),
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

type ViolationMembers = ValueOf<typeof DESIGN_VIOLATION>;

const violationMembers = (violation: Violation, document: DesignedDocument): ViolationMembers => ({
  code: violation.code,
  property: propertyOf(violation),
  path: placeText(violation.at),
  mechanism: 'mechanism' in violation ? violation.mechanism : null,
  variable: 'variable' in violation ? violation.variable : null,
  variables:
    'variables' in violation ? violation.variables.map(({ variable, chain }) => ({ name: variable, chain })) : null,
  limits: violationLimits(violation),
  ...violationText(violation, document),
});

/** The same as `dpcompose.refusal/1`. */
export function failureJson(check: DesignCheck, document: Designing, version: string): string {
  const about = { ...document, exposures: check.exposures };
  const { first, more } = violationsOf(check);
  return documentText(REFUSAL, {
    version,
    code: 'design-fails',
    message: failureSummary(check),
    reference: ofSubmechanisms.reference,
    lowerBound: null,
    properties: check.verdicts,
    violations: first.map((violation) => violationMembers(violation, about)),
    more,
  });
}
