import type { Command } from 'commander';
import type { Format, Formats } from './format.ts';
import { PRINTED, withOptions, type Options } from './option.ts';
import { SHARED } from './shared-options.ts';

/**
 * A command with the options of all that print a result, in the groups that end its help.
 *
 * @param formats - null where it has one form only
 * @param own - what only this command has among them
 * @param replaces - whether its result may replace a document that others read
 */
export function printOptions(
  command: Command,
  formats: Formats<Format> | null,
  own: Options = {},
  replaces = true,
): Command {
  command.optionsGroup(PRINTED);
  if (formats !== null) command.addOption(SHARED.json()).addOption(SHARED.format(formats));
  command.addOption(SHARED.output());
  if (replaces) command.addOption(SHARED.force());
  command.addOption(SHARED.quiet());
  return withOptions(command, own).addOption(SHARED.noColor()).optionsGroup('Other:').addOption(SHARED.debug());
}
