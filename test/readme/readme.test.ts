import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../src/bounds/core/bound.ts';
import { EXIT } from '../../src/cli/kit/exit.ts';
import { RULE_IDS } from '../../src/ledger/core/terms.ts';
import { codeFacts } from '../../src/report/codes/all.ts';
import { SCHEMA_NAMES } from '../../src/report/schema/names.ts';
import { ENTRY_KEYS, MECHANISM_TYPES } from '../../src/document/mechanism/entry-schema.ts';
import { DOCUMENT_KEYS } from '../../src/document/structure/document-schema.ts';
import { TARGET_KEYS } from '../../src/document/core/question-schema.ts';
import { STRUCTURE_KEYS } from '../../src/document/structure/structure-schema.ts';
import { refreshed } from './refreshed.ts';

// Every example of the README is run with the built program (`npm test` builds it) and compared byte for byte.
// `npm run readme`, which is this file with --update, rewrites what has changed; look at the difference before you keep
// it.

const ROOT = join(import.meta.dirname, '../..');
const README = join(ROOT, 'README.md');
const readme = await refreshed(readFileSync(README, 'utf8'));

/** The part of the README under a heading. */
function section(heading: string): string {
  const [, rest] = readme.split(new RegExp(`^## ${heading}\n`, 'm'));
  if (rest === undefined) throw new Error(`The README has no section "${heading}".`);
  return rest.split(/^## /m)[0] ?? '';
}

/** The first cell of each row of the tables of a section, without code marks. */
const rowsOf = (heading: string): string[] =>
  [...section(heading).matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? '');

describe('the README', () => {
  it('shows what the program prints', async () => {
    await expect(readme).toMatchFileSnapshot(README);
  });

  it('has five worked examples', () => {
    expect(section('Five examples').match(/^### /gm)).toHaveLength(5);
    for (const example of section('Five examples').split(/^### /m).slice(1)) {
      expect(example).toMatch(/^\$ dpcompose compose .*\n./m);
    }
  });

  it('shows no failure of the shell that ran the examples', () => {
    expect(readme).not.toMatch(/command not found|No such file or directory|dpcompose: internal error/);
  });

  it('lists every bound', () => {
    expect(rowsOf('The bounds')).toEqual([...BOUND_IDS]);
  });

  it('lists every type and key of the specification', () => {
    const reference = section('The specification');
    for (const type of MECHANISM_TYPES) {
      const row = reference.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${type}\``)) ?? '';
      const own = (ENTRY_KEYS.get(type) ?? []).filter((key) => !['type', 'count', 'kind', 'label'].includes(key));
      expect([type, own.filter((key) => !row.includes(`\`${key}\``))]).toEqual([type, []]);
    }
    for (const [type, keys] of STRUCTURE_KEYS) {
      const row = reference.split('\n').find((line) => line.startsWith(`| \`${type}\``)) ?? '';
      const own = keys.filter((key) => !['type', 'label'].includes(key));
      expect([type, own.filter((key) => !row.includes(`\`${key}\``))]).toEqual([type, []]);
    }
    const keys = [...DOCUMENT_KEYS, ...TARGET_KEYS, 'count', 'kind', 'label'];
    expect(keys.filter((key) => !reference.includes(`\`${key}\``))).toEqual([]);
  });

  it('lists every rule of the ledger', () => {
    expect(rowsOf('The ledger')).toEqual([...RULE_IDS]);
  });

  it('lists every exit code', () => {
    expect(rowsOf('Exit codes')).toEqual([...Object.values(EXIT), 130].map(String));
  });

  it('lists every output and every code of the JSON contract', () => {
    const contract = section('JSON');
    const outputs = Object.keys(SCHEMA_NAMES).filter((name) => !['spec', 'verify', 'policy'].includes(name));
    const names = outputs.map((name) => `dpcompose.${name}/1`);
    const codes = new Set(codeFacts().map(({ code }) => code));
    expect([...names, ...codes].filter((name) => !contract.includes(`\`${name}\``))).toEqual([]);
  });

  it('says why each dependency is there, and of no other', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(rowsOf('Dependencies')).toEqual(Object.keys(manifest.dependencies));
  });
});
