import { Command } from 'commander';
import type { InputError } from '../document/core/specification.ts';
import type { Context } from './kit/context.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { PrintFlags } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';
import { printOptions } from './kit/print-options.ts';

const FORMATS = ['table', 'json'] as const;

const EXAMPLES = `
Examples:
  dpcompose self-test
  dpcompose self-test --json | jq .passed
  dpcompose self-test --quiet && dpcompose compose privacy.json`;

/** `dpcompose self-test`: whether the program computes here what it was tested to compute. */
export function selfTestCommand(context: Context): Command {
  return printOptions(
    new Command('self-test').description(
      'Computes values again that independent code computed with many digits, and compares the elementary functions of this node with decimal arithmetic. Exit code 1 if a value is wrong.',
    ),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: PrintFlags) => {
      context.ends(await selfTest(flags, context));
    });
}

async function selfTest(flags: PrintFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  if (errors.length > 0) throw new UsageError(errors);
  const put = await openDestination(flags, io);
  const { default: golden } = await import('../../fixtures/golden/reference.json', { with: { type: 'json' } });
  const { runSelfTest } = await import('../composition/self-test/run.ts');
  const groups = runSelfTest(golden);
  if (put !== null) {
    if (format === 'json') {
      const { selfTestJson } = await import('../report/self-test/json.ts');
      await put(selfTestJson(groups, io.version ?? 'unknown', version));
    } else {
      const { selfTestTable } = await import('../report/self-test/table.ts');
      await put(selfTestTable(groups, await layoutFor(flags, io)));
    }
  }
  return groups.every(({ checks }) => checks.every(({ passed }) => passed)) ? EXIT.done : EXIT.no;
}
