import type { DpEvent, WrittenEvent } from '../../document/events/written-event.ts';
import { quote } from '../../document/core/quote.ts';

/** The width up to which a call stays on one line. */
const WIDTH = 120;

type Attribute = DpEvent['attributes'][string];

const isList = (value: Attribute): value is readonly DpEvent[] => Array.isArray(value);

const hasLabel = ({ label = null }: DpEvent): boolean => label !== null;

/** The label as a comment on a line of its own. */
const comment = ({ label = null }: DpEvent, indent: string): string =>
  label === null ? '' : `${indent}# ${quote(label).replace(/^"(.*)"/, '$1')}\n`;

function oneLine(value: Attribute): string {
  if (typeof value === 'string') return value;
  if (isList(value)) return `[${value.map(oneLine).join(', ')}]`;
  const attributes = Object.entries(value.attributes).map(([key, each]) => `${key}=${oneLine(each)}`);
  return `dp_event.${value.className}(${attributes.join(', ')})`;
}

const isShort = (value: Attribute, before: number): boolean =>
  !(isList(value) && (value.length > 1 || value.some(hasLabel))) && before + oneLine(value).length <= WIDTH;

function lines(value: Attribute, indent: string, before: number): string {
  if (typeof value === 'string' || isShort(value, before)) return oneLine(value);
  const deeper = `${indent}    `;
  if (isList(value)) {
    const items = value.map((each) => `${comment(each, deeper)}${deeper}${lines(each, deeper, deeper.length + 1)},\n`);
    return `[\n${items.join('')}${indent}]`;
  }
  const attributes = Object.entries(value.attributes).map(([key, each]) => {
    const start = `${deeper}${key}=`;
    return `${start}${lines(each, deeper, start.length + 1)},\n`;
  });
  return `dp_event.${value.className}(\n${attributes.join('')}${indent})`;
}

const REPLACED = `# A record is replaced: noise multipliers are in units of its norm bound, half the sensitivity. Accountants that take
# them as units of the sensitivity (issue 378 of google/differential-privacy) give an epsilon that is too small.
`;

/** An event of dp_accounting as the Python that makes it. */
export function eventPython({ event, name, replaced }: WrittenEvent): string {
  const title = name === null ? '' : comment({ ...event, label: name }, '');
  const label = comment(event, '');
  return `from dp_accounting import dp_event\n\n${title}${replaced ? REPLACED : ''}${label}event = ${lines(event, '', 8)}\n`;
}
