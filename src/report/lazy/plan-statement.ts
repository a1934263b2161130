import { WORTHWHILE } from '../../lazy/planning/best-for-experts.ts';
import type { Alternative, Chosen } from '../../lazy/planning/chosen.ts';
import { isWithoutY } from '../../lazy/core/setting.ts';
import type { NoSetting } from '../../lazy/core/named-setting.ts';
import type { Plan, PlanProblem, PlanRow } from '../../lazy/planning/plan.ts';
import { aboutText, probabilityText, mostText, parameterText } from './kit/number.ts';
import { givenText, upperText } from '../kit/number.ts';
import { counted, grouped, listed } from '../kit/prose.ts';

/** The problem and the privacy target, in one line. */
export function problemText(problem: PlanProblem): string {
  const { rounds, epsilon, delta } = problem;
  const what =
    problem.problem === 'ope'
      ? `${grouped(problem.experts)} experts`
      : `convex losses in dimension ${grouped(problem.dimension)}, L D ${parameterText(problem.lipschitz.times(problem.diameter))}`;
  return `L2P for ${counted(rounds, 'round')}, ${what}, (${givenText(epsilon)}, ${givenText(delta)})-differential privacy`;
}

const changed = (regret: number, safe: number): string => {
  if (regret === Infinity) return 'is not private';
  const percent = Math.round(100 * (regret / safe - 1));
  return percent === 0 ? 'changes it by less than 1%' : `changes it by ${percent > 0 ? '+' : ''}${percent}%`;
};

const alternativeText = ({ parameter, value, regret }: Alternative, safe: number): string =>
  `${parameter === 'batch' ? `B ${grouped(value)}` : `${parameter === 'fakeSwitch' ? 'p' : 'c'} ${aboutText(value)}`} ${changed(regret, safe)}`;

/** The reason why no single parameter lowers the safe regret further. */
function limitText({ audit, chosen }: PlanRow & { readonly chosen: Chosen }): string {
  const { limit } = chosen;
  switch (limit.by) {
    case 'privacy':
      return `with all else the same exact accounting does not give the target for the next ${limit.parameter} of four digits, ${parameterText(limit.next)}`;
    case 'regret':
      return `${limit.parameter} is, to four digits, where the safe regret is least even without privacy`;
    case 'one-batch':
      return `the first x is played in ${audit.setting.rounds === 1 ? 'the only round' : `all ${counted(audit.setting.rounds, 'round')}`}, and nothing is learned or revealed`;
  }
}

function fakesText({ audit: { setting, measure } }: PlanRow): string {
  if (isWithoutY(setting)) return `c ${parameterText(setting.switchRate)} is the best found`;
  if (!setting.fakeSwitch.isZero()) return `p ${probabilityText(setting.fakeSwitch)} is the best found`;
  return measure.type === 'regularised-multiplicative-weights'
    ? 'no switch has to be fake, since eta alone sets how often x is sampled anew'
    : `no switch is fake, since none of the p searched lowers the safe regret by more than ${100 * WORTHWHILE}%: the factor e^(-2 B eta) already makes switches at random`;
}

/** Why a search chose these parameters, and what others would do to the safe regret, about. */
export function choiceText(row: PlanRow): string {
  const { audit, regret, chosen } = row;
  if (chosen === null) return '';
  const batch = `B ${grouped(audit.setting.batch)}`;
  const limit = limitText({ ...row, chosen });
  const others = chosen.others.map((other) => alternativeText(other, regret.safe));
  const alternatives = others.length === 0 ? '' : ` Of the safe regret, about: ${listed(others)}.`;
  if (chosen.limit.by === 'one-batch')
    return `No batch was found that is better than one for all: ${limit}.${alternatives}`;
  return `${batch} is the best batch found; ${limit}; ${fakesText(row)}.${alternatives}`;
}

/** The baseline that looks at no loss, with the bound on its regret. */
const guessText = ({ problem, guessing }: Plan): string =>
  problem.problem === 'ope'
    ? `Drawing one expert uniformly, which looks at no loss, has an expected regret of at most ${mostText(guessing)}`
    : `Playing the centre of the smallest ball around the set, which looks at no loss, has a regret of at most ${mostText(guessing)}`;

/** The best parameters, beside the best from a formula and the baseline. */
function bestText(plan: Plan): string {
  const { best, rows, problem, guessing } = plan;
  if (best === null) return 'None of these parameters certainly meets the target.';
  const printed = rows.filter(({ chosen, meetsTarget }) => chosen === null && meetsTarget);
  const nearest = printed.reduce((least, { regret }) => Math.min(least, regret.safe), Infinity);
  const than =
    nearest === Infinity || best.chosen === null
      ? ''
      : ` The best parameters from a formula that meet the target have ${mostText(nearest)}.`;
  const vacuous = best.regret.safe >= guessing ? ': the bound says nothing here, guess instead' : '';
  const epsilon = best.audit.accounting.reduce((least, row) => (row.epsilon.upper < least.epsilon.upper ? row : least));
  return `${best.audit.id ?? ''} is (${upperText(epsilon.epsilon)}, ${givenText(problem.delta)})-differentially private by exact accounting, with an expected regret of at most ${mostText(best.regret.safe)}.${than} ${guessText(plan)}${vacuous}.`;
}

/** A learner that is better than the best parameters, where one is proved to be. */
const insteadText = ({ problem, instead }: Plan): string | null =>
  instead &&
  `Use ${instead.id} instead: it is (${givenText(problem.epsilon)}, ${givenText(problem.delta)})-differentially private too, with an expected regret of at most ${mostText(instead.regret)}.`;

/** Learners of the block beside L2P, and what stands of each. */
const othersText = ({ problem }: Plan): string =>
  problem.problem === 'ope'
    ? 'Of the other learners, perturbed-leader plays the expert whose sum of losses with Gaussian noise is least, with noise on a binary tree or by the square root of the matrix of sums; afkt23 has a published rate, here with constant 1, which is no bound; no-privacy is Hedge, which is not private.'
    : 'Of the other learners, regularised-leader adds Gaussian noise to sums of gradients, on a binary tree or by the square root of the matrix of sums; akst23 has a published rate, here with constant 1, which is no bound; no-privacy is gradient descent, which is not private.';

const missingText = ({ id, fakeSwitch }: NoSetting): string =>
  `${id} gives no parameters here: its p is ${aboutText(fakeSwitch)}, which is not below 1.`;

/** In sentences: what is best, why, what print claims of it, and what gives no parameters. */
export function planStatement(plan: Plan): string[] {
  const { best, rows, missing, claimedRate, problem } = plan;
  const failing = rows.filter(({ chosen, claimsTarget }) => chosen === null && !claimsTarget);
  const theorem = problem.problem === 'ope' ? 'Theorem 3.10' : 'Theorem 3.12';
  return [
    bestText(plan),
    ...[insteadText(plan)].filter((text) => text !== null),
    ...(best?.chosen ? [choiceText(best)] : []),
    ...(failing.length === 0
      ? []
      : [
          `With ${listed(failing.map(({ audit }) => audit.id ?? ''))} Theorem 3.2 does not give the target: its epsilon is above it, or a hypothesis fails (lazy audit says which).`,
        ]),
    `${theorem} claims a regret of ${aboutText(claimedRate)} up to a constant. Claimed regret rests on Proposition 3.3, which is not proved, and leaves out constants; where none stands the paper claims none. The safe one is an upper bound on the expected regret against losses fixed in advance.`,
    othersText(plan),
    ...missing.map(missingText),
  ];
}
