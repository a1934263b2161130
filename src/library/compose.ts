import { createSession, Session, type Kept } from '../bounds/core/session.ts';
import { compose as composeProblem, type ComposeOptions, type Problem } from '../composition/compose/compose.ts';
import { DIGITS, secondOpinion as secondOpinionOn } from '../composition/compose/second-opinion.ts';
import type { Answer, Outcome } from '../composition/core/outcome.ts';
import {
  composeDesign as composeDesigned,
  type DesignOutcome,
  type DesignProblem,
} from '../composition/design/check-design.ts';
import { pricePlan as priceResolved, type PricedPlan } from '../composition/plan/price-plan.ts';
import type { Plan } from '../composition/plan/resolved-node.ts';
import type { Query } from '../privacy/curve.ts';
import { Arguments, callback, has, oneOf, optional, record, typed, whole } from './arguments.ts';
import { COMPOSE_OPTIONS, composeOptions, tolerance } from './read-problem.ts';
import * as read from './read-problem.ts';

/** So many milliseconds are worked before whatever else waits has its turn: a fraction of the time for which a page shows a frame. */
const SLICE = 10;

/** Lets everything else that waits have its turn. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0);
  });

/** Thrown where others have their turn. */
class Pause extends Error {
  override readonly name = 'Pause';
}

/** A session for one question, whose work stops where its time is over; asked again, it goes on from there. */
class TurnSession extends Session {
  readonly #session: Session;
  readonly #signal: AbortSignal | undefined;
  readonly #done = new Map<string, unknown>();
  #end = Infinity;

  constructor(session: Session, signal: AbortSignal | undefined) {
    super();
    this.#session = session;
    this.#signal = signal;
  }

  override get<Value>(kind: Kept<Value>, key: string, make: () => Value): Value {
    return this.#session.get(kind, key, make);
  }

  override step<Result>(key: string, work: () => Result): Result {
    // Under a key only its own result is put.
    if (this.#done.has(key)) return this.#done.get(key) as Result;
    this.#signal?.throwIfAborted();
    if (performance.now() >= this.#end) throw new Pause();
    const result = work();
    this.#signal?.throwIfAborted();
    this.#done.set(key, result);
    // Each turn does a step at least, however long it takes to come to it.
    if (this.#end === Infinity) this.#end = performance.now() + SLICE;
    return result;
  }

  /** The result of work; null where its time is over before it is done. */
  inOneTurn<Result>(work: () => Result): { readonly result: Result } | null {
    this.#end = Infinity;
    try {
      return { result: work() };
    } catch (error) {
      if (error instanceof Pause) return null;
      throw error;
    }
  }
}

/**
 * Does work, all that is slow in which are steps of the session that it is given, in turns with whatever else waits, first
 * after that; throws the reason of a signal that is aborted.
 */
async function inTurns<Result>(
  work: (session: Session) => Result,
  session: Session,
  signal?: AbortSignal,
): Promise<Result> {
  const own = new TurnSession(session, signal);
  for (;;) {
    signal?.throwIfAborted();
    await turn();
    signal?.throwIfAborted();
    const done = own.inOneTurn(() => work(own));
    if (done !== null) return done.result;
  }
}

/**
 * The cost of the mechanisms together: every theorem that applies, the tightest first, and an impossibility lower
 * bound, below which no claim can go.
 *
 * `answer.epsilon.upper` (or `delta.upper`) is a valid claim for every mechanism of the declared classes in the declared
 * setting. Parameters chosen adaptively are refused: only filters and odometers cover them. So is structure that no
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
  const args = new Arguments('compose');
  return composeProblem(
    args.read('problem', problem, read.problem),
    args.read('query', query, read.query),
    read.optionsOf(args, options, composeOptions),
  );
}

export interface ComposeAsyncOptions extends ComposeOptions {
  /** Gives the work up. */
  readonly signal?: AbortSignal;
}

const signal = typed('an AbortSignal', 'Take the signal of an AbortController.', (value) =>
  has(value, 'throwIfAborted'),
);

const asyncOptions = record<ComposeAsyncOptions>(
  'options',
  { ...COMPOSE_OPTIONS, signal: optional(signal) },
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
  const args = new Arguments('composeAsync');
  const { signal, ...work } = read.optionsOf(args, options, asyncOptions);
  const { interrupted, session = createSession() } = work;
  const watched: ComposeOptions =
    signal === undefined ? work : { ...work, interrupted: () => signal.aborted || interrupted?.() === true };
  const mechanisms = args.read('problem', problem, read.problem);
  const target = args.read('query', query, read.query);
  return await inTurns((own) => composeProblem(mechanisms, target, { ...watched, session: own }), session, signal);
}

/**
 * The cost of a mechanism that runs others: that of those together, as long as it has the destination, the response
 * and the f -> f' property.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 6.1 and Corollary 6.6.
 *
 * @example
 * ```js
 * import { composeDesign, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification(
 *   `{"dpcompose": 1, "target": {"epsilon": "1"},
 *     "mechanisms": [{"type": "dp", "epsilon": "1", "label": "noisy", "kind": "continual"}],
 *     "design": {"inputs": [{"name": "x", "differing": 1, "change": 1}],
 *       "submechanisms": [{"mechanism": "noisy", "receives": [{"name": "row", "change": 1}]}],
 *       "procedure": {"start": [{"create": "noisy"}],
 *         "input": [{"send": ["x"], "to": "noisy", "answer": "a"}, {"output": ["a", "x"]}]}}}`,
 * );
 * const { target, ...problem } = specification;
 * const { kind, check } = composeDesign(problem, target);
 * console.log(kind, check.verdicts.map(({ property, state }) => `${property} ${state}`).join(', '));
 * // fails destination holds, response fails, neighbouring-mapping holds
 * ```
 */
export function composeDesign(problem: DesignProblem, query: Query, options: ComposeOptions = {}): DesignOutcome {
  const args = new Arguments('composeDesign');
  return composeDesigned(
    args.read('problem', problem, read.designProblem),
    args.read('query', query, read.query),
    read.optionsOf(args, options, composeOptions),
  );
}

const readPlan = record<Plan>('a plan', {
  nodes: read.nodes,
  adaptivity: oneOf(['adaptive', 'nonadaptive']),
  order: read.order,
  setting: read.setting,
});

/**
 * The cost of a plan, and of each of its nodes alone: the same question asked of the node as if it were the whole
 * plan. Refused as `compose` refuses.
 *
 * @example
 * ```js
 * import { pricePlan, readSpecification } from 'dpcompose';
 *
 * const { specification } = readSpecification(
 *   `{"dpcompose": 1, "target": {"epsilon": "1"}, "mechanisms": [{"type": "parallel", "sparsity": 1, "deltaCap": "1e-3",
 *     "of": {"type": "dp", "epsilon": "1", "delta": "1e-6", "kind": "continual"}}]}`,
 * );
 * const { entries: nodes, adaptivity, order, setting, target } = specification;
 * const priced = pricePlan({ nodes, adaptivity, order, setting }, target);
 * console.log(priced.answer.delta.upper); // 0.001
 * console.log(priced.tree.children[0].found.theorems[0].number); // Thm 5.4
 * console.log(priced.tree.children[0].room.instances); // 1000
 * ```
 */
export function pricePlan(
  plan: Plan,
  query: Query,
  options: ComposeOptions = {},
): ({ readonly kind: 'priced' } & PricedPlan) | Extract<Outcome, { kind: 'refusal' }> {
  const args = new Arguments('pricePlan');
  return priceResolved(
    args.read('plan', plan, readPlan),
    args.read('query', query, read.query),
    read.optionsOf(args, options, composeOptions),
  );
}

const readOptions = record<Pick<ComposeOptions, 'tolerance' | 'interrupted'>>(
  'options',
  { tolerance: optional(tolerance), interrupted: optional(callback) },
  '{ tolerance: 1e-6 }',
);

/**
 * The same answer with a second opinion: every bound that applies is computed again in decimal arithmetic with
 * `digits` significant digits (20 to 200), rounded up, by code that shares nothing with the first, where that is
 * possible; else it says why not.
 *
 * @example
 * ```js
 * import { compose, Decimal, secondOpinion } from 'dpcompose';
 *
 * const mechanism = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) };
 * const problem = { entries: [{ mechanism, count: 100, kind: 'noninteractive', label: null }], adaptivity: 'adaptive' };
 * const { answer } = compose(problem, { solveFor: 'epsilon', delta: new Decimal('1e-6') });
 * console.log(secondOpinion(problem, answer, 30).decimal.digits); // 4.77456758810798615328594816747
 * ```
 *
 * @param answer - what `compose` answered to the problem
 * @param options - `tolerance`, where `compose` was given one; `interrupted`: true once the work is to be given up
 * @throws Error where the two contradict each other: one of them is wrong, and nothing should be claimed
 * @throws RangeError where `digits` is not a whole number from 20 to 200
 */
export function secondOpinion(
  problem: Problem,
  answer: Answer,
  digits: number,
  options: Pick<ComposeOptions, 'tolerance' | 'interrupted'> = {},
): Answer {
  const args = new Arguments('secondOpinion');
  return secondOpinionOn(
    args.read('problem', problem, read.problem),
    args.read('answer', answer, readAnswer),
    args.read('digits', digits, whole(DIGITS.least, DIGITS.most)),
    args.read('options', options, readOptions),
  );
}

/** An answer, as it came of a call. */
export const readAnswer = typed(
  'an answer',
  'Take the answer of an outcome of kind "answer" that compose returned.',
  (value) => ['query', 'bounds', 'bound'].every((key) => has(value, key)),
);
