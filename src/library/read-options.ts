import { BOUND_IDS } from '../bounds/core/bound.ts';
import { Session } from '../bounds/core/session.ts';
import type { ComposeOptions } from '../composition/compose/compose.ts';
import { callback, flag, listOf, made, number, oneOf, optional, record, type Fields } from './arguments.ts';

export const tolerance = number('a number above 0 and below 1', '1e-6', (value) => value > 0 && value < 1);
export const session = made('a session', 'Write createSession().', (value) => value instanceof Session);

export const COMPOSE_OPTIONS: Fields<ComposeOptions> = {
  directions: optional(flag),
  claimOnly: optional(flag),
  bounds: optional(listOf(oneOf(BOUND_IDS), 'bounds')),
  quick: optional(flag),
  tolerance: optional(tolerance),
  sparing: optional(flag),
  exhausted: optional(callback),
  interrupted: optional(callback),
  progress: optional(callback),
  session: optional(session),
};

/** How to compose. */
export const composeOptions = record<ComposeOptions>('options', COMPOSE_OPTIONS, '{ tolerance: 1e-6 }');
