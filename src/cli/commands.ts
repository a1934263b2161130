import { Command } from 'commander';
import type { Context } from './kit/context.ts';

/** A command as the list tells it, and what loads it: what a run does not use costs it nothing at the start. */
type Listing = readonly [summary: string, load: () => Promise<(context: Context) => Command>];

/** Every command, by its name, in the order of the list, under its headings. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Listing>>>> = {
  'What mechanisms cost together:': {
    compose: ['what mechanisms cost together', async () => (await import('./compose.ts')).composeCommand],
    solve: ['the count or parameter that fits a budget', async () => (await import('./solve/solve.ts')).solveCommand],
    sgd: [
      'training by noisy gradients (DP-SGD): cost, noise, length',
      async () => (await import('./sgd/sgd.ts')).sgdCommand,
    ],
    diff: ['what a change of specification costs', async () => (await import('./diff.ts')).diffCommand],
    compare: [
      'two designs beside each other, and where each is better',
      async () => (await import('./compare.ts')).compareCommand,
    ],
    batch: ['many specifications, one in each line', async () => (await import('./batch/batch.ts')).batchCommand],
    gap: ['what adaptivity costs exponential mechanisms', async () => (await import('./gap/gap.ts')).gapCommand],
    check: [
      'whether specifications are within their budgets',
      async () => (await import('./check/check.ts')).checkCommand,
    ],
    risk: [
      'what can be done with the results: membership, guesses, attributes',
      async () => (await import('./risk/risk.ts')).riskCommand,
    ],
    statement: ['a privacy statement in plain words', async () => (await import('./statement.ts')).statementCommand],
    curve: [
      'cost along counts, deltas or epsilons, also drawn',
      async () => (await import('./curve/curve.ts')).curveCommand,
    ],
    figure: ['figures of papers, drawn again', async () => (await import('./figure.ts')).figureCommand],
  },
  'Budgets:': {
    ledger: [
      'a privacy budget kept in a file, for parameters chosen along the way',
      async () => (await import('./ledger/ledger.ts')).ledgerCommand,
    ],
  },
  'Systems and attacks:': {
    plan: ['theorem and price of every part', async () => (await import('./plan.ts')).planCommand],
    design: ['check a mechanism that runs others', async () => (await import('./design/design.ts')).designCommand],
    attack: ['run the attacks behind the refusals', async () => (await import('./attack/attack.ts')).attackCommand],
  },
  'Private online learning:': {
    lazy: [
      'private online learning by lazy algorithms (L2P)',
      async () => (await import('./lazy/lazy.ts')).lazyCommand,
    ],
  },
  'Theorems:': {
    theorems: ['every bound and theorem, with its source', async () => (await import('./theorems.ts')).theoremsCommand],
    explain: [
      'what a theorem or a code says; why an answer is so',
      async () => (await import('./explain.ts')).explainCommand,
    ],
  },
  'Documents:': {
    validate: ['check a specification', async () => (await import('./validate.ts')).validateCommand],
    convert: ['event lists and forms of a specification', async () => (await import('./convert.ts')).convertCommand],
    schema: ['the JSON Schemas of input and output', async () => (await import('./schema.ts')).schemaCommand],
  },
  'This program:': {
    'self-test': ['check the arithmetic of this machine', async () => (await import('./self-test.ts')).selfTestCommand],
    complete: [
      'scripts that complete command lines',
      async () => (await import('./complete/complete.ts')).completeCommand,
    ],
  },
};

/** The name of every command. */
export const COMMAND_NAMES: readonly string[] = Object.values(GROUPS).flatMap((listings) => Object.keys(listings));

/** The command that a command line runs, or asks for help with; null if it names none. */
export function commandNamed(argv: readonly string[]): string | null {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const name = first === 'help' ? second : first;
  return name !== undefined && COMMAND_NAMES.includes(name) ? name : null;
}

/** All commands: those for which `wanted` holds in full, of the others name and summary. */
export function listCommands(wanted: (name: string) => boolean, context: Context): Promise<Command[]> {
  return Promise.all(
    Object.entries(GROUPS).flatMap(([group, listings]) =>
      Object.entries(listings).map(async ([name, [summary, load]]) => {
        const command = wanted(name) ? (await load())(context) : new Command(name);
        return command.summary(summary).helpGroup(group);
      }),
    ),
  );
}
