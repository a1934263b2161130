import { made } from './arguments.ts';

/** An answer, as it came of a call. */
export const answer = made(
  'an answer',
  'Take the answer of an outcome of kind "answer" that compose returned.',
  (value) => 'query' in value && 'bounds' in value && 'bound' in value,
);
