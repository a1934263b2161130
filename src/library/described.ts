import type { Problem } from '../composition/compose/compose.ts';
import { USUAL_SETTING } from '../composition/core/setting.ts';
import type { Specification } from '../document/core/specification.ts';

/** A problem with any of the other keys of a specification: a specification is one. */
export type DescribedProblem = Problem & Partial<Omit<Specification, keyof Problem>>;

/** The specification of a problem, with default values for the keys it leaves out. */
export const described = ({
  name = null,
  neighbours = null,
  design = null,
  target = null,
  order = 'any',
  setting = USUAL_SETTING,
  ...problem
}: DescribedProblem): Specification => ({ ...problem, name, neighbours, design, target, order, setting });
