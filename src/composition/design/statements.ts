import { BLOCKS, type Block, type Design, type Place, type Statement } from './design.ts';

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
  statements.filter((each): each is Located<Extract<Statement, { does: D }>> => each.statement.does === does);

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
