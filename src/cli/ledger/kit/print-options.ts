import type { Command } from 'commander';
import type { InputError } from '../../../document/core/specification.ts';
import { readFormat } from '../../kit/format.ts';
import { printOptions } from '../../kit/print-options.ts';
import type { PrintFlags } from '../../kit/shared-options.ts';
import { UsageError } from '../../kit/usage-error.ts';
import { withStoreOption } from './store-option.ts';

const FORMATS = ['text', 'json'] as const;

/** The options of what is printed, where that is text or JSON: --format json stands for --json. */
export function withFormats(command: Command): Command {
  return printOptions(command, FORMATS).hook('preAction', () => {
    const errors: InputError[] = [];
    const format = readFormat(command.opts<PrintFlags>(), FORMATS, errors);
    if (errors.length > 0) throw new UsageError(errors);
    if (format === 'json') command.setOptionValue('json', true);
  });
}

/** The same, and where ledgers are. */
export const withPrintOptions = (command: Command): Command => withFormats(withStoreOption(command));
