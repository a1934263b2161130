import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, importsOf, textOf } from '../scripts/imports.js';

/*
 * A source has a test of the same name in the same place under test/, or a test imports it, or it exports only types, or
 * its folder is listed here: with the tests that look at it from further away, and why they do.
 */

const ROOT = join(import.meta.dirname, '..');

const A_BOUND = 'a bound is held to golden values, to the optimum and to what every bound obeys';
const A_COMMAND = 'what a command is made of is tested by what people type and see';
const PRINTED = 'what is printed is tested as it is printed: by its command, and byte for byte in the pages';
const A_STEP = 'a step of a computation is tested by the result, against something independent';
const A_FORM = 'what a document may say is tested by documents, right and wrong';

/** The tests of a folder's sources that have none of their own: files, or all files of folders. */
const ELSEWHERE: Readonly<Record<string, readonly [why: string, ...tests: string[]]>> = {
  'bounds/bounded-range': [A_BOUND, 'bounds/battery.test.ts', 'composition/golden.test.ts', 'bounds/bounded-range'],
  'bounds/closed-form': [A_BOUND, 'bounds/battery.test.ts', 'composition/golden.test.ts'],
  'bounds/core': [A_STEP, 'bounds'],
  'bounds/loss-distribution': [A_BOUND, 'bounds/battery.test.ts', 'composition/loss-distribution.test.ts'],
  'bounds/mixed': [A_BOUND, 'bounds/battery.test.ts', 'bounds/mixed'],
  'bounds/precise': [A_BOUND, 'bounds/precise'],
  'bounds/renyi': [A_BOUND, 'bounds/battery.test.ts'],
  'bounds/selection': [A_BOUND, 'bounds/selection'],
  cli: [A_COMMAND, 'cli/explain.test.ts'],
  'cli/check': [A_COMMAND, 'cli/check'],
  'cli/kit': [A_COMMAND, 'cli'],
  'cli/lazy': [A_COMMAND, 'cli/lazy'],
  'cli/ledger': [A_COMMAND, 'cli/ledger'],
  'cli/ledger/kit': [A_COMMAND, 'cli/ledger'],
  'composition/certificate': ['a certificate is judged by a program of others', 'certificates'],
  'composition/check': [A_COMMAND, 'cli/check'],
  'composition/compare': [A_COMMAND, 'cli/compare.test.ts'],
  'composition/design': [A_FORM, 'composition/design', 'cli/design'],
  'composition/plan': ['the rules are one table, which is tested as one', 'composition/plan', 'cli/plan.test.ts'],
  'composition/risk': [A_STEP, 'composition/risk', 'cli/compare.test.ts'],
  'composition/self-test': [A_COMMAND, 'cli/self-test.test.ts'],
  'composition/statement': [A_COMMAND, 'cli/statement.test.ts'],
  'composition/theorems': ['theorems are held to the rules that use them', 'composition/theorems', 'composition/plan'],
  document: [A_FORM, 'document', 'cli/json-documents.test.ts'],
  'document/core': [A_FORM, 'document', 'cli/design'],
  'document/design': [A_FORM, 'document/design', 'cli/design'],
  'document/mechanism': [A_FORM, 'document'],
  'document/syntax': [A_FORM, 'document/syntax', 'cli/convert.test.ts', 'cli/json-documents.test.ts'],
  'learning/planning': [A_STEP, 'learning/parameters.test.ts'],
  'learning/run': [A_STEP, 'learning/run', 'cli/lazy'],
  ledger: ['what is done with records is tested by what keeps them', 'ledger', 'cli/ledger'],
  'ledger/rules': ['a rule is held to what adversaries reach', 'ledger/filters.test.ts', 'ledger/cases.test.ts'],
  'ledger/stores/file': ['a file is tested by what is in it', 'ledger/stores/file', 'cli/ledger'],
  'ledger/stores/postgres': ['a server is asked, and does or does not', 'ledger/stores/postgres'],
  'ledger/stores/sql': ['a store is held to what every store must do', 'ledger/stores'],
  'ledger/stores/sqlite': ['a store is held to what every store must do', 'ledger/stores/sqlite'],
  library: ['the library is tested as its users call it', 'library'],
  numeric: [A_STEP, 'numeric', 'bounds', 'ledger'],
  'numeric/contour': [A_STEP, 'numeric/contour.test.ts'],
  'numeric/lattice': [A_STEP, 'numeric', 'soundness/soundness.test.ts'],
  'privacy/mechanisms': ['a record is held to what is known of every type', 'privacy/mechanisms'],
  'privacy/sampling': [A_STEP, 'privacy/sampling', 'composition/sampled.test.ts'],
  'privacy/selection': [A_STEP, 'bounds/selection'],
  'privacy/shuffling': [A_STEP, 'privacy/shuffling'],
  'page/browser': ['what a page does is tested in a browser', 'browser/page.test.ts'],
  output: [PRINTED, 'cli'],
  'output/compose': [PRINTED, 'cli/batch'],
  'output/design': [PRINTED, 'output/design.test.ts', 'cli/design'],
  'output/figures': [PRINTED, 'cli/figure.test.ts'],
  'output/kit': [PRINTED, 'output', 'cli'],
  'output/lazy': [PRINTED, 'cli/lazy'],
  'output/ledger': [PRINTED, 'cli/ledger'],
  'output/plan': [PRINTED, 'cli/plan.test.ts'],
  'output/refusal': [PRINTED, 'output/refusal', 'output/design.test.ts', 'cli/advice.test.ts'],
};

/** All that some files import, and what that imports. */
function reachedFrom(files: readonly string[]): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) for (const next of importsOf(file)) reached.add(next);
  return reached;
}

const declaresOnly = (file: string): boolean => !/^export (?!type\b|interface\b)/m.test(textOf(file));
const mirrorOf = (file: string): string => file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');

describe('a source', () => {
  const imported = new Set(filesIn('test', '.ts').flatMap(importsOf));
  const without = filesIn('src', '.ts').filter(
    (file) => !existsSync(join(ROOT, mirrorOf(file))) && !imported.has(file) && !declaresOnly(file),
  );
  const folderOf = (file: string): string => dirname(file).replace(/^src\/?/, '');
  const folders = new Set(without.map(folderOf));

  it('has a test that mirrors it or imports it, or stands in a folder that is listed', () => {
    expect(without.filter((file) => !(folderOf(file) in ELSEWHERE))).toEqual([]);
  });

  it('is listed only where it has to be', () => {
    expect(Object.keys(ELSEWHERE).filter((folder) => !folders.has(folder))).toEqual([]);
  });

  it.each(Object.entries(ELSEWHERE))('of %s is reached by the tests that are listed', (folder, [, ...tests]) => {
    const files = tests.flatMap((name) =>
      name.endsWith('.ts') ? [join('test', name)] : filesIn(`test/${name}`, '.test.ts'),
    );
    expect(files.length).toBeGreaterThan(0);
    const reached = reachedFrom(files);
    expect(without.filter((file) => folderOf(file) === folder && !reached.has(file))).toEqual([]);
  });
});
