import { BLOCKS, type Block, type Design, type Place, type Statement } from './design.ts';
import { groupBy } from '../core/collections.ts';

/** A condition that statements stand under. */
export type Condition = Extract<Statement, { does: 'if' }>;

/** A statement at its place. */
export interface Located<S extends Statement = Statement> {
  readonly statement: S;
  readonly block: Block;
  /** Indices from the block down: [2, 0] is the first statement under the condition that is the third of its block. */
  readonly position: readonly number[];
  /** The conditions it stands under, outermost first. */
  readonly under: readonly Located<Condition>[];
}

const isCondition = (located: Located): located is Located<Condition> => located.statement.does === 'if';

function below(
  statements: readonly Statement[],
  block: Block,
  position: readonly number[],
  under: readonly Located<Condition>[],
): Located[] {
  return statements.flatMap((statement, index) => {
    const located: Located = { statement, block, position: [...position, index], under };
    if (!isCondition(located)) return [located];
    return [located, ...below(located.statement.then, block, located.position, [...under, located])];
  });
}

/** Every statement of a design, in the order in which it is written. */
export const statementsOf = ({ procedure }: Design): Located[] =>
  BLOCKS.flatMap((block) => below(procedure[block], block, [], []));

/** The statements of one kind. */
export const those = <D extends Statement['does']>(
  statements: readonly Located[],
  does: D,
): Located<Extract<Statement, { does: D }>>[] =>
  statements.filter((located): located is Located<Extract<Statement, { does: D }>> => located.statement.does === does);

/** The statements that stand under a condition, at any depth. */
export const under = (condition: Located<Condition>): Located[] =>
  below(condition.statement.then, condition.block, condition.position, [...condition.under, condition]);

/** `design.procedure.input[3].then[0]` as keys and indices. */
export const placeOf = ({ block, position }: Located): Place => [
  'design',
  'procedure',
  block,
  ...position.flatMap((index, depth): Place => (depth === 0 ? [index] : ['then', index])),
];

/** Negative where `a` is run before `b` in one run of their block. */
export function inOrder(a: readonly number[], b: readonly number[]): number {
  for (const [depth, index] of a.entries()) {
    const other = b[depth];
    if (other === undefined) return 1;
    if (index !== other) return index - other;
  }
  return a.length - b.length;
}

/** One of the ways in which a variable gets its value. */
export interface Definition {
  readonly variable: string;
  readonly how: 'computed' | 'added' | 'answered';
  /** Its arguments; of an answer, none: that a sub-mechanism is private is what cuts the flow. */
  readonly from: readonly string[];
  readonly at: Located;
}

/** The variable that a statement gives a value, and how; null where it gives none. */
function assignedBy(statement: Statement): Omit<Definition, 'at'> | null {
  switch (statement.does) {
    case 'set':
      return { variable: statement.variable, how: 'computed', from: statement.from };
    case 'add':
      return { variable: statement.variable, how: 'added', from: statement.terms };
    case 'send':
      return statement.answer === null ? null : { variable: statement.answer, how: 'answered', from: [] };
    case 'create':
    case 'if':
    case 'output':
      return null;
  }
}

/** Every place where a variable gets a value. */
export const definitionsIn = (statements: readonly Located[]): Definition[] =>
  statements.flatMap((at) => {
    const assigned = assignedBy(at.statement);
    return assigned === null ? [] : [{ ...assigned, at }];
  });

/** Where a value that is read comes from: a statement run before in the same step, the input of the step, or a step before. */
type Origin = Located | 'input' | 'before';

/** The statements that set variables, block by block, with the way back from any place in them. */
export class Reaching {
  readonly #at: ReadonlyMap<Statement, Located>;
  readonly #procedure: Design['procedure'];
  readonly #inputs: ReadonlySet<string>;

  constructor({ procedure, inputs }: Design, statements: readonly Located[]) {
    this.#procedure = procedure;
    this.#inputs = new Set(inputs.map(({ name }) => name));
    this.#at = new Map(statements.map((located) => [located.statement, located]));
  }

  /** Everything that can have given `variable` the value that is read at `place`. */
  origins(variable: string, { block, position, under }: Located): Origin[] {
    const origins: Origin[] = [];
    for (let depth = position.length - 1; depth >= 0; depth--) {
      const list = depth === 0 ? this.#procedure[block] : (under[depth - 1]?.statement.then ?? []);
      if (this.#backwards(variable, list.slice(0, position[depth]), origins)) return origins;
    }
    return [...origins, this.#atStart(variable, block)];
  }

  #atStart(variable: string, block: Block): Origin {
    return block === 'input' && this.#inputs.has(variable) ? 'input' : 'before';
  }

  /** Goes from the end of a list to its start; true where a statement that is always run sets the variable. */
  #backwards(variable: string, list: readonly Statement[], origins: Origin[]): boolean {
    for (const statement of list.toReversed()) {
      if (statement.does === 'if') {
        this.#backwards(variable, statement.then, origins);
      } else if (assignedBy(statement)?.variable === variable) {
        const located = this.#at.get(statement);
        if (located !== undefined) origins.push(located);
        return true;
      }
    }
    return false;
  }
}

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
  const cachedAnswer = acting.get(statement);
  if (cachedAnswer !== undefined) return cachedAnswer;
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
function taintOf(design: Design, options: TaintOptions): Taint {
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
