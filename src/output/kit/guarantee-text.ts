import { wordingOf } from '../../document/mechanism/entry-schema.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { givenText } from './number.ts';
import { grouped, printable } from './prose.ts';

/** The guarantee of a mechanism, or the noise it adds: `(0.1, 0)-DP`, `Laplace noise of scale 3`. */
export const guaranteeText = (mechanism: Mechanism): string =>
  wordingOf(mechanism).words(mechanism, { number: givenText, whole: grouped });

/** A label in quotes after a space; nothing where there is none. */
export const labelText = (label: string | null): string => (label === null ? '' : ` "${printable(label)}"`);

/** `4 x continual (0.1, 1e-7)-DP "counter"`. */
export function entryText({ mechanism, count, kind, label }: Entry): string {
  const times = count === 1 ? '' : `${grouped(count)} x `;
  const manner = kind === 'noninteractive' ? '' : `${kind} `;
  return `${times}${manner}${guaranteeText(mechanism)}${labelText(label)}`;
}

/** `41 mechanisms in 2 entries`. */
export function mechanismsText(entries: readonly Entry[]): string {
  const count = entries.reduce((sum, entry) => sum + BigInt(entry.count), 0n);
  return `${grouped(count)} mechanism${count === 1n ? '' : 's'} in ${grouped(entries.length)} ${entries.length === 1 ? 'entry' : 'entries'}`;
}
