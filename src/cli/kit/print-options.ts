import type { Command, Option } from 'commander';
import type { Format, Formats } from './format.ts';
import { SHARED } from './shared-options.ts';

/**
 * A command with the options of all that print a result, in the groups that end its help.
 *
 * @param own - what only this command has among them
 */
export function printOptions(command: Command, formats: Formats<Format>, own: readonly Option[] = []): Command {
  command
    .optionsGroup('What is printed:')
    .addOption(SHARED.json())
    .addOption(SHARED.format(formats))
    .addOption(SHARED.output())
    .addOption(SHARED.force())
    .addOption(SHARED.quiet());
  for (const option of own) command.addOption(option);
  return command.addOption(SHARED.noColor()).optionsGroup('Other:').addOption(SHARED.debug());
}
