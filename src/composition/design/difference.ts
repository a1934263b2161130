import type { Decimal } from '../../numeric/decimal.ts';
import {
  fewer,
  larger,
  NO_CHANGE,
  repeated,
  scaled,
  sumOf,
  together,
  type Change,
  type Design,
  type Times,
} from './design.ts';
import { groupBy, once } from '../core/collections.ts';
import {
  definitionsIn,
  Reaching,
  inOrder,
  statementsOf,
  actsUnder,
  ownTaint,
  type Definition,
  type Located,
  type Taint,
} from './data-flow.ts';

/** Why a variable may differ by as much as it does, one step on the way down to the input. */
export interface Reason {
  readonly variable: string;
  /** decided: set under a tainted condition; kept: from an earlier step. */
  readonly because: 'input' | 'computed' | 'sum' | 'declared' | 'kept' | 'decided';
  readonly change: Change;
  /** Of what is computed: by how much the function multiplies a change, null where that is not known. */
  readonly sensitivity: Decimal | null;
  /** Of a sum: how many of its terms may differ; of the input, how many values. */
  readonly times: Times;
}

/** The origin of a difference, and in how many values that differs. */
export interface Source {
  readonly kind: 'input' | 'sum' | 'declared' | 'kept';
  readonly variable: string;
  readonly times: Times;
  /** The first and the last place where it is read. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** How neighbouring inputs may differ in a variable at one place, untainted variables being the same. */
export interface Difference {
  readonly change: Change;
  readonly sources: readonly Source[];
  /** From the variable down to the input, along the largest change. */
  readonly reasons: readonly Reason[];
}

/**
 * Why neighbours may differ in a message again and again: a sum that is not reset when it is read, a variable kept for
 * later, or any number of values that may differ in the first place.
 */
export interface Unending {
  readonly why: 'sum-not-reset' | 'kept' | 'any-value';
  readonly variable: string;
}

/** In how many runs of a statement neighbours may differ in what it reads. */
export interface Occurrences {
  readonly times: Times;
  readonly unending: Unending | null;
}

/** The difference of a sum between two resets, and in how many such periods. */
interface SumDifference {
  readonly change: Change;
  readonly times: Times;
  readonly reasons: readonly Reason[];
}

/** How neighbours may differ in a variable that was kept from an earlier step. */
type KeptDifference = Pick<Difference, 'change' | 'reasons'>;

/** Each source once, with all its places; values with a declared difference are told apart by theirs. */
function merged(sources: readonly Source[]): Source[] {
  const mergedSources = new Map<string, Source>();
  for (const source of sources) {
    const { kind, variable, first, last } = source;
    const key = JSON.stringify([kind, variable, kind === 'declared' ? first : []]);
    const other = mergedSources.get(key) ?? source;
    mergedSources.set(key, {
      ...source,
      first: inOrder(first, other.first) < 0 ? first : other.first,
      last: inOrder(last, other.last) > 0 ? last : other.last,
    });
  }
  return [...mergedSources.values()];
}

const sourceOf = (
  kind: Source['kind'],
  variable: string,
  times: Times,
  position: readonly number[],
): readonly Source[] => [{ kind, variable, times, first: position, last: position }];

/** The difference with the larger change, from the sources of both. */
function joined(a: Difference | null, b: Difference | null): Difference | null {
  if (a === null || b === null) return a ?? b;
  const largest = larger(a.change, b.change) === a.change ? a : b;
  return { change: largest.change, reasons: largest.reasons, sources: merged([...a.sources, ...b.sources]) };
}

const because = (
  variable: string,
  reason: Pick<Reason, 'because' | 'change'> & Partial<Reason>,
  below: readonly Reason[] = [],
): readonly Reason[] => [{ sensitivity: null, times: 'unbounded', ...reason, variable }, ...below];

const unknown = (variable: string): KeptDifference => ({
  change: 'any',
  reasons: because(variable, { because: 'kept', change: 'any' }),
});

/** How often a statement can be run. */
export const runsOf = ({ block, under }: Located): Times =>
  under.reduce<Times>((min, { statement }) => fewer(min, statement.atMost), block === 'start' ? 1 : 'unbounded');

/**
 * How two runs on neighbouring inputs differ, step by step, as long as all untainted variables are the same in both and
 * no condition on actions is tainted, so that both runs do the same statements.
 *
 * Of each input at most `differing` values differ, by at most `change` each. A sum (a variable that only grows by `add`,
 * and is otherwise set from untainted variables) therefore differs by the sum of the changes added since its last
 * reset, and a value that was added reaches one period between resets only. Where a statement reads a sum that is reset
 * in the same step, always after what it reads or always before, each period reaches one run of it, and so does each
 * input value that is read in its own step; without that, every run may differ. What is computed from several variables changes by at most the sensitivity
 * times the largest of their changes. A variable set under a tainted condition may differ by anything.
 *
 * Errs to the larger side. Source: derived; it is the argument by which Henzinger, Safavi, Vadhan (2025), section 7.2,
 * shows the f -> f' property of their Algorithm 4.
 */
export class Differences {
  readonly #design: Design;
  readonly #taint: Taint;
  readonly #reaching: Reaching;
  readonly #definitions: ReadonlyMap<string, readonly Definition[]>;
  /** A sum between two resets; one that is added to itself may differ by anything. */
  readonly #sum = once<string, SumDifference>(
    (variable) => this.#added(variable),
    (variable) => ({
      change: 'any',
      times: 'unbounded',
      reasons: because(variable, { because: 'sum', change: 'any' }),
    }),
  );
  /** A value of an earlier step: as large as any of its definitions makes it. */
  readonly #kept = once<string, KeptDifference>(
    (variable) => this.#largest(variable),
    (variable) => unknown(variable),
  );
  /** The value a statement gives a variable that is not a sum. */
  readonly #value = once<Located, Difference | null>((at) => this.#computed(at));

  constructor(design: Design) {
    const statements = statementsOf(design);
    this.#design = design;
    this.#taint = ownTaint(design);
    this.#reaching = new Reaching(design, statements);
    this.#definitions = groupBy(definitionsIn(statements), ({ variable }) => variable);
  }

  /** How neighbours may differ in a variable that is read at a place; null where they do not. */
  at(variable: string, place: Located): Difference | null {
    if (!this.#taint.has(variable)) return null;
    if (this.#isSum(variable)) return this.#sumAt(variable, place);
    return this.#reaching
      .origins(variable, place)
      .map((origin) => {
        if (origin === 'input') return this.#input(variable, place.position);
        return origin === 'before' ? this.#keptAt(variable, place.position) : this.#value(origin);
      })
      .reduce(joined, null);
  }

  /** In how many runs of a statement neighbours may differ in what it reads there. */
  occurrences(differences: readonly (Difference | null)[], place: Located): Occurrences {
    const sources = merged(differences.flatMap((difference) => difference?.sources ?? []));
    const all = sources.map((source) => this.#occurrencesOf(source, place));
    const times = together(all.map((occurrences) => occurrences.times));
    const limited = fewer(times, runsOf(place));
    const unending = all.find((occurrences) => occurrences.unending !== null)?.unending ?? null;
    return { times: limited, unending: limited === times ? unending : null };
  }

  #occurrencesOf(source: Source, place: Located): Occurrences {
    const { kind, variable, times } = source;
    if (kind === 'kept') return { times: 'unbounded', unending: { why: 'kept', variable } };
    if (kind === 'sum' && !this.#isReset(source, place)) {
      return { times: 'unbounded', unending: { why: 'sum-not-reset', variable } };
    }
    return { times, unending: times === 'unbounded' ? { why: 'any-value', variable } : null };
  }

  /** Whether each run of a statement comes with a reset of the sum it reads, after all its reads or before them. */
  #isReset({ variable, first, last }: Source, place: Located): boolean {
    return (this.#definitions.get(variable) ?? []).some(({ how, at }) => {
      const list = at.position.slice(0, -1);
      const always = at.block === place.block && list.every((index, depth) => index === place.position[depth]);
      const aside = inOrder(last, at.position) < 0 || inOrder(at.position, first) < 0;
      return how !== 'added' && always && aside;
    });
  }

  #isSum(variable: string): boolean {
    const definitions = this.#definitions.get(variable) ?? [];
    const steady = definitions.every(
      ({ how, from, at }) => !this.#isDecided(at) && (how === 'added' || !from.some((name) => this.#taint.has(name))),
    );
    return steady && definitions.some(({ how }) => how === 'added');
  }

  #input(variable: string, position: readonly number[]): Difference | null {
    const input = this.#design.inputs.find(({ name }) => name === variable);
    if (input === undefined) return null;
    const { change, differing } = input;
    return {
      change,
      sources: sourceOf('input', variable, differing, position),
      reasons: because(variable, { because: 'input', change, times: differing }),
    };
  }

  #sumAt(variable: string, { position }: Located): Difference | null {
    const sum = this.#sum(variable);
    if (sum.times === 0) return null;
    return {
      change: sum.change,
      sources: sourceOf('sum', variable, sum.times, position),
      reasons: sum.reasons,
    };
  }

  #added(variable: string): SumDifference {
    const added = (this.#definitions.get(variable) ?? [])
      .filter(({ how }) => how === 'added')
      .flatMap(({ from, at }) =>
        from.map((term) => {
          const difference = this.at(term, at);
          const { times } = this.occurrences([difference], at);
          return { times, difference, change: repeated(difference?.change ?? NO_CHANGE, times) };
        }),
      );
    const times = together(added.map((term) => term.times));
    const change = added.reduce<Change>((sum, term) => sumOf(sum, term.change), NO_CHANGE);
    const largest = added.reduce((a, b) => (larger(a.change, b.change) === a.change ? a : b));
    const reasons = because(variable, { because: 'sum', change, times }, largest.difference?.reasons ?? []);
    return { change, times, reasons };
  }

  #keptAt(variable: string, position: readonly number[]): Difference {
    return { ...this.#kept(variable), sources: sourceOf('kept', variable, 'unbounded', position) };
  }

  #largest(variable: string): KeptDifference {
    const largest = (this.#definitions.get(variable) ?? [])
      .map(({ at }) => this.#value(at))
      .reduce(joined, this.#input(variable, []));
    const { change, reasons } = largest ?? unknown(variable);
    return { change, reasons: because(variable, { because: 'kept', change }, reasons) };
  }

  #computed(at: Located): Difference | null {
    const { statement, position } = at;
    const unlimited = (variable: string, why: Reason['because'], below: readonly Reason[]): Difference => ({
      change: 'any',
      sources: sourceOf('kept', variable, 'unbounded', position),
      reasons: because(variable, { because: why, change: 'any' }, below),
    });
    switch (statement.does) {
      case 'set': {
        const { variable, from, sensitivity, declared } = statement;
        if (this.#isDecided(at)) return unlimited(variable, 'decided', []);
        const argument = from.map((name) => this.at(name, at)).reduce(joined, null);
        if (argument === null) return null;
        if (declared === null) {
          const change = scaled(argument.change, sensitivity);
          const reasons = because(variable, { because: 'computed', change, sensitivity }, argument.reasons);
          return { change, sources: argument.sources, reasons };
        }
        const { change, differing } = declared;
        const reasons = because(variable, { because: 'declared', change, times: differing });
        return { change, sources: sourceOf('declared', variable, differing, position), reasons };
      }
      case 'add': {
        const below = statement.terms.map((name) => this.at(name, at)).reduce(joined, null)?.reasons ?? [];
        return unlimited(statement.variable, 'kept', below);
      }
      case 'send':
      case 'create':
      case 'if':
      case 'output':
        return null;
    }
  }

  /**
   * Whether a statement stands under a tainted condition. Conditions on actions are taken to be untainted: else the
   * destination property fails, and the result is what would hold if it were fixed.
   */
  #isDecided({ under }: Located): boolean {
    return under.some(
      (condition) => !actsUnder(condition) && condition.statement.on.some((name) => this.#taint.has(name)),
    );
  }
}
