import type { PlanNode } from '../core/plan-node.ts';
import type { Design } from './design.ts';
import { destinationViolations } from './destination-property.ts';
import { mappingFindings, type Exposure } from './neighbouring-mapping.ts';
import { partOf, toDescribe, type Part } from './part.ts';
import { responseFindings } from './response-property.ts';
import { statementsOf } from './statements.ts';
import { fullTaint, type Taint } from './taint.ts';
import type { Property, TaintedVariable, Violation } from './violation.ts';

/** The state of one property; open: it is known only once the destination property holds. */
export interface Verdict {
  readonly property: Property;
  readonly state: 'holds' | 'fails' | 'open';
  readonly violations: readonly Violation[];
  /** Of an open response property: outputs that depend on decisions of the input. */
  readonly pending: readonly TaintedVariable[];
}

/** The result of checking a design. */
export interface DesignCheck {
  /** In the order of {@link PROPERTIES}. */
  readonly verdicts: readonly Verdict[];
  readonly taint: Taint;
  readonly exposures: readonly Exposure[];
}

function verdict(
  property: Property,
  violations: readonly Violation[],
  open: boolean,
  pending: readonly TaintedVariable[] = [],
): Verdict {
  const state = violations.length > 0 ? 'fails' : open ? 'open' : 'holds';
  return { property, state, violations, pending };
}

/** The parts of a plan that a design describes, by their labels. */
function partsByLabel({ submechanisms }: Design, nodes: readonly PlanNode[]): Map<string, Part> {
  const named = new Set(submechanisms.map(({ mechanism }) => mechanism));
  return new Map(
    toDescribe(nodes, named).flatMap(({ node }): [string, Part][] => {
      const part = partOf(node);
      return part === null ? [] : [[part.label, part]];
    }),
  );
}

/** The labels of all that a design creates or sends to. */
const usedBy = (design: Design): string[] =>
  statementsOf(design).flatMap(({ statement }) => ('mechanism' in statement ? [statement.mechanism] : []));

/**
 * Whether a described mechanism has the destination, the response and the f -> f' property, so that it has every
 * guarantee that the concurrent composition of its sub-mechanisms has: no privacy is lost beyond theirs.
 *
 * Errs to the side of a failure. What the description leaves out is not seen: every statement that reads the input must
 * be in it.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 6.1 and Corollary 6.6.
 *
 * @throws RangeError where the design uses what it does not describe, or what is no part of the plan
 */
export function checkDesign(design: Design, nodes: readonly PlanNode[]): DesignCheck {
  const parts = partsByLabel(design, nodes);
  const described = new Set(design.submechanisms.map(({ mechanism }) => mechanism));
  const stranger = [...usedBy(design), ...described].find((label) => !described.has(label) || !parts.has(label));
  if (stranger !== undefined) {
    throw new RangeError(`The design uses "${stranger}", which it does not describe or which is no part of the plan.`);
  }
  const destination = destinationViolations(design);
  const response = responseFindings(design);
  const mapping = mappingFindings(design, parts);
  const decided = destination.length > 0;
  return {
    verdicts: [
      verdict('destination', destination, false),
      verdict('response', response.violations, response.pending.length > 0, response.pending),
      verdict('neighbouring-mapping', mapping.violations, decided),
    ],
    taint: fullTaint(design),
    exposures: mapping.exposures,
  };
}

/** Whether all properties hold. */
export const isPrivate = ({ verdicts }: DesignCheck): boolean => verdicts.every(({ state }) => state === 'holds');
