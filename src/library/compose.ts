import { createSession } from '../bounds/core/session.ts';
import { compose as composeProblem, type ComposeOptions, type Problem } from '../composition/compose/compose.ts';
import type { Outcome } from '../composition/core/outcome.ts';
import type { Query } from '../privacy/query.ts';
import { Arguments, made, optional, record } from './arguments.ts';
import { inTurns } from './in-turns.ts';
import { COMPOSE_OPTIONS, composeOptions } from './read-options.ts';
import * as read from './read-problem.ts';

/**
 * The cost of the mechanisms together: every theorem that applies, the tightest first, and an impossibility lower
 * bound, below which no claim can go.
 *
 * `answer.epsilon.upper` (or `delta.upper`) is a valid claim for every mechanism of the declared classes in the declared
 * setting. Parameters chosen along the way are refused: only filters and odometers cover them. So is structure that no
 * theorem covers, with an impossibility lower bound, and what is declared as fixed in advance though it is not.
 *
 * @example
 * ```js
 * import { compose, Decimal } from 'dpcompose';
 *
 * const dp = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) };
 * const entries = [{ mechanism: dp, count: 100, kind: 'noninteractive', label: null }];
 * const delta = new Decimal('1e-6');
 * const outcome = compose({ entries, adaptivity: 'adaptive' }, { solveFor: 'epsilon', delta });
 * console.log(outcome.answer.bound); // dp-optimal
 * console.log(Math.ceil(outcome.answer.epsilon.upper * 1e9) / 1e9); // 4.774567589
 * ```
 *
 * @throws TypeError or RangeError where an argument is not what it must be
 */
export function compose(problem: Problem, query: Query, options: ComposeOptions = {}): Outcome {
  const given = new Arguments('compose');
  return composeProblem(
    given.read('problem', problem, read.problem),
    given.read('query', query, read.query),
    given.read('options', options, composeOptions),
  );
}

export interface ComposeAsyncOptions extends ComposeOptions {
  /** Gives the work up. */
  readonly signal?: AbortSignal;
}

const asyncOptions = record<ComposeAsyncOptions>(
  'options',
  {
    ...COMPOSE_OPTIONS,
    signal: optional(
      made('an AbortSignal', 'Take the signal of an AbortController.', (value) => 'throwIfAborted' in value),
    ),
  },
  '{ signal: controller.signal }',
);

/**
 * The answer of {@link compose}, given in turns with whatever else the program does: between two bounds, each of which is
 * computed in one go, events are handled where more than 10 ms have passed.
 *
 * A signal is looked at then, and wherever a slow bound says how far it is, so that `progress` may abort. For bounds that
 * may take longer than a program can wait there is `exhausted`, or a thread of its own.
 *
 * @example
 * ```js
 * import { composeAsync, Decimal } from 'dpcompose';
 *
 * const mechanism = { type: 'bounded-range', epsilon: new Decimal('0.1') };
 * const problem = { entries: [{ mechanism, count: 10, kind: 'noninteractive', label: null }], adaptivity: 'adaptive' };
 * const controller = new AbortController();
 * const asked = composeAsync(problem, { solveFor: 'epsilon', delta: new Decimal('1e-6') }, { signal: controller.signal });
 * controller.abort(new Error('nobody waits any more'));
 * await asked.catch((error) => {
 *   console.log(error.message);
 * });
 * // nobody waits any more
 * ```
 *
 * @throws the reason of the signal once that is aborted; TypeError or RangeError where an argument is not what it must be
 */
export async function composeAsync(
  problem: Problem,
  query: Query,
  options: ComposeAsyncOptions = {},
): Promise<Outcome> {
  const given = new Arguments('composeAsync');
  const { signal, ...work } = given.read('options', options, asyncOptions);
  const { interrupted, session = createSession() } = work;
  const watched: ComposeOptions =
    signal === undefined ? work : { ...work, interrupted: () => signal.aborted || interrupted?.() === true };
  const mechanisms = given.read('problem', problem, read.problem);
  const target = given.read('query', query, read.query);
  return await inTurns((own) => composeProblem(mechanisms, target, { ...watched, session: own }), session, signal);
}
