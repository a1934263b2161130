import type { Answer } from '../composition/core/outcome.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { composeJson } from '../report/compose/json.ts';
import { commandOf } from './kit/command.ts';
import { COMPOSED, specArgument, TARGET } from './kit/document-options.ts';
import { loadQuestion, type Question } from './kit/load-specification.ts';
import { inGroup, PRINTED, switchOption, wholeOption } from './kit/option.ts';
import { covered, warned } from './kit/refusal.ts';
import { STRICT } from './kit/shared-options.ts';
import { WORK, workOf } from './kit/work-options.ts';

const OPTIONS = {
  ...COMPOSED,
  ...TARGET(),
  ...WORK(),
  ...inGroup('How it is computed:', {
    precision: wholeOption(
      '--precision <N>',
      'compute again in decimals of N digits (20 to 200), where possible',
      '50',
      20,
      200,
    ),
  }),
  ...inGroup(PRINTED, { all: switchOption('--all', 'also show the bounds that do not apply, and why'), ...STRICT }),
};

const EXAMPLES = `
A mechanism is TYPE:key=value,key=value with one of these types:
  dp:epsilon=E[,delta=D]            (E, D)-differential privacy
  exponential:epsilon=E             exponential mechanism; or bounded-range:...
                                      with weight exp(C u): coefficient=C and,
                                      of u, range=R or
                                      sensitivity=S[,monotonic=true]
  report-noisy-max:noise=N,...      with gumbel, laplace or exponential noise;
                                      keys of exponential, or scale=B for C=1/B
  permute-and-flip:...              the same keys, without noise
  laplace:scale=B[,sensitivity=S]   Laplace noise; or laplace:epsilon=E
  gaussian:sigma=B[,sensitivity=S]  Gaussian noise; or variance=V for B^2, or
                                      noise-multiplier=M for B/S, or
                                      epsilon=E,delta=D for the least noise of
                                      that guarantee
  discrete-laplace:scale=B          the same on whole numbers,
  discrete-gaussian:sigma=B           with [,sensitivity=N] a whole number; or
                                      variance=V, such as 10000/11
  tree-aggregation:steps=N,...      DP-FTRL: noise-multiplier=M and, of one
                                      person, participations=K
                                      [,separation=B,nodes=completed,
                                      restart-every=R]
  banded-matrix:steps=N,...         BandMF: the same without its trees, and
                                      coefficients=C;C;... or bands=B
                                      [,column-norm=S]
  finite-pair:p=P;P;...,q=Q;Q;...   probabilities of outcomes for neighbours,
                                      [,direction=either|fixed]
  trade-off:points=A:B;A:B;...      type II error of at least B at a type I
                                      error A, and straight between: points of
                                      a smooth curve promise more than it
  zcdp:rho=R                        zero-concentrated differential privacy
  rdp:alpha=A,epsilon=E             Renyi differential privacy; or
                                      rdp:orders=A:E;A:E;...
  gdp:mu=M                          Gaussian differential privacy
and count=N, label=TEXT, kind=noninteractive (default)|interactive|continual;
on samples sampling=poisson|without-replacement|shuffled with rate=Q, and
neighbours=add-remove|replace-one.
For the shell, semicolons need quotes: -m 'finite-pair:p=0.9;0.1,q=0.1;0.9'.
A document may also hold groups, parallel instances, partitions and users: see
dpcompose plan --help. --set changes values of it before it is composed; in zsh
brackets need quotes, or write mechanisms.0.count=50. With -m nothing is read
from a pipe, unless - says so.

Examples:
  dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6
  dpcompose compose -m exponential:epsilon=0.1,count=100 --delta 1e-6 --nonadaptive
  dpcompose compose -m dp:epsilon=0.5,delta=1e-7 -m dp:epsilon=0.2,count=30 --epsilon 3
  dpcompose compose privacy.json --set mechanisms[0].count=50
  dpcompose compose privacy.json --json | jq .answer.epsilon.upper`;

/** An answer, what was asked, and whether bounds that do not apply are shown too. */
interface Composed {
  readonly answer: Answer;
  readonly asked: Question;
  readonly all: boolean;
}

/** `dpcompose compose`: from mechanisms to the certified cost of all of them together. */
export const composeCommand = commandOf<Composed, typeof OPTIONS>({
  name: 'compose',
  about:
    'The smallest epsilon at a delta, or the smallest delta at an epsilon, that holds for all mechanisms together, by every theorem that applies.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: {
    table: async ({ answer, asked, all }, { layout }) =>
      (await import('../report/compose/table.ts')).tableReport(answer, asked, { ...(await layout()), all }),
    json: ({ answer, asked }, { version }) => composeJson(answer, exactForm(asked), version),
  },
  async read({ operands: [source], flags, format, ...given }) {
    const work = workOf(flags);
    const asked = await loadQuestion({ ...given, command: 'compose', source, flags });
    const { compose } = await import('../composition/compose/compose.ts');
    const { all, precision } = flags;
    const directions = all || format === 'json';
    return async (progress) => {
      const outcome = covered(
        compose(asked, asked.target, { ...work, directions, ...(progress && { progress }) }),
        asked,
      );
      let answer = warned(outcome.answer, asked);
      if (precision !== undefined) {
        const { secondOpinion } = await import('../composition/compose/second-opinion.ts');
        answer = secondOpinion(asked, answer, precision, work);
      }
      return { result: { answer, asked, all }, warnings: answer.warnings };
    };
  },
});
