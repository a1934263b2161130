import type { Entry } from '../../privacy/mechanism.ts';
import { toEntry } from './entries.ts';
import { entriesSchema } from './entry-schema.ts';
import type { Path } from '../core/input-error.ts';
import { CHUNK, validate, type Diagnostics } from '../core/validate.ts';

/** Checks a list of entries; `toPath` leads from paths in the list to those of the input. */
export function validateEntries(
  raw: readonly unknown[],
  diagnostics: Diagnostics,
  toPath: (path: Path) => Path,
): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < raw.length; start += CHUNK) {
    const chunk = validate(entriesSchema, raw.slice(start, start + CHUNK), diagnostics, ([index, ...rest]) =>
      toPath([start + Number(index), ...rest]),
    );
    for (const entry of chunk ?? []) entries.push(toEntry(entry));
  }
  return entries;
}
