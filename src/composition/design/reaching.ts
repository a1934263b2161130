import { assignedBy } from './definitions.ts';
import type { Block, Design, Statement } from './design.ts';
import type { Located } from './statements.ts';

/** Where a value that is read comes from: a statement run before in the same step, the input of the step, or a step before. */
export type Origin = Located | 'input' | 'before';

/** The statements that set variables, block by block, with the way back from any place in them. */
export class Reaching {
  readonly #at: ReadonlyMap<Statement, Located>;
  readonly #procedure: Design['procedure'];
  readonly #inputs: ReadonlySet<string>;

  constructor({ procedure, inputs }: Design, statements: readonly Located[]) {
    this.#procedure = procedure;
    this.#inputs = new Set(inputs.map(({ name }) => name));
    this.#at = new Map(statements.map((located) => [located.statement, located]));
  }

  /** Everything that can have given `variable` the value that is read at `place`. */
  origins(variable: string, { block, position, under }: Located): Origin[] {
    const found: Origin[] = [];
    for (let depth = position.length - 1; depth >= 0; depth--) {
      const list = depth === 0 ? this.#procedure[block] : (under[depth - 1]?.statement.then ?? []);
      if (this.#backwards(variable, list.slice(0, position[depth]), found)) return found;
    }
    return [...found, this.#atStart(variable, block)];
  }

  #atStart(variable: string, block: Block): Origin {
    return block === 'input' && this.#inputs.has(variable) ? 'input' : 'before';
  }

  /** Goes from the end of a list to its start; true where a statement that is always run sets the variable. */
  #backwards(variable: string, list: readonly Statement[], found: Origin[]): boolean {
    for (const statement of list.toReversed()) {
      if (statement.does === 'if') {
        this.#backwards(variable, statement.then, found);
      } else if (assignedBy(statement)?.variable === variable) {
        const located = this.#at.get(statement);
        if (located !== undefined) found.push(located);
        return true;
      }
    }
    return false;
  }
}
