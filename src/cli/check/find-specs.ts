import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';

/** Where specifications are looked for. */
export interface Where {
  /** The directory to which patterns are relative. */
  readonly directory: string;
  readonly cwd: string;
  /** The name of a pattern in messages. */
  readonly nameOf: (index: number) => string;
  /** A file that no pattern matches, as that is the policy itself. */
  readonly except: string | null;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The files that one pattern matches; null where it is the name of a file. */
async function matches(pattern: string, ignore: readonly string[], { directory }: Where): Promise<string[] | null> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern) || (await exists(resolve(directory, pattern)))) return null;
  return await glob(pattern, { cwd: directory, ignore, absolute: true, expandDirectories: false });
}

/**
 * The files that paths and patterns name, each once, as seen from the working directory; those of a pattern in the order
 * of their names. `-` is itself. A pattern that matches nothing is a mistake, which goes to `errors`: nothing that was
 * to be checked may silently be missing.
 */
export async function findSpecs(patterns: readonly string[], where: Where, errors: InputError[]): Promise<string[]> {
  const { directory, cwd, nameOf, except } = where;
  const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const found = new Set<string>();
  const shown = (path: string): string => relative(cwd, path);
  for (const [index, pattern] of patterns.entries()) {
    if (pattern.startsWith('!')) continue;
    const matched = pattern === '-' ? null : await matches(pattern, ignore, where);
    if (matched === null) {
      found.add(pattern === '-' ? pattern : shown(resolve(directory, pattern)));
      continue;
    }
    const files = matched.map((path) => resolve(path)).filter((path) => path !== except);
    if (files.length === 0) {
      const message = `no file matches ${quote(pattern)}`;
      const hint = 'Correct the pattern, or remove it: a check of nothing says nothing.';
      errors.push({ code: 'no-such-file', path: nameOf(index), message, hint });
    }
    for (const path of files.map(shown).sort(compare)) found.add(path);
  }
  return [...found];
}
