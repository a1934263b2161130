import { Argument } from 'commander';
import type { AnswerExplanation } from '../composition/compose/explain-answer.ts';
import type { MechanismFacts, Named, TheoremFacts } from '../output/theorems.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { offering } from './kit/option.ts';
import { nothingToRead, readGiven, type SourceText, type SourceHints } from './kit/source.ts';
import { UsageError } from './kit/usage-error.ts';

const EXAMPLES = `
Examples:
  dpcompose explain br-adaptive
  dpcompose explain insufficient-budget
  dpcompose explain shuffled-reports
  dpcompose compose privacy.json --json | dpcompose explain`;

const ANSWER: SourceHints = {
  directory: 'Give a file with the JSON output of compose.',
  large: 'Give the JSON output of compose.',
};

const LOOKS_LIKE_FILE = /^-$|[./\\]/;

/** The thing that has a name, the mechanisms of a type, or the explanation of an answer. */
type Explained =
  | { readonly kind: 'named'; readonly namedFacts: Named }
  | {
      readonly kind: 'mechanisms';
      readonly mechanisms: readonly MechanismFacts[];
      readonly theorems: readonly TheoremFacts[];
    }
  | {
      readonly kind: 'answer';
      readonly answer: AnswerExplanation;
      readonly facts: ReadonlyMap<string, TheoremFacts>;
    };

async function answerOf({ input, source }: SourceText): Promise<Explained> {
  const { readAnswer } = await import('../document/read-answer.ts');
  const reading = readAnswer(input);
  if ('error' in reading) throw new UsageError([reading.error], { source });
  const { explainAnswer } = await import('../composition/compose/explain-answer.ts');
  const { theoremFacts } = await import('../output/theorems.ts');
  const facts = new Map(theoremFacts().map((theorem) => [theorem.id, theorem]));
  return { kind: 'answer', answer: explainAnswer(reading.answer), facts };
}

/** The mechanisms of a type, with the theorems that price them. */
async function mechanismsOf(type: string): Promise<Explained> {
  const { mechanismFacts } = await import('./theorems.ts');
  const { theoremFacts } = await import('../output/theorems.ts');
  const mechanisms = await mechanismFacts(type);
  const ids = new Set(mechanisms.flatMap(({ one, ten }) => [one, ten]));
  return { kind: 'mechanisms', mechanisms, theorems: theoremFacts().filter(({ id }) => ids.has(id)) };
}

async function nothingKnown(what: string): Promise<InputError> {
  const { allNames } = await import('../output/theorems.ts');
  const { typesWithExample } = await import('../document/mechanism/catalogue.ts');
  const message = `unknown bound, theorem, ledger rule, mechanism type or code ${quote(what)}`;
  const hint = `${didYouMean(what, [...allNames(), ...typesWithExample()])}To list the theorems, run dpcompose theorems. Codes are those that --json prints. Give an answer as a file or as -.`;
  return { code: 'unknown-theorem', path: 'WHAT', message, hint };
}

/** `dpcompose explain`: what a theorem, a rule or a code says; or why an answer is what it is. */
export const explainCommand = commandOf<Explained>({
  name: 'explain',
  about:
    'Explains a theorem or a ledger rule (statement, assumptions, differences from the paper); a type of mechanism and the theorems for it; a code of a warning, refusal or error, and how to fix it; or an answer of compose --json, and why each other bound is larger or does not apply.',
  operands: [
    offering(
      new Argument(
        '[WHAT]',
        'a bound, theorem, rule, mechanism type or code, or a file with an answer (default: standard input)',
      ),
      async () => (await import('../output/theorems.ts')).allNames(),
    ),
  ],
  examples: EXAMPLES,
  forms: formsOf(
    async (explained) => {
      const { explainOutput, mechanismsOutput, namedOutput } = await import('../output/explain.ts');
      switch (explained.kind) {
        case 'named':
          return namedOutput(explained.namedFacts);
        case 'mechanisms':
          return mechanismsOutput(explained.theorems, explained.mechanisms);
        case 'answer':
          return explainOutput(explained.answer, explained.facts);
      }
    },
    'table',
    'json',
    'markdown',
  ),
  async read({ operands: [what], errors, io }) {
    const { factsNamed } = await import('../output/theorems.ts');
    const { typesWithExample } = await import('../document/mechanism/catalogue.ts');
    const namedFacts = what === undefined ? null : factsNamed(what);
    if (what !== undefined && namedFacts === null && typesWithExample().includes(what)) {
      return async () => ({ result: await mechanismsOf(what) });
    }
    if (what !== undefined && namedFacts === null && !LOOKS_LIKE_FILE.test(what)) errors.push(await nothingKnown(what));
    const document = namedFacts === null && errors.length === 0 ? await readGiven(what, io, ANSWER) : null;
    if (namedFacts === null && document === null && errors.length === 0) {
      const hint =
        'Give the name of a bound or a code, such as br-adaptive or delta-infeasible, or pipe in the output of compose --json.';
      errors.push(nothingToRead(what, 'WHAT', 'explain', hint));
    }
    if (errors.length > 0) throw new UsageError(errors);
    const explained =
      document === null ? { kind: 'named' as const, namedFacts: namedFacts! } : await answerOf(document);
    return () => ({ result: explained });
  },
});
