import { groupBy } from '../core/collections.ts';
import { definitionsIn } from './definitions.ts';
import type { Design, Statement } from './design.ts';
import { statementsOf, type Condition, type Located } from './statements.ts';

/** One step of the way on which the input reaches a variable. */
export interface Link {
  readonly variable: string;
  readonly from: string;
  /** decided: whether the variable is set depends on `from`. */
  readonly how: 'computed' | 'added' | 'decided';
  readonly at: Located;
}

/** How the input reaches a variable, from the variable down to the input; empty for the input itself. */
export type Chain = readonly Link[];

/** The tainted variables, each with a shortest chain down to an input; what is not in it is untainted. */
export type Taint = ReadonlyMap<string, Chain>;

const acting = new WeakMap<Statement, boolean>();

function acts(statement: Statement): boolean {
  if (statement.does !== 'if') return ['create', 'send', 'output'].includes(statement.does);
  const known = acting.get(statement);
  if (known !== undefined) return known;
  const some = statement.then.some(acts);
  acting.set(statement, some);
  return some;
}

/** Whether a condition decides on more than the values of variables: on what is created, sent or output. */
export const actsUnder = ({ statement }: Located<Condition>): boolean => acts(statement);

interface TaintOptions {
  /** Whether a condition taints the variables that are set under it. */
  readonly counts: (condition: Located<Condition>) => boolean;
}

/** Every way in which one variable can reach another. */
function linksOf(design: Design, { counts }: TaintOptions): Link[] {
  return definitionsIn(statementsOf(design)).flatMap(({ variable, how, from, at }) => [
    ...(how === 'answered' ? [] : from.map((source): Link => ({ variable, from: source, how, at }))),
    ...at.under
      .filter(counts)
      .flatMap(({ statement }) => statement.on.map((source): Link => ({ variable, from: source, how: 'decided', at }))),
  ]);
}

/**
 * The tainted variables of a design: the inputs, and what is computed from a tainted variable or set under a condition
 * on one. Constants and answers of sub-mechanisms are untainted, and so is what is computed from those alone. A variable
 * is tainted as a whole, by any of its definitions; those may run in circles.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 6.3. That conditions taint is derived: the pseudocode
 * "if u: v <- 1" computes v from u and from v.
 */
export function taintOf(design: Design, options: TaintOptions): Taint {
  const reachable = groupBy(linksOf(design, options), ({ from }) => from);
  const taint = new Map<string, Chain>(design.inputs.map(({ name }) => [name, []]));
  // Breadth first, so that the first chain that reaches a variable is a shortest one. A map may grow while it is read.
  for (const [source, chain] of taint) {
    for (const link of reachable.get(source) ?? []) {
      if (!taint.has(link.variable)) taint.set(link.variable, [link, ...chain]);
    }
  }
  return taint;
}

/** Taint by all conditions. */
export const fullTaint = (design: Design): Taint => taintOf(design, { counts: () => true });

/**
 * Taint without that of conditions on which actions depend: those the destination property forbids to be tainted, and
 * where it holds this is all taint there is.
 */
export const ownTaint = (design: Design): Taint => taintOf(design, { counts: (condition) => !actsUnder(condition) });
