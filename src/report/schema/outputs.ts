import { ATTACK_SCHEMA } from './attack.ts';
import type { JsonSchema } from './common.ts';
import { COMPOSE_SCHEMA } from './compose.ts';
import { DESIGN_SCHEMA } from './design.ts';
import { ERROR_SCHEMA } from './error.ts';
import { GAP_SCHEMA } from './gap.ts';
import { PLAN_SCHEMA } from './plan.ts';
import { REFUSAL_SCHEMA } from './refusal.ts';
import { VALIDATE_SCHEMA } from './validate.ts';

/** The schema of every JSON output, by name. */
export const OUTPUT_SCHEMAS: Readonly<
  Record<'compose' | 'plan' | 'design' | 'gap' | 'attack' | 'refusal' | 'error' | 'validate', JsonSchema>
> = {
  compose: COMPOSE_SCHEMA,
  plan: PLAN_SCHEMA,
  design: DESIGN_SCHEMA,
  gap: GAP_SCHEMA,
  attack: ATTACK_SCHEMA,
  refusal: REFUSAL_SCHEMA,
  error: ERROR_SCHEMA,
  validate: VALIDATE_SCHEMA,
};
