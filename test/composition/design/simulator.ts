import type { Block, Design, Statement } from '../../../src/composition/design/design.ts';
import type { Part } from '../../../src/composition/design/part.ts';

/** One run of a block, with the value of each input where it is an `input` block. */
export interface Step {
  readonly block: Exclude<Block, 'start'>;
  readonly inputs: Readonly<Record<string, number>>;
}

/** Something a run does that others can see, or that reaches a sub-mechanism. */
export type Action =
  | { readonly does: 'create'; readonly mechanism: string; readonly from: readonly number[] }
  | {
      readonly does: 'message';
      readonly mechanism: string;
      readonly instance: number;
      readonly which: readonly number[];
      readonly values: readonly number[];
      /** Where the values stand among the arguments of the sub-mechanism: those of data come first. */
      readonly offset: number;
    }
  | { readonly does: 'output'; readonly values: readonly number[] };

/** All that happens in a run. */
export interface Trace {
  readonly actions: readonly Action[];
  /** The values of all variables after each step. */
  readonly states: readonly ReadonlyMap<string, number>[];
}

/** An arbitrary but fixed whole number from others. */
function mixed(...numbers: readonly number[]): number {
  let hash = 17;
  for (const x of numbers) hash = Math.imul(hash ^ x, 0x45d9f3b) ^ (hash >>> 13);
  return (hash >>> 8) % 1000;
}

/** A function of arguments, the one of statement `id`, that changes by at most `sensitivity` times their largest change. */
function lipschitz(id: number, sensitivity: number, values: readonly number[]): number {
  if (values.length === 0) return mixed(id);
  const choices = [Math.max(...values), Math.min(...values), values[id % values.length]!];
  return mixed(id) + (id % 2 === 0 ? 1 : -1) * sensitivity * choices[id % 3]!;
}

/** Runs a design; the answers of sub-mechanisms depend on how many there were before and on nothing else. */
export function simulate(
  { procedure }: Design,
  parts: ReadonlyMap<string, Part>,
  steps: readonly Step[],
  dataArguments: ReadonlyMap<string, number>,
): Trace {
  const actions: Action[] = [];
  const states: Map<string, number>[] = [];
  const variables = new Map<string, number>();
  const instances = new Map<string, number>();
  const taken = new Map<Statement, number>();
  const ids = new Map<Statement, number>();
  let answers = 0;
  const value = (name: string): number => variables.get(name) ?? 0;
  const idOf = (statement: Statement): number => {
    const id = ids.get(statement) ?? ids.size;
    ids.set(statement, id);
    return id;
  };
  const number = (list: readonly Statement[]): void => {
    for (const statement of list) {
      idOf(statement);
      if (statement.does === 'if') number(statement.then);
    }
  };
  for (const list of Object.values(procedure)) number(list);
  const newInstance = (mechanism: string): number => {
    const index = instances.get(mechanism) ?? 0;
    instances.set(mechanism, index + 1);
    return index;
  };

  const run = (statement: Statement): void => {
    switch (statement.does) {
      case 'create': {
        const { mechanism, from, data } = statement;
        actions.push({ does: 'create', mechanism, from: from.map(value) });
        const instance = newInstance(mechanism);
        if (data.length > 0) {
          actions.push({ does: 'message', mechanism, instance, which: [], values: data.map(value), offset: 0 });
        }
        return;
      }
      case 'send': {
        const { mechanism, which, values, answer } = statement;
        const once = parts.get(mechanism)?.kind === 'noninteractive';
        const existing = instances.get(mechanism) ?? 0;
        if (!once && existing === 0) return;
        const chosen = which.map(value);
        const instance = once
          ? newInstance(mechanism)
          : chosen.length === 0
            ? existing - 1
            : mixed(...chosen) % existing;
        const offset = dataArguments.get(mechanism) ?? 0;
        actions.push({ does: 'message', mechanism, instance, which: chosen, values: values.map(value), offset });
        if (answer !== null) variables.set(answer, mixed(answers++));
        return;
      }
      case 'set': {
        const { variable, from, sensitivity } = statement;
        const values = from.map(value);
        const id = idOf(statement);
        variables.set(
          variable,
          sensitivity === null ? mixed(id, ...values) : lipschitz(id, sensitivity.toNumber(), values),
        );
        return;
      }
      case 'add': {
        const { variable, terms } = statement;
        variables.set(variable, value(variable) + terms.map(value).reduce((a, b) => a + b, 0));
        return;
      }
      case 'if': {
        const before = taken.get(statement) ?? 0;
        if (mixed(idOf(statement), ...statement.on.map(value)) % 2 === 0) return;
        if (statement.atMost !== 'unbounded' && before >= statement.atMost) return;
        taken.set(statement, before + 1);
        statement.then.forEach(run);
        return;
      }
      case 'output':
        actions.push({ does: 'output', values: statement.values.map(value) });
        return;
    }
  };

  procedure.start.forEach(run);
  states.push(new Map(variables));
  for (const { block, inputs } of steps) {
    for (const [name, x] of Object.entries(inputs)) variables.set(name, x);
    procedure[block].forEach(run);
    states.push(new Map(variables));
  }
  return { actions, states };
}
