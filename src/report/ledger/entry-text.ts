import type { Entry } from '../../privacy/mechanism.ts';
import { entryForm } from '../../document/structure/normal-form.ts';
import { shorten } from '../../document/core/quote.ts';
import { grouped } from '../kit/prose.ts';

const NOT_PARAMETERS = ['type', 'count', 'kind', 'label'];

const pairText = (pair: string | readonly string[]): string => (typeof pair === 'string' ? pair : pair.join(':'));

/** The parameters of an entry as -m writes them: `epsilon=0.1,delta=0`. */
export function parametersText(entry: Entry): string {
  const parameters = Object.entries(entryForm(entry)).filter(
    ([key, value]) => !NOT_PARAMETERS.includes(key) && !(key === 'delta' && value === '0'),
  );
  const text = (value: (typeof parameters)[number][1]): string =>
    typeof value === 'object' ? value.map(pairText).join(';') : String(value);
  return parameters.map(([key, value]) => `${key}=${text(value)}`).join(',');
}

/** `40 x dp:epsilon=0.1`, cut short where it is long. */
export function entryText(entry: Entry): string {
  const times = entry.count === 1 ? '' : `${grouped(entry.count)} x `;
  const kind = entry.kind === 'noninteractive' ? '' : `,kind=${entry.kind}`;
  return `${times}${shorten(`${entry.mechanism.type}:${parametersText(entry)}${kind}`)}`;
}
