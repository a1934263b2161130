import { Command } from 'commander';
import type { Context } from './kit/context.ts';

/** A command as the list of commands tells it, and how it is made. */
interface Listing {
  readonly group: string;
  readonly summary: string;
  /** Only the command that runs is loaded: what a run does not use costs it nothing at the start. */
  readonly load: () => Promise<(context: Context) => Command>;
}

const COMPOSE = 'What mechanisms cost together:';
const BUDGETS = 'Budgets:';
const SYSTEMS = 'Systems and attacks:';
const LEARNING = 'Private online learning:';
const DOCUMENTS = 'Documents:';
const LEARN = 'Theorems:';
const SHELL = 'This program:';

/** Every command, by its name, in the order of the list. */
const COMMANDS: Readonly<Record<string, Listing>> = {
  compose: {
    group: COMPOSE,
    summary: 'what mechanisms cost together',
    load: async () => (await import('./compose.ts')).composeCommand,
  },
  solve: {
    group: COMPOSE,
    summary: 'the count or parameter that fits a budget',
    load: async () => (await import('./solve/solve.ts')).solveCommand,
  },
  sgd: {
    group: COMPOSE,
    summary: 'training by noisy gradients (DP-SGD): cost, noise, length',
    load: async () => (await import('./sgd/sgd.ts')).sgdCommand,
  },
  diff: {
    group: COMPOSE,
    summary: 'what a change of specification costs',
    load: async () => (await import('./diff.ts')).diffCommand,
  },
  compare: {
    group: COMPOSE,
    summary: 'two designs beside each other, and where each is better',
    load: async () => (await import('./compare.ts')).compareCommand,
  },
  batch: {
    group: COMPOSE,
    summary: 'many specifications, one in each line',
    load: async () => (await import('./batch/batch.ts')).batchCommand,
  },
  gap: {
    group: COMPOSE,
    summary: 'what adaptivity costs exponential mechanisms',
    load: async () => (await import('./gap/gap.ts')).gapCommand,
  },
  check: {
    group: COMPOSE,
    summary: 'whether specifications are within their budgets',
    load: async () => (await import('./check/check.ts')).checkCommand,
  },
  risk: {
    group: COMPOSE,
    summary: 'what can be done with the results: membership, guesses, attributes',
    load: async () => (await import('./risk/risk.ts')).riskCommand,
  },
  statement: {
    group: COMPOSE,
    summary: 'a privacy statement in plain words',
    load: async () => (await import('./statement.ts')).statementCommand,
  },
  curve: {
    group: COMPOSE,
    summary: 'cost along counts, deltas or epsilons, also drawn',
    load: async () => (await import('./curve/curve.ts')).curveCommand,
  },
  figure: {
    group: COMPOSE,
    summary: 'figures of papers, drawn again',
    load: async () => (await import('./figure.ts')).figureCommand,
  },
  ledger: {
    group: BUDGETS,
    summary: 'a privacy budget kept in a file, for parameters chosen along the way',
    load: async () => (await import('./ledger/ledger.ts')).ledgerCommand,
  },
  plan: {
    group: SYSTEMS,
    summary: 'theorem and price of every part',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  design: {
    group: SYSTEMS,
    summary: 'check a mechanism that runs others',
    load: async () => (await import('./design/design.ts')).designCommand,
  },
  attack: {
    group: SYSTEMS,
    summary: 'run the attacks behind the refusals',
    load: async () => (await import('./attack/attack.ts')).attackCommand,
  },
  lazy: {
    group: LEARNING,
    summary: 'private online learning by lazy algorithms (L2P)',
    load: async () => (await import('./lazy/lazy.ts')).lazyCommand,
  },
  theorems: {
    group: LEARN,
    summary: 'every bound and theorem, with its source',
    load: async () => (await import('./theorems.ts')).theoremsCommand,
  },
  explain: {
    group: LEARN,
    summary: 'what a theorem or a code says; why an answer is so',
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  validate: {
    group: DOCUMENTS,
    summary: 'check a specification',
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  convert: {
    group: DOCUMENTS,
    summary: 'event lists and forms of a specification',
    load: async () => (await import('./convert.ts')).convertCommand,
  },
  schema: {
    group: DOCUMENTS,
    summary: 'the JSON Schemas of input and output',
    load: async () => (await import('./schema.ts')).schemaCommand,
  },
  'self-test': {
    group: SHELL,
    summary: 'check the arithmetic of this machine',
    load: async () => (await import('./self-test.ts')).selfTestCommand,
  },
  complete: {
    group: SHELL,
    summary: 'scripts that complete command lines',
    load: async () => (await import('./complete/complete.ts')).completeCommand,
  },
};

/** The name of every command. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** The command that a command line runs, or asks for help with; null if it names none. */
export function commandNamed(argv: readonly string[]): string | null {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const name = first === 'help' ? second : first;
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? name : null;
}

/** All commands: those for which `wanted` holds in full, of the others name and summary. */
export function listCommands(wanted: (name: string) => boolean, context: Context): Promise<Command[]> {
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, { group, summary, load }]) => {
      const command = wanted(name) ? (await load())(context) : new Command(name);
      return command.summary(summary).helpGroup(group);
    }),
  );
}
