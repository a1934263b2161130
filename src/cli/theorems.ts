import { commandOf, formsOf } from './kit/command.ts';
import { switchOption } from './kit/option.ts';
import type { MechanismFacts, TheoremFacts } from '../output/theorems.ts';

const EXAMPLES = `
Examples:
  dpcompose theorems
  dpcompose theorems --mechanisms
  dpcompose theorems --format markdown > theorems.md
  dpcompose explain br-adaptive`;

const OPTIONS = {
  mechanisms: switchOption('--mechanisms', 'list mechanisms by name: what to write, and the bound to expect'),
};

/** Each mechanism of the catalogue, or of one type of it, composed. */
export async function mechanismFacts(type?: string): Promise<readonly MechanismFacts[]> {
  const { MECHANISM_EXAMPLES, typeIn } = await import('../document/mechanism/catalogue.ts');
  const { parseMechanismFlags } = await import('../document/flags/command-line.ts');
  const { compose } = await import('../composition/compose/compose.ts');
  const { entryText } = await import('../output/kit/statement.ts');
  const { Decimal } = await import('../numeric/decimal.ts');
  const delta = new Decimal('1e-6');
  const wanted = Object.entries(MECHANISM_EXAMPLES).filter(
    ([, example]) => type === undefined || typeIn(example) === type,
  );
  return wanted.map(([names, example]) => {
    const [entry] = parseMechanismFlags([example]).value;
    if (entry === undefined) throw new Error(`The catalogue has a mechanism that cannot be read: ${example}`);
    const boundsFor = (times: number): readonly string[] => {
      const entries = [{ ...entry, count: entry.count * times }];
      const outcome = compose({ entries, adaptivity: 'adaptive', order: 'any' }, { solveFor: 'epsilon', delta });
      return outcome.kind === 'answer'
        ? outcome.answer.bounds.filter(({ applies }) => applies).map(({ id }) => id)
        : [];
    };
    const [one = '', bounds] = [boundsFor(1)[0], boundsFor(10)];
    return {
      names: names.split('; '),
      example,
      type: typeIn(example),
      composedAs: entryText(entry),
      one,
      ten: bounds[0] ?? '',
      bounds,
    };
  });
}

/** What is listed. */
interface Listed {
  readonly theorems: readonly TheoremFacts[];
  readonly mechanisms: readonly MechanismFacts[] | null;
}

/** `dpcompose theorems`: every bound, every theorem that plans rest on and every rule of ledgers; or every mechanism. */
export const theoremsCommand = commandOf<Listed, typeof OPTIONS>({
  name: 'theorems',
  about:
    'Lists all bounds, theorems of plans and ledger rules, with sources; with --mechanisms, what to write for mechanisms by their common names. JSON and Markdown have the full text.',
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async ({ theorems, mechanisms }) => {
      const { mechanismsOutput, theoremsOutput } = await import('../output/explain.ts');
      return mechanisms === null ? theoremsOutput(theorems) : mechanismsOutput(theorems, mechanisms);
    },
    'table',
    'json',
    'markdown',
  ),
  async read({ flags }) {
    const { ruleFacts, theoremFacts } = await import('../output/theorems.ts');
    return async () => ({
      result: {
        theorems: [...theoremFacts(), ...ruleFacts()],
        mechanisms: flags.mechanisms ? await mechanismFacts() : null,
      },
    });
  },
});
