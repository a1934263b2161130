import { documentSchema, entriesSchema } from './document-schema.ts';
import { toEntry, toQuery } from './entries.ts';
import { validate, type Findings } from './validate.ts';
import type { Entry } from '../privacy/mechanism.ts';
import type { Path } from './input-error.ts';
import type { Specification } from './specification.ts';

/** Entries checked at a time: zod spreads the issues of a list over a call's arguments, which must not be too many. */
const CHUNK = 1000;

/** Checks a list of entries; `toPath` leads from paths in the list to those of the input. */
export function validateEntries(raw: readonly unknown[], findings: Findings, toPath: (path: Path) => Path): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < raw.length; start += CHUNK) {
    const chunk = validate(entriesSchema, raw.slice(start, start + CHUNK), findings, ([index, ...rest]) =>
      toPath([start + Number(index), ...rest]),
    );
    for (const entry of chunk ?? []) entries.push(toEntry(entry));
  }
  return entries;
}

/** The entries of a document that are too many to be checked in one go with it. */
function furtherEntries(document: unknown): readonly unknown[] {
  if (typeof document !== 'object' || document === null || !('mechanisms' in document)) return [];
  return Array.isArray(document.mechanisms) ? document.mechanisms.slice(CHUNK) : [];
}

/** Checks a document as read from JSON; null if anything is wrong with it, which is noted in `findings`. */
export function validateDocument(document: unknown, findings: Findings): Specification | null {
  const further = furtherEntries(document);
  const head =
    further.length === 0
      ? document
      : {
          ...(document as { mechanisms: unknown[] }),
          mechanisms: (document as { mechanisms: unknown[] }).mechanisms.slice(0, CHUNK),
        };
  const parsed = validate(documentSchema, head, findings);
  const rest = validateEntries(further, findings, ([index, ...path]) => ['mechanisms', CHUNK + Number(index), ...path]);
  if (parsed === undefined || !findings.none) return null;
  return {
    name: parsed.name ?? null,
    adaptivity: parsed.adaptivity,
    order: parsed.order,
    target: parsed.target === undefined ? null : toQuery(parsed.target),
    entries: parsed.mechanisms.map(toEntry).concat(rest),
  };
}
