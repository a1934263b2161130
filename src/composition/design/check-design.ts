import type { Design } from './design.ts';
import { statementsOf, actsUnder, ownTaint, those, fullTaint, type Located, type Taint } from './data-flow.ts';
import type { TaintedVariable, Violation, Property } from './violation.ts';
import { isEntry, type PlanNode } from '../core/plan-node.ts';
import { mappingFindings, type Exposure } from './neighbouring-mapping.ts';
import { partOf, toDescribe, type Part } from './part.ts';
import type { Query } from '../../privacy/curve.ts';
import type { ComposeOptions } from '../entries/compose-entries.ts';
import type { Problem } from '../compose/compose.ts';
import type { Refusal } from '../core/outcome.ts';
import { pricePlan, type PricedPlan } from '../plan/price-plan.ts';
import { USUAL_SETTING } from '../core/setting.ts';
import { ofSubmechanisms } from '../theorems/design.ts';

/** The tainted ones of some variables, each once. */
const taintedOf = (variables: readonly string[], taint: Taint): TaintedVariable[] =>
  [...new Set(variables)].flatMap((variable) => {
    const chain = taint.get(variable);
    return chain === undefined ? [] : [{ variable, chain }];
  });

function violationAt(at: Located, taint: Taint): Violation | null {
  const { statement } = at;
  switch (statement.does) {
    case 'if': {
      const condition = { ...at, statement };
      const variables = taintedOf(statement.on, taint);
      if (variables.length === 0 || !actsUnder(condition)) return null;
      return { code: 'tainted-condition', at: condition, variables };
    }
    case 'create': {
      const variables = taintedOf(statement.from, taint);
      return variables.length === 0
        ? null
        : { code: 'tainted-creation', at, mechanism: statement.mechanism, variables };
    }
    case 'send': {
      const variables = taintedOf(statement.which, taint);
      return variables.length === 0 ? null : { code: 'tainted-choice', at, mechanism: statement.mechanism, variables };
    }
    case 'set':
    case 'add':
    case 'output':
      return null;
  }
}

/**
 * Where a design fails the destination property: whether it outputs, creates or sends, what it creates, and which
 * instance it sends to must be decided by untainted variables alone. What follows only from another such decision is
 * not reported again.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 6.3, property (1).
 */
function destinationViolations(design: Design): Violation[] {
  const taint = ownTaint(design);
  return statementsOf(design).flatMap((at) => violationAt(at, taint) ?? []);
}

/** Outputs of a design that depend on its input. */
interface ResponseFindings {
  readonly violations: readonly Violation[];
  /** Outputs that depend on the input only through a decision that fails the destination property. */
  readonly pending: readonly TaintedVariable[];
}

/**
 * Where a design fails the response property: outputs must be determined by untainted variables alone.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 6.3, property (2).
 */
function responseFindings(design: Design): ResponseFindings {
  const outputs = those(statementsOf(design), 'output');
  const violations = (taint: Taint): Extract<Violation, { code: 'tainted-output' }>[] =>
    outputs.flatMap((at) => {
      const variables = taintedOf(at.statement.values, taint);
      return variables.length === 0 ? [] : [{ code: 'tainted-output', at, variables }];
    });
  const own = violations(ownTaint(design));
  const ownVariables = new Set(own.flatMap(({ variables }) => variables.map(({ variable }) => variable)));
  const all = violations(fullTaint(design)).flatMap(({ variables }) => variables);
  return { violations: own, pending: all.filter(({ variable }) => !ownVariables.has(variable)) };
}

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

/** A mechanism that runs others, and those. */
export interface DesignProblem extends Problem {
  readonly design: Design;
}

/** The cost of a design; or why it may be less private than its sub-mechanisms; or why those have no guarantee together. */
export type DesignOutcome = { readonly check: DesignCheck } &
  /** The tree begins with the theorem that leads from the sub-mechanisms to the mechanism. */
  (
    | { readonly kind: 'priced'; readonly plan: PricedPlan }
    | { readonly kind: 'fails' }
    | { readonly kind: 'refusal'; readonly refusal: Refusal }
  );

/**
 * The cost of a mechanism that runs others, which is the cost of those together as long as it has the destination, the response
 * and the f -> f' property.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 6.1 and Corollary 6.6.
 */
export function composeDesign(problem: DesignProblem, query: Query, options: ComposeOptions = {}): DesignOutcome {
  const { entries: nodes, adaptivity, order = 'any', setting = USUAL_SETTING, design } = problem;
  const check = checkDesign(design, nodes);
  if (!isPrivate(check)) return { kind: 'fails', check };
  if (adaptivity === 'parameters') {
    const code = nodes.every(isEntry) ? 'adaptive-parameters' : 'adaptive-parameters-in-parallel';
    return { kind: 'refusal', refusal: { code }, check };
  }
  const plan = pricePlan({ nodes, adaptivity, order, setting }, query, options);
  if (plan.kind === 'refusal') return { ...plan, check };
  const { answer, tree } = plan;
  const found = { ...tree.found, theorems: [ofSubmechanisms, ...tree.found.theorems] };
  return { kind: 'priced', plan: { answer, tree: { ...tree, found } }, check };
}
