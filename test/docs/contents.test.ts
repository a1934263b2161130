import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../src/bounds/core/bound.ts';
import { EXIT } from '../../src/cli/kit/io.ts';
import { TARGET_KEYS } from '../../src/document/core/question-schema.ts';
import { ENTRY_KEYS, MECHANISM_TYPES } from '../../src/document/mechanism/entry-schema.ts';
import { DOCUMENT_KEYS } from '../../src/document/structure/document-schema.ts';
import { STRUCTURE_KEYS } from '../../src/document/structure/structure-schema.ts';
import { RULE_IDS } from '../../src/ledger/rules/terms.ts';
import { LEDGER_SCHEMA } from '../../src/ledger/chain.ts';
import { codeFacts } from '../../src/output/codes.ts';
import { SCHEMA_NAMES } from '../../src/output/schema/names.ts';
import { PAGES, ROOT, section, textOf } from './pages.ts';

// What the pages list is all that there is.

/** The first cell of each row of the tables of a text, without code marks. */
const rowsOf = (text: string): string[] => [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? '');

/** The anchors of a page: its headings, as they are linked to. */
const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    (heading ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );

describe('the pages', () => {
  it('are all tested', () => {
    const there = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    expect([...PAGES].sort()).toEqual(['README.md', ...there.map((name) => `docs/${name}`)].sort());
  });

  it('are all linked to from the README', () => {
    const readme = textOf('README.md');
    for (const page of PAGES) if (page !== 'README.md') expect(readme).toContain(`(${page}`);
  });

  it.each(PAGES)('%s links to what there is', (page) => {
    for (const [, target = '', anchor] of textOf(page).matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const file = target === '' ? page : join(dirname(page), target);
      expect([target, existsSync(join(ROOT, file))]).toEqual([target, true]);
      if (anchor !== undefined) expect(anchorsOf(readFileSync(join(ROOT, file), 'utf8'))).toContain(anchor);
    }
  });
});

describe('the README', () => {
  it('is short, and has three worked examples', () => {
    const readme = textOf('README.md');
    expect(readme.split('\n').length).toBeLessThanOrEqual(300);
    const examples = section('README.md', 'Three examples').split(/^### /m).slice(1);
    expect(examples).toHaveLength(3);
    for (const example of examples) expect(example).toMatch(/^\$ dpcompose (?:compose|check) .*\n./m);
  });

  it('says why each dependency is there, and of no other', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(rowsOf(section('README.md', 'Dependencies'))).toEqual(Object.keys(manifest.dependencies));
  });
});

/** Keys that every mechanism may have. */
const COMMON = [
  'type',
  'count',
  'kind',
  'label',
  'sampling',
  'rate',
  'batches',
  'selected',
  'records',
  'draws',
  'sample',
  'neighbours',
  'best-of',
];

describe('the reference', () => {
  it('lists every bound', () => {
    expect(rowsOf(textOf('docs/bounds.md'))).toEqual([...BOUND_IDS]);
  });

  it('lists every type and key of the specification', () => {
    const reference = textOf('docs/specification.md');
    for (const type of MECHANISM_TYPES) {
      const row = reference.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${type}\``)) ?? '';
      const own = (ENTRY_KEYS.get(type) ?? []).filter((key) => !COMMON.includes(key));
      expect([type, own.filter((key) => !row.includes(`\`${key}\``))]).toEqual([type, []]);
    }
    for (const [type, keys] of STRUCTURE_KEYS) {
      const row = reference.split('\n').find((line) => line.startsWith(`| \`${type}\``)) ?? '';
      const own = keys.filter((key) => !['type', 'label'].includes(key));
      expect([type, own.filter((key) => !row.includes(`\`${key}\``))]).toEqual([type, []]);
    }
    const keys = [...DOCUMENT_KEYS, ...TARGET_KEYS, ...COMMON];
    expect(keys.filter((key) => !reference.includes(`\`${key}\``))).toEqual([]);
  });

  it('lists every rule of the ledger', () => {
    expect(rowsOf(textOf('docs/ledger.md'))).toEqual([...RULE_IDS]);
  });

  it('lists every exit code', () => {
    expect(rowsOf(section('docs/command-line.md', 'Exit codes'))).toEqual([...Object.values(EXIT), 130].map(String));
  });

  it('lists every output and every code of the JSON contract', () => {
    const contract = textOf('docs/json.md');
    const outputs = Object.keys(SCHEMA_NAMES).filter((name) => !['spec', 'policy', 'budgets'].includes(name));
    const names = outputs.map((name) => (name === 'ledger' ? LEDGER_SCHEMA : `dpcompose.${name}/1`));
    const codes = new Set(codeFacts().map(({ code }) => code));
    expect([...names, ...codes].filter((name) => !contract.includes(`\`${name}\``))).toEqual([]);
  });
});
