import { Command } from 'commander';
import type { Context } from './context.ts';

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

/** Every command, by its name, in the order of the list. */
const COMMANDS: Readonly<Record<string, Listing>> = {
  compose: {
    group: COMPOSE,
    summary: 'what mechanisms cost together',
    load: async () => (await import('./compose.ts')).composeCommand,
  },
  gap: {
    group: COMPOSE,
    summary: 'what adaptivity costs exponential mechanisms',
    load: async () => (await import('./gap.ts')).gapCommand,
  },
  ledger: {
    group: BUDGETS,
    summary: 'a privacy budget kept in a file, for parameters chosen along the way',
    load: async () => (await import('./ledger.ts')).ledgerCommand,
  },
  plan: {
    group: SYSTEMS,
    summary: 'theorem and price of every part',
    load: async () => (await import('./plan.ts')).planCommand,
  },
  design: {
    group: SYSTEMS,
    summary: 'check a mechanism that runs others',
    load: async () => (await import('./design.ts')).designCommand,
  },
  attack: {
    group: SYSTEMS,
    summary: 'run the attacks behind the refusals',
    load: async () => (await import('./attack.ts')).attackCommand,
  },
  lazy: {
    group: LEARNING,
    summary: 'private online learning by lazy algorithms (L2P)',
    load: async () => (await import('./lazy.ts')).lazyCommand,
  },
  validate: {
    group: DOCUMENTS,
    summary: 'check a specification',
    load: async () => (await import('./validate.ts')).validateCommand,
  },
  schema: {
    group: DOCUMENTS,
    summary: 'the JSON Schemas of input and output',
    load: async () => (await import('./schema.ts')).schemaCommand,
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
