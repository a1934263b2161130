import { dirname, join, relative } from 'node:path';
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { filesIn, importsOf, textOf, unusedExports } from '../scripts/imports.js';
import boundaries, { INSIDE, LAYERS } from '../eslint.boundaries.js';

// How the sources hang together: see ARCHITECTURE.md.

const ROOT = join(import.meta.dirname, '..');

const SOURCES = filesIn('src');

type Graph = ReadonlyMap<string, readonly string[]>;

/** A circle of a graph, as a list that begins and ends with the same; null where there is none. */
function circleIn(graph: Graph): readonly string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | null => {
    const at = path.indexOf(node);
    if (at >= 0) return [...path.slice(at), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const found = visit(next, [...path, node]);
      if (found !== null) return found;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const found = visit(node, []);
    if (found !== null) return found;
  }
  return null;
}

describe('the sources', () => {
  const files: Graph = new Map(SOURCES.map((file) => [file, importsOf(file)]));

  it('import each other without circles', () => {
    expect([...files.values()].flat().length).toBeGreaterThan(1000);
    expect(circleIn(files)).toBeNull();
  });

  it('stand in folders without circles', () => {
    const folders = new Map<string, string[]>();
    for (const [file, imported] of files) {
      const [own, others] = [dirname(file), imported.map((each) => dirname(each))];
      folders.set(own, [...(folders.get(own) ?? []), ...others.filter((each) => each !== own)]);
    }
    folders.delete('src');
    expect(circleIn(folders)).toBeNull();
  });

  it('are at most 35 in a folder', () => {
    const sizes = new Map<string, number>();
    for (const file of SOURCES) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > 35)).toEqual([]);
  });
});

describe('an export', () => {
  it('is used by another file', () => {
    expect(unusedExports([...SOURCES, ...filesIn('test')])).toEqual([]);
  });
});

describe('the pages for who works on it', () => {
  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s names files that are there', (page) => {
    const all = ['src', 'test'].flatMap((folder) => filesIn(folder)).map((file) => `/${file}`);
    const named = [...textOf(page).matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !all.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });
});

describe('the list of what may be imported', () => {
  it('has no circle', () => {
    expect(circleIn(new Map(Object.entries(LAYERS)))).toBeNull();
    for (const folders of Object.values(INSIDE)) expect(circleIn(new Map(Object.entries(folders)))).toBeNull();
  });

  it('names only folders that there are', () => {
    const there = new Set(SOURCES.map((file) => relative('src', dirname(file))));
    const named = Object.entries(INSIDE).flatMap(([layer, folders]) =>
      Object.entries(folders).flatMap(([from, to]) => [from, ...to].map((folder) => join(layer, folder))),
    );
    expect(named.filter((folder) => !there.has(folder))).toEqual([]);
  });

  /** What the linter says of an import. */
  function said(file: string, imported: string): string[] {
    const config = { files: ['**/*.ts'], plugins: { boundaries }, rules: { 'boundaries/imports': 'error' as const } };
    const found = new Linter({ cwd: ROOT }).verify(`import '${imported}';`, config, join(ROOT, file));
    return found.map(({ message }) => message);
  }

  it('is enforced by the linter', () => {
    expect(said('src/bounds/core/bound.ts', '../../composition/core/outcome.ts')).toEqual([
      'bounds may not import from composition (eslint.boundaries.js).',
    ]);
    expect(said('src/output/plan/page.ts', '../design/design.ts')).toEqual([
      'in output, plan may not import from design (eslint.boundaries.js).',
    ]);
    expect(said('src/output/design/design.ts', '../plan/page.ts')).toEqual([]);
    expect(said('src/output/kit/prose.ts', '../plan/page.ts')).toHaveLength(1);
  });
});
