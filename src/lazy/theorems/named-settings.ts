import type { ConvexProblem, ConvexSetting, ExpertsProblem, ExpertsSetting, NoSetting } from '../core/named-setting.ts';
import { repairedForConvex, repairedForExperts } from './repaired-parameters.ts';
import { theorem310 } from './theorem-3-10.ts';
import { theorem312 } from './theorem-3-12.ts';

/** Parameters that a formula gives. */
export const FORMULAS = ['theorem-3.10', 'theorem-3.10-proof', 'theorem-3.12', 'repaired'] as const;
export type FormulaId = (typeof FORMULAS)[number];

/** Formulas for experts, and for convex losses. */
export const EXPERTS_FORMULAS = [
  'theorem-3.10',
  'theorem-3.10-proof',
  'repaired',
] as const satisfies readonly FormulaId[];
export const CONVEX_FORMULAS = ['theorem-3.12', 'repaired'] as const satisfies readonly FormulaId[];

/** The parameters of a formula for experts. */
export const namedForExperts = (
  id: (typeof EXPERTS_FORMULAS)[number],
  problem: ExpertsProblem,
): ExpertsSetting | NoSetting => (id === 'repaired' ? repairedForExperts(problem) : theorem310(problem, id));

/** The parameters of a formula for convex losses. */
export const namedForConvex = (
  id: (typeof CONVEX_FORMULAS)[number],
  problem: ConvexProblem,
): ConvexSetting | NoSetting => (id === 'repaired' ? repairedForConvex(problem) : theorem312(problem));
