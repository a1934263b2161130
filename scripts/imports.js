// How the files of this repository hang together, for scripts and tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const ENTRIES = ['src/index.ts', 'src/stores.ts', 'src/cli/main.ts'];

/** The files with an ending below a folder, as paths from the root. */
export const filesIn = (folder, ending = '.ts') =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

export const textOf = (file) => readFileSync(join(ROOT, file), 'utf8');

const known = new Map();

/** What a file imports, types included; a test that runs the built program has imported its entry point. */
export function importsOf(file) {
  if (!known.has(file)) known.set(file, importsIn(file));
  return known.get(file);
}

function importsIn(file) {
  const text = textOf(file);
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+\.ts)'/g)].map(([, path]) =>
    join(dirname(file), path),
  );
  const runsProgram = file.startsWith('test') && text.includes('bin/dpcompose.js');
  return [...paths.filter((path) => existsSync(join(ROOT, path))), ...(runsProgram ? ['src/cli/main.ts'] : [])];
}

/** The files that import each. */
export function importersOf(files) {
  const importers = new Map(files.map((file) => [file, []]));
  for (const file of files) for (const imported of new Set(importsOf(file))) importers.get(imported)?.push(file);
  return importers;
}

const DECLARATION = /^export (?:abstract )?(?:async )?(?:const|function\*?|class) (\w+)/gm;
const LIST = /^export (?:const )?[{[]([^}\]]*)[}\]](?! from)/gm;

/** The names of values that a file exports of its own; types are exported too where a declaration has to name them. */
function exportsOf(file) {
  const text = textOf(file);
  const listed = [...text.matchAll(LIST)].flatMap(([, names]) => names.match(/\w+(?=\s*(?:,|$))/g) ?? []);
  return [...[...text.matchAll(DECLARATION)].map(([, name]) => name), ...listed];
}

/** The exports of src, as file:name, that stand in no file that imports theirs; not those of entry points. */
export function unusedExports(files) {
  const importers = importersOf(files);
  return files
    .filter((file) => file.startsWith('src/') && !ENTRIES.includes(file))
    .flatMap((file) => {
      const users = importers.get(file).map(textOf);
      const all = new RegExp(`^export \\* from '[^']*/${basename(file)}'`, 'm');
      const isUsed = (name) => users.some((text) => new RegExp(`\\b${name}\\b`).test(text) || all.test(text));
      return exportsOf(file)
        .filter((name) => !isUsed(name))
        .map((name) => `${file}:${name}`);
    });
}
