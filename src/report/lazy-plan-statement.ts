import type { Alternative } from '../lazy/chosen.ts';
import type { NoSetting } from '../lazy/named-setting.ts';
import type { Plan, PlanProblem, PlanRow } from '../lazy/plan.ts';
import { aboutText, probabilityText, mostText, parameterText } from './lazy-number.ts';
import { givenText, upperText } from './number.ts';
import { counted, grouped, listed } from './prose.ts';

/** What is asked, in one line. */
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
  `${parameter === 'batch' ? `B ${grouped(value)}` : `p ${aboutText(value)}`} ${changed(regret, safe)}`;

/** Why a search chose these parameters, and what others would do to the safe regret, about. */
export function choiceText({ audit, regret, chosen }: PlanRow): string {
  if (chosen === null) return '';
  const { setting, measure } = audit;
  const convex = measure.type === 'regularised-multiplicative-weights';
  const largest =
    chosen.limit === 'regret'
      ? `${convex ? 'beta' : 'eta'} is where the safe regret is least even without privacy`
      : `${convex ? 'beta' : 'eta'} is the largest that exact accounting allows`;
  const fakes = setting.fakeSwitch.isZero()
    ? 'no switch has to be fake, since the factor e^(-2 B eta) already makes enough of them at random'
    : `p ${probabilityText(setting.fakeSwitch)} is the best share of fake switches`;
  const safe: number = regret.safe ?? Infinity;
  const others = chosen.others.map((other) => alternativeText(other, safe));
  const alternatives = others.length === 0 ? '' : ` Of the safe regret, about: ${listed(others)}.`;
  return `B ${grouped(setting.batch)} has the least safe regret of all batches searched; ${largest}; ${fakes}.${alternatives}`;
}

/** What is best, and by how much. */
function bestText({ best, rows, problem }: Plan): string {
  if (best === null) return 'None of these parameters certainly meets the target with a known regret.';
  const printed = rows.filter(
    ({ chosen, meetsTarget, regret }) => chosen === null && meetsTarget && regret.safe !== null,
  );
  const nearest = printed.reduce((least, { regret }) => Math.min(least, regret.safe ?? Infinity), Infinity);
  const safe: number = best.regret.safe ?? Infinity;
  const than =
    nearest === Infinity || best.chosen === null
      ? ''
      : ` The best parameters from a formula that meet the target have ${mostText(nearest)}.`;
  const scale = problem.problem === 'ope' ? 1 : problem.lipschitz.times(problem.diameter).toNumber();
  const vacuous = safe >= problem.rounds * scale ? ' That is no less than the most there can be: it says nothing.' : '';
  const epsilon = best.audit.accounting.reduce((least, row) => (row.epsilon.upper < least.epsilon.upper ? row : least));
  return `${best.audit.id ?? ''} is (${upperText(epsilon.epsilon)}, ${givenText(problem.delta)})-differentially private by exact accounting, with an expected regret of at most ${mostText(safe)}.${vacuous}${than}`;
}

const missingText = ({ id, fakeSwitch }: NoSetting): string =>
  `${id} gives no parameters here: its p is ${aboutText(fakeSwitch)}, which is above 1.`;

/** In sentences: what is best, why, what print claims of it, and what gives no parameters. */
export function planStatement(plan: Plan): string[] {
  const { best, rows, missing, claimedRate, problem } = plan;
  const failing = rows.filter(({ chosen, claimsTarget }) => chosen === null && !claimsTarget);
  const theorem = problem.problem === 'ope' ? 'Theorem 3.10' : 'Theorem 3.12';
  return [
    bestText(plan),
    ...(best?.chosen ? [choiceText(best)] : []),
    ...(failing.length === 0
      ? []
      : [
          `With ${listed(failing.map(({ audit }) => audit.id ?? ''))} Theorem 3.2 does not give the target: its epsilon is above it, or a hypothesis fails (lazy audit says which).`,
        ]),
    `${theorem} claims a regret of ${aboutText(claimedRate)} up to a constant. Claimed regret rests on Proposition 3.3, which is not proved, and leaves out constants; the safe one is an upper bound on the expected regret against losses fixed in advance.`,
    ...missing.map(missingText),
  ];
}
