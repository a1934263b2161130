/** The state of a precondition: declared to hold, assumed where nothing is declared, or declared not to hold. */
export type Standing = 'stated' | 'assumed' | 'denied';

/** Assumptions of theorems on interactive and continual mechanisms. */
export interface Setting {
  /** Every answer has countably many possible values (answers are rounded). */
  readonly discrete: Standing;
  /** Guarantees hold against adversaries who choose each message after seeing the answers so far. */
  readonly adaptiveAdversary: Standing;
  /** The neighbouring relation is symmetric. */
  readonly symmetric: Standing;
  /** Finitely many possible messages and answers, and an end after finitely many. Compositions never assume it, ledgers do. */
  readonly finiteCommunication: Standing;
}

/** The setting where nothing is declared. */
export const USUAL_SETTING: Setting = {
  discrete: 'assumed',
  adaptiveAdversary: 'assumed',
  symmetric: 'assumed',
  finiteCommunication: 'assumed',
};

/** Whether nothing is declared that a list of mechanisms would not be composed with anyway. */
export const isUsual = ({ discrete, adaptiveAdversary, finiteCommunication }: Setting): boolean =>
  discrete !== 'denied' && adaptiveAdversary !== 'denied' && finiteCommunication !== 'stated';

/** Two of them that say of different data that they are neighbouring; null where none do. */
export function differentNeighbours(
  specified: readonly { readonly neighbours?: string | null }[],
): readonly [string, string] | null {
  const all = specified.flatMap(({ neighbours = null }) => (neighbours === null ? [] : [neighbours.trim()]));
  const other = all.find((relation) => relation !== all[0]);
  return all[0] === undefined || other === undefined ? null : [all[0], other];
}
