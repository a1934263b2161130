import type { Query } from '../../privacy/query.ts';
import type { Problem } from '../compose/compose.ts';
import type { SolveQuestion } from './solve.ts';

/** A question about mechanisms within a budget, or about what all mechanisms cost together. */
export type AskedQuestion =
  | { readonly kind: 'within'; readonly question: SolveQuestion }
  | { readonly kind: 'total'; readonly problem: Problem; readonly query: Query };
