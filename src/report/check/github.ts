import { isFile, itemsOf, type CheckItem, type CheckReport } from './results.ts';
import { filesText, itemLines, totalText } from './words.ts';
import { printable } from '../kit/prose.ts';

const TITLES = {
  exceeds: 'Privacy budget exceeded',
  undecided: 'Not shown to be within the privacy budget',
  refused: 'No theorem covers this',
  unreadable: 'Specification cannot be read',
} as const;

const CODES: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A', ':': '%3A', ',': '%2C' };

/** Data of a workflow command: no line of it can begin another command. */
const data = (text: string): string => text.replace(/[%\r\n]/g, (character) => CODES[character] ?? '');

/** A property of a workflow command, which `,` and `:` would end. */
const property = (text: string): string => text.replace(/[%\r\n:,]/g, (character) => CODES[character] ?? '');

/** Each line as a person may see it; other controls than the ends of lines written out. */
const visible = (text: string): string => text.split('\n').map(printable).join('\n');

function annotation(place: CheckItem['place'], title: string, message: string): string {
  const properties = [
    ...(place === null ? [] : [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`]),
    `title=${property(title)}`,
  ];
  return `::error ${properties.join(',')}::${data(visible(message))}\n`;
}

function annotations(item: CheckItem): string {
  const { outcome, place } = item;
  if (outcome.kind === 'within') return '';
  const title = TITLES[outcome.kind];
  if (outcome.kind === 'unreadable') {
    return outcome.unreadable
      .flatMap(({ file, errors }) =>
        errors.map(({ path, message, hint, line = 1, column = 1 }) => {
          const at = isFile(file) ? { file, line, column } : null;
          return annotation(at, title, `${path}: ${message}. ${hint}`);
        }),
      )
      .join('');
  }
  return annotation(place, title, `${filesText(item)}: ${itemLines(item).join('\n')}`);
}

/**
 * The outcome of a check as workflow commands of GitHub Actions: one annotation for each specification that is not
 * within its budget, at its place in the file, and a line of plain text at the end.
 */
export function checkGithub(report: CheckReport): string {
  return `${itemsOf(report).map(annotations).join('')}${totalText(report)}\n`;
}
