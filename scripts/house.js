// npm run house: how large the source is, how it hangs together, and how much of it a `compose` needs.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(import.meta.dirname, '../src');
const COMPOSE = 'cli/compose.ts';
const SMALL = 25;

/** A module's name in `from '...'`, `import '...'` or `import('...')`. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g;
const TYPES_ONLY = /^(?:import|export) type\b/;

/** The statements of imports and of exports from elsewhere, each with all its lines. */
const STATEMENT = /^(?:import|export)\b(?:[^;'{]|\{[^}]*\})*?'[^']*';$/gm;

function readModule(path) {
  const text = readFileSync(path, 'utf8');
  const target = ([, name]) => relative(SRC, join(dirname(path), name));
  const statements = (text.match(STATEMENT) ?? []).filter((statement) => /\bfrom\b|^import '/.test(statement));
  const types = new Set(
    statements.filter((s) => TYPES_ONLY.test(s)).flatMap((s) => [...s.matchAll(IMPORT)].map(target)),
  );
  const imports = new Set([...text.matchAll(IMPORT)].map(target));
  return {
    lines: text.split('\n').length - 1,
    imports,
    needed: [...imports].filter((name) => !types.has(name)),
    importLines: statements.reduce((sum, statement) => sum + statement.split('\n').length, 0),
  };
}

const names = readdirSync(SRC, { recursive: true }).filter((name) => name.endsWith('.ts'));
const modules = new Map(names.toSorted().map((name) => [name, readModule(join(SRC, name))]));
const linesOf = (some) => some.reduce((sum, name) => sum + modules.get(name).lines, 0);

const importers = new Map();
for (const { imports } of modules.values())
  for (const name of imports) importers.set(name, (importers.get(name) ?? 0) + 1);

/** All that a module needs when the program runs, itself too. */
function reachedFrom(start, linksOf) {
  const reached = new Set([start]);
  for (const name of reached) for (const next of linksOf(modules.get(name))) if (modules.has(next)) reached.add(next);
  return [...reached];
}

const sizes = [...modules.values()].map(({ lines }) => lines).toSorted((a, b) => a - b);
const reached = reachedFrom(COMPOSE, ({ needed }) => needed);
const layerOf = (name) => (name.includes('/') ? name.split('/')[0] : 'entries');
const layers = [...new Set(names.map(layerOf))].toSorted();

const rows = [
  ['lines', linesOf(names)],
  ['files', names.length],
  ['median of lines', sizes[Math.floor(sizes.length / 2)]],
  [`files under ${SMALL} lines`, sizes.filter((size) => size < SMALL).length],
  ['files with a single importer', [...importers.values()].filter((count) => count === 1).length],
  ['import lines', [...modules.values()].reduce((sum, { importLines }) => sum + importLines, 0)],
  ['files that compose reaches', reached.length],
  ['lines that compose reaches', linesOf(reached)],
  ...layers.map((layer) => [`lines in ${layer}`, linesOf(names.filter((name) => layerOf(name) === layer))]),
];
const width = Math.max(...rows.map(([label]) => label.length));
for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${value.toLocaleString('en').padStart(7)}`);
