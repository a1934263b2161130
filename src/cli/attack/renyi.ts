import { Command } from 'commander';
import type { RenyiAttack, RenyiQuestion } from '../../composition/attack/renyi.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { InputError } from '../../document/core/specification.ts';
import {
  ATTACK,
  readInstances,
  readRuns,
  repetitionFor,
  type InstancesFlags,
  type SimulationFlags,
  reported,
} from './options.ts';
import { type NumberRange, requireNumberOption } from '../kit/number-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { commandOf } from '../kit/command.ts';

interface Flags extends InstancesFlags, SimulationFlags {
  readonly alpha?: string;
  readonly epsilon?: string;
  readonly target?: string;
}

const ALPHA: NumberRange = {
  flag: '--alpha',
  allowed: 'a number from 1.001 to 100',
  example: '2',
  contains: (value) => value.gte('1.001') && value.lte(100),
};

const EPSILON: NumberRange = {
  flag: '--epsilon',
  allowed: 'a number from 1e-9 to 100',
  example: '1',
  contains: (value) => value.gte('1e-9') && value.lte(100),
};

const TARGET: NumberRange = {
  flag: '--target',
  allowed: 'a number above 0 and at most 100',
  example: '10',
  contains: (value) => value.gt(0) && value.lte(100),
};

/** The target, where none is given: one that the printed constants miss, and that is more than a mechanism has. */
const usualTarget = (epsilon: Decimal): Decimal => Decimal.max(6, Decimal.min(100, epsilon.times(2)));

const EXAMPLES = `
Examples:
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 10
  dpcompose attack renyi --alpha 8 --epsilon 0.5 --instances 1000 --json
  dpcompose attack renyi --alpha 2 --epsilon 1 --target 3 --runs 2000 --seed 5`;

function readQuestion(flags: Flags, errors: InputError[]): RenyiQuestion {
  const read = (text: string | undefined, range: NumberRange, what: string): Decimal =>
    requireNumberOption(text, range, what, errors) ?? new Decimal(range.example);
  const alpha = read(flags.alpha, ALPHA, 'the order of the Renyi divergence');
  const epsilon = read(flags.epsilon, EPSILON, 'the divergence that each mechanism may have');
  const target = flags.target === undefined ? usualTarget(epsilon) : read(flags.target, TARGET, 'the target');
  return { alpha, epsilon, target, instances: readInstances(flags, errors) };
}

/** `dpcompose attack renyi`: what Renyi-private continual mechanisms in parallel reveal. */
export const attackRenyiCommand = commandOf<RenyiAttack, Flags>({
  command: () =>
    new Command('renyi')
      .summary('Renyi-private continual mechanisms in parallel')
      .description(
        'Runs the adversary of Henzinger, Safavi and Vadhan (Thm 13.5) against (alpha, epsilon)-RDP continual mechanisms in parallel of which one may receive different data: its view has a divergence above any target. The constants printed in the paper stand beside those that prove it.',
      )
      .optionsGroup('What is attacked:')
      .option('--alpha <A>', 'the order of the Renyi divergence')
      .option('--epsilon <E>', 'the divergence that each mechanism may have')
      .option('--target <E>', 'the divergence that the view is to exceed (default: 6, or twice epsilon)')
      .addOption(ATTACK.instances())
      .optionsGroup('How it is run:')
      .addOption(ATTACK.runs())
      .addOption(ATTACK.seed()),
  examples: EXAMPLES,
  forms: {
    table: async (answer, { layout }) =>
      (await import('../../report/attack/renyi-table.ts')).renyiTable(answer, await layout()),
    json: async (answer, { version }) => (await import('../../report/attack/json.ts')).renyiJson(answer, version),
  },
  async read({ flags, errors }) {
    const asked = readRuns(flags, errors);
    const question = readQuestion(flags, errors);
    if (errors.length > 0) throw new UsageError(errors);
    const { renyiAttack, renyiExpectations } = await import('../../composition/attack/renyi.ts');
    const expected = renyiExpectations(question);
    const repetition = repetitionFor(asked, expected.messages.upper.toNumber(), errors);
    return (report) => ({ result: renyiAttack(expected, reported(repetition, report)) });
  },
});
