import { MOST_STEP_DIGITS } from '../composition/solve/largest-parameter.ts';
import {
  solve as solveWithin,
  solveTotal,
  type AskedQuestion,
  type SolveOptions,
  type SolveOutcome,
} from '../composition/solve/solve.ts';
import type { InputError } from '../document/core/specification.ts';
import { exactForm, type ExactForm } from '../document/structure/normal-form.ts';
import { grouped } from '../output/kit/prose.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { refused } from './kit/refusal.ts';
import { answerIn, solveOutput } from '../output/solve.ts';
import { COMPOSED, composedFlags, specArgument, EFFORT, effortOf } from './kit/shared-options.ts';
import { EXIT } from './kit/io.ts';
import { readDocumentOf, specificationIn, type Origin } from './kit/load-specification.ts';
import { inGroup, wholeOption } from './kit/option.ts';
import type { Report } from './kit/progress.ts';
import { limitsOf } from './kit/risk-flags.ts';
import type { SourceText } from './kit/source.ts';
import { UsageError } from './kit/usage-error.ts';
import { askedOf, formWithout, isAllThatVaries, SOLVE, soughtIn } from './solve-question.ts';

const OPTIONS = {
  ...COMPOSED,
  ...SOLVE,
  ...inGroup('Computation:', {
    digits: wholeOption(
      '--digits <N>',
      'significant digits of a parameter, 1 to 12 (default: 6)',
      '12',
      1,
      MOST_STEP_DIGITS,
    ),
  }),
  ...EFFORT,
};

const EXAMPLES = `
Values of --find:
  count          largest count; for several mechanisms, the largest integer
                 multiple of their counts
  parameter      largest epsilon, rho or mu, or smallest scale or sigma; for
                 several mechanisms, the largest common factor (noise is divided
                 by it)
  epsilon, scale, sigma, rho, mu
                 the same, if it is the parameter of all mechanisms that vary
  reports        smallest number of users of shuffled reports
  instances, sparsity, users, differing
                 largest such number of a part that has it
  total-epsilon, total-delta
                 total of all mechanisms (the default if you give only one of
                 --epsilon and --delta)
In place of a budget, give a risk: --max-advantage, or one --max-tpr. If only
one mechanism varies, omit the parameter that --find names. The answer is
certified to be within the budget. If the next larger value (for noise, the next
smaller) certainly exceeds it, solve says so; else it prints the open interval.

Exit codes: 0 if a value is found; 1 if no value or every value fits the budget,
or if time ran out (then it prints the two values around the answer).

Examples:
  dpcompose solve -m dp:epsilon=0.1 --find count --epsilon 1 --delta 1e-6
  dpcompose solve -m gaussian:count=30 --find sigma --epsilon 2 --delta 1e-6
  dpcompose solve release.json --find epsilon --vary counts --max-tpr 0.05@0.01`;

function solved(request: AskedQuestion, options: SolveOptions, report: Report | undefined): SolveOutcome {
  if (report === undefined) {
    return request.kind === 'total'
      ? solveTotal(request.problem, request.query, options)
      : solveWithin(request.question, options);
  }
  if (request.kind === 'total') return solveTotal(request.problem, request.query, { ...options, progress: report });
  let tried = 0;
  return solveWithin(request.question, {
    ...options,
    attempted: (values) => {
      tried = values;
    },
    progress: (what, share) => {
      report(`attempt ${grouped(tried + 1)}, ${what}`, share);
    },
  });
}

/** The outcome of a question about a specification. */
interface Solved {
  readonly outcome: Exclude<SolveOutcome, { readonly kind: 'refused' }>;
  readonly request: AskedQuestion;
  /** The specification in normal form, as it was given. */
  readonly input: ExactForm;
}

/** Reads what is given; where it lacks only the value that is sought, with one from which the search begins. */
async function loadedWith(document: SourceText | null, origin: Origin, find: string | undefined) {
  try {
    return { specification: await specificationIn(document, origin), sought: null, error: null };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    for (const sought of soughtIn(error, find, origin.flags)) {
      try {
        const specification = await specificationIn(document, { ...origin, flags: sought.flags });
        return { specification, sought, error };
      } catch (other) {
        if (!(other instanceof UsageError)) throw other;
      }
    }
    throw error;
  }
}

/** `dpcompose solve`: the one number that is not known, within a budget. */
export const solveCommand = commandOf<Solved, typeof OPTIONS>({
  name: 'solve',
  about:
    'Finds the largest count, largest parameter or smallest noise that meets a budget, or the total epsilon or delta.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(({ outcome, request, input }) => solveOutput(outcome, request, input), 'table', 'json'),
  async read({ operands: [source], flags, errors, io }) {
    const { find, epsilon, delta, digits } = flags;
    const target = { epsilon, delta, find, limits: limitsOf(flags) };
    const effort = effortOf(flags);
    const origin = { command: 'solve', source, flags: composedFlags(flags), errors, io } as const;
    const document = await readDocumentOf(origin);
    const { specification, sought, error } = await loadedWith(document, origin, find);
    const mistakes: InputError[] = [];
    const request = askedOf(specification, flags.vary ?? [], target, mistakes);
    if (request === null) throw error ?? new UsageError(mistakes);
    const isSought =
      sought !== null && request.kind === 'within' && isAllThatVaries(sought, specification, request.question);
    if (error !== null && !isSought) throw error;
    const form = exactForm(specification);
    const input = sought === null ? form : formWithout(form, sought, specification);
    const options = { ...effort, ...(digits === undefined ? {} : { digits }) };
    return (report) => {
      const outcome = solved(request, options, report);
      if (outcome.kind === 'refused') throw refused(outcome.refusal);
      const warnings = answerIn(outcome)?.warnings ?? [];
      const exit = outcome.kind === 'solved' ? EXIT.done : EXIT.no;
      return { result: { outcome, request, input }, warnings, exit };
    };
  },
});
