import { Command } from 'commander';
import type { Context } from './kit/io.ts';

/** A command as the list tells it, and what loads it: what a run does not use costs it nothing at the start. */
type Listing = readonly [summary: string, load: () => Promise<(context: Context) => Command>];

/** Every command, by its name, in the order of the list, under its headings. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Listing>>>> = {
  Accounting: {
    compose: [
      'total (epsilon, delta) of a list of mechanisms',
      async () => (await import('./compose.ts')).composeCommand,
    ],
    solve: [
      'noise, count or other parameter that meets a budget',
      async () => (await import('./solve.ts')).solveCommand,
    ],
    sgd: ['DP-SGD: epsilon, noise multiplier or number of steps', async () => (await import('./sgd.ts')).sgdCommand],
    curve: [
      'epsilon or delta over a range, as a table or a chart',
      async () => (await import('./curve.ts')).curveCommand,
    ],
    compare: [
      'two designs side by side, and where each is better',
      async () => (await import('./compare.ts')).compareCommand,
    ],
    diff: ['effect of each change to a specification', async () => (await import('./diff.ts')).diffCommand],
    batch: ['many specifications, one a line', async () => (await import('./batch/batch.ts')).batchCommand],
    gap: ['price of adaptivity for exponential mechanisms', async () => (await import('./gap.ts')).gapCommand],
    figure: ['figures of papers, recomputed', async () => (await import('./figure.ts')).figureCommand],
    page: ['a page for browsers that does the same', async () => (await import('./page.ts')).pageCommand],
  },
  Risk: {
    risk: [
      'bounds on membership, attribute and reconstruction attacks',
      async () => (await import('./risk.ts')).riskCommand,
    ],
    audit: [
      'lower bounds from membership attacks, beside the claim',
      async () => (await import('./audit.ts')).auditCommand,
    ],
    statement: [
      'plain-language guarantee for lay readers',
      async () => (await import('./statement.ts')).statementCommand,
    ],
  },
  Budgets: {
    check: ['enforce privacy budgets in CI', async () => (await import('./check/check.ts')).checkCommand],
    ledger: [
      'privacy filter or odometer in a file: spend, track, verify',
      async () => (await import('./ledger/ledger.ts')).ledgerCommand,
    ],
  },
  Systems: {
    plan: ['theorem and (epsilon, delta) of every part', async () => (await import('./plan.ts')).planCommand],
    design: ['check a mechanism that runs others', async () => (await import('./design.ts')).designCommand],
    attack: ['attacks that show why a composition is refused', async () => (await import('./attack.ts')).attackCommand],
  },
  Learning: {
    lazy: ['private online learning (L2P)', async () => (await import('./lazy/lazy.ts')).lazyCommand],
  },
  Reference: {
    explain: ['meaning of a theorem, a code or an answer', async () => (await import('./explain.ts')).explainCommand],
    theorems: ['every bound and theorem, with its source', async () => (await import('./theorems.ts')).theoremsCommand],
    validate: ['check a specification for errors', async () => (await import('./validate.ts')).validateCommand],
    convert: [
      'import event lists; change the format of a specification',
      async () => (await import('./convert.ts')).convertCommand,
    ],
    schema: ['JSON Schemas of input and output', async () => (await import('./schema.ts')).schemaCommand],
    'self-test': ['check the arithmetic of this machine', async () => (await import('./self-test.ts')).selfTestCommand],
    complete: ['completion scripts for shells', async () => (await import('./complete.ts')).completeCommand],
  },
};

/** Commands that the help of the program only names. */
const NAMED_ONLY: ReadonlySet<string> = new Set(
  'compare diff batch gap figure page design attack theorems validate convert schema self-test complete'.split(' '),
);

/** The list of commands in the help of the program, a line each; of some their names only. */
export function commandList(): string {
  const lines = Object.entries(GROUPS).flatMap(([group, listings]) => {
    const own = Object.entries(listings).filter(([name]) => !NAMED_ONLY.has(name));
    const others = Object.keys(listings).filter((name) => NAMED_ONLY.has(name));
    const rows = own.map(([name, [summary]]) => [name, summary]);
    if (others.length > 0) rows.push(['also', others.join(', ')]);
    return rows.map(([name = '', text = ''], at) => [at === 0 ? group : '', name, text] as const);
  });
  return lines.map(([group, name, text]) => `${group.padEnd(11)}${name.padEnd(10)}${text}`).join('\n');
}

/** The name of every command. */
export const COMMAND_NAMES: readonly string[] = Object.values(GROUPS).flatMap((listings) => Object.keys(listings));

/** The command that a command line runs, or asks for help with; null if it names none. */
export function commandNamed(argv: readonly string[]): string | null {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const name = first === 'help' ? second : first;
  return name !== undefined && COMMAND_NAMES.includes(name) ? name : null;
}

/** All commands: those for which `isFull` holds in full, of the others name and summary. */
export function listCommands(isFull: (name: string) => boolean, context: Context): Promise<Command[]> {
  return Promise.all(
    Object.values(GROUPS).flatMap((listings) =>
      Object.entries(listings).map(async ([name, [summary, load]]) => {
        const command = isFull(name) ? (await load())(context) : new Command(name);
        return command.summary(summary);
      }),
    ),
  );
}
