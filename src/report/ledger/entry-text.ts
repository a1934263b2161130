import type { Entry } from '../../privacy/mechanism.ts';
import { entryForm } from '../../document/structure/normal-form.ts';
import { flatSampling } from '../../document/mechanism/sampling.ts';
import type { NormalValue } from '../../document/core/normal-value.ts';
import { shorten } from '../../document/core/quote.ts';
import { grouped } from '../kit/prose.ts';

const NOT_PARAMETERS = ['type', 'count', 'kind', 'label'];

const isList = (value: NormalValue): value is readonly NormalValue[] => Array.isArray(value);
const listText = (value: NormalValue, separator: string, inner: (item: NormalValue) => string): string =>
  isList(value) ? value.map(inner).join(separator) : typeof value === 'object' ? JSON.stringify(value) : String(value);
const valueText = (value: NormalValue): string => listText(value, ';', (pair) => listText(pair, ':', String));

/** The type of an entry's mechanism as -m writes it. */
export const typeText = (entry: Entry): string => entryForm(entry).type as string;

/** The parameters of an entry as -m writes them: `epsilon=0.1,delta=0`. */
export function parametersText(entry: Entry): string {
  const parameters = Object.entries(flatSampling(entryForm(entry))).filter(
    ([key, value]) => !NOT_PARAMETERS.includes(key) && !(key === 'delta' && value === '0'),
  );
  return parameters.map(([key, value]) => `${key}=${valueText(value)}`).join(',');
}

/** `40 x dp:epsilon=0.1`, cut short where it is long. */
export function entryText(entry: Entry): string {
  const times = entry.count === 1 ? '' : `${grouped(entry.count)} x `;
  const kind = entry.kind === 'noninteractive' ? '' : `,kind=${entry.kind}`;
  return `${times}${shorten(`${typeText(entry)}:${parametersText(entry)}${kind}`)}`;
}
