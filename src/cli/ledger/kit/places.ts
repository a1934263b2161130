import { Argument } from 'commander';
import type { InputError } from '../../../document/core/specification.ts';
import type { MechanismFlags } from './mechanisms.ts';

/** What the operands of a command are. */
export interface Places {
  /** Ledgers, as they were typed. */
  readonly files: readonly string[];
  /** The document that lists the mechanisms; undefined where none is named. */
  readonly source: string | undefined;
}

/** The operands of a command that asks one ledger or several. */
export const placesArgument = (): Argument =>
  new Argument('[FILE...]', 'the ledger, or several; without -m the last of two or more is the specification file');

const MISSING: InputError = {
  code: 'missing-argument',
  path: 'FILE',
  message: 'no ledger is named',
  hint: 'Name it first, such as: budget.jsonl -m dp:epsilon=0.1; or take it from --budgets FILE.',
};

/**
 * Which operands are ledgers: all of them where mechanisms stand in flags or in a request, or else all but the last of several. With budgets, which
 * name the ledgers, one may be there, the document.
 */
export function placesOf(
  operands: readonly string[],
  {
    mechanism,
    budgets,
    request,
  }: Pick<MechanismFlags, 'mechanism'> & { readonly budgets?: string; readonly request?: string },
  errors: InputError[],
): Places {
  const declares = (mechanism ?? []).length > 0 || request !== undefined;
  if (budgets !== undefined) {
    if (operands.length > (declares ? 0 : 1)) {
      const hint = 'Leave them out: the ledgers are those that --budgets and --for name.';
      const message = `ledgers are named beside --budgets: ${operands.join(' ')}`;
      errors.push({ code: 'excess-arguments', path: 'FILE', message, hint });
    }
    return { files: [], source: operands[0] };
  }
  if (operands.length === 0) errors.push(MISSING);
  if (declares || operands.length < 2) return { files: operands, source: undefined };
  return { files: operands.slice(0, -1), source: operands.at(-1) };
}
