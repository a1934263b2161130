import type { Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/query.ts';
import { givenText, upperText } from './number.ts';

/** `delta 1e-6`: what is given. */
export const givenIn = (query: Query): string =>
  query.solveFor === 'epsilon' ? `delta ${givenText(query.delta)}` : `epsilon ${givenText(query.epsilon)}`;

/** `epsilon at delta 1e-6`: what is asked. */
export const queryText = (query: Query): string => `${query.solveFor} at ${givenIn(query)}`;

/** `(2.14, 1e-6)`: what is given beside the upper end of what is asked. */
export const pairText = (query: Query, value: Bracket): string =>
  query.solveFor === 'epsilon'
    ? `(${upperText(value)}, ${givenText(query.delta)})`
    : `(${givenText(query.epsilon)}, ${upperText(value)})`;
