import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../src/bounds/bound.ts';
import { EXIT } from '../../src/cli/exit.ts';
import type { Refusal, Warning } from '../../src/composition/outcome.ts';
import type { Refusal as LedgerRefusal } from '../../src/ledger/decision.ts';
import type { FaultCode } from '../../src/ledger/file/fault.ts';
import { RULE_IDS } from '../../src/ledger/terms.ts';
import { DESIGN_FAILURE } from '../../src/report/design-failure.ts';
import { SCHEMA_NAMES } from '../../src/report/schema/names.ts';
import { ENTRY_KEYS, MECHANISM_TYPES } from '../../src/spec/entry-schema.ts';
import { DOCUMENT_KEYS } from '../../src/spec/document-schema.ts';
import { TARGET_KEYS } from '../../src/spec/question-schema.ts';
import { INPUT_ERROR_CODES } from '../../src/spec/input-error.ts';
import { STRUCTURE_KEYS } from '../../src/spec/structure-schema.ts';
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

// Written out so that the compiler asks for a new code here, and the test for it in the README.
const WARNINGS: Readonly<Record<Warning['code'], true>> = {
  'laplace-as-dp': true,
  'bounded-range-interactive': true,
  'single-pair-interactive': true,
  'mixed-classes': true,
  'delta-infeasible': true,
  'no-finite-epsilon': true,
  interrupted: true,
  'tolerance-not-met': true,
  'design-not-checked': true,
  'cap-below-instance': true,
};
/** Why a ledger says no, as finely as a program is told. */
type LedgerNo =
  | Exclude<LedgerRefusal['code'], 'unverified' | 'invalid-query' | 'no-theorem'>
  | Extract<LedgerRefusal, { reason: string }>['reason']
  | 'converted';

const REFUSALS: Readonly<Record<Refusal['code'], true>> = {
  'adaptive-parameters': true,
  'adaptive-parameters-in-parallel': true,
  'unbounded-approximate': true,
  'unbounded-renyi': true,
  'unbounded-f-dp': true,
  'oblivious-guarantee': true,
  'answers-not-discrete': true,
  'needs-finite-communication': true,
  'too-many-mechanisms': true,
  'not-offered': true,
  'not-expressible': true,
  'no-bound': true,
};

const LEDGER_NOES: Readonly<Record<LedgerNo, true>> = {
  'insufficient-budget': true,
  'count-limit': true,
  halted: true,
  converted: true,
  'wrong-measure': true,
  'positive-delta': true,
  'order-too-high': true,
  'other-neighbours': true,
  'other-distance': true,
  'not-declared': true,
  'no-evidence': true,
  'no-evidence-in-child': true,
  'no-such-mechanism': true,
  'not-interactive': true,
  closed: true,
  superseded: true,
  'no-budget': true,
  'wrong-mode': true,
  nested: true,
  'invalid-terms': true,
  'adaptive-parameters': true,
  'open-question': true,
  'nested-in-sequential': true,
  'several-coordinates': true,
  'unbounded-child': true,
  'no-map': true,
  'bound-does-not-apply': true,
};
const FAULTS: Readonly<Record<FaultCode, true>> = {
  'no-such-file': true,
  'no-such-directory': true,
  'file-exists': true,
  'is-a-directory': true,
  'not-a-file': true,
  unreadable: true,
  'not-a-ledger': true,
  'unsupported-version': true,
  'too-long': true,
  busy: true,
  changed: true,
  replaced: true,
  'empty-ledger': true,
  'unfinished-header': true,
  'line-too-long': true,
  'damaged-record': true,
  'damaged-end': true,
  'duplicate-record': true,
  fork: true,
  'missing-records': true,
  'broken-chain': true,
  'foreign-record': true,
  'malformed-record': true,
  'wrong-totals': true,
  'not-allowed': true,
  'needless-halt': true,
  'after-conversion': true,
  'wrong-origin': true,
  'no-space': true,
  'read-only': true,
  'not-permitted': true,
  'write-failed': true,
  'outcome-unknown': true,
  'no-locks': true,
  'not-made': true,
};

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
    const codes = [WARNINGS, REFUSALS, INPUT_ERROR_CODES, LEDGER_NOES, FAULTS].flatMap((each) => Object.keys(each));
    expect([...names, ...codes, DESIGN_FAILURE].filter((name) => !contract.includes(`\`${name}\``))).toEqual([]);
  });

  it('says why each dependency is there, and of no other', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(rowsOf('Dependencies')).toEqual(Object.keys(manifest.dependencies));
  });
});
