import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULE_IDS } from '../../src/ledger/rules/terms.ts';
import { codeFacts, CODE_KINDS } from '../../src/output/codes.ts';
import { allNames, factsNamed } from '../../src/output/theorems.ts';
import { INPUT_ERROR_CODES, OPTION_ERROR_CODES } from '../../src/document/core/error-codes.ts';

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** What no document has: a code of zod, and refusals of which the finer reason is printed. */
const UNPRINTED = ['custom', 'unverified', 'invalid-query'];
/** Verification functions in their own words, which are no documents either. */

/** Every text that a source gives, as a type or as a value, to a key that becomes a code of a document; not the `'key' in value` of a test. */
function codesIn(file: string): string[] {
  const source = readFileSync(join('src', file), 'utf8');
  const given = source.matchAll(/\b(?:code|reason):\s*((?:\|?\s*'[a-z]+(?:-[a-z]+)*'(?!\s+in\b)\s*)+)/g);
  return [...given].flatMap(([, texts]) => [...texts!.matchAll(/'([^']+)'/g)].map(([, text]) => text!));
}

const facts = codeFacts();
const codes = new Set(facts.map(({ code }) => code));

describe('the explanation of codes', () => {
  it('has every code that is written in a source', () => {
    const written = SOURCES.flatMap((file) => codesIn(file).map((code) => [code, file] as const));
    expect(written.length).toBeGreaterThan(300);
    const unknown = written.filter(([code]) => !codes.has(code) && !UNPRINTED.includes(code));
    expect(unknown).toEqual([]);
  });

  it('has no mistake of a document or an option that nothing makes', () => {
    const raising = SOURCES.filter((file) => !file.endsWith('error-codes.ts'));
    const sources = raising.map((file) => readFileSync(join('src', file), 'utf8')).join('');
    const unraised = Object.keys({ ...INPUT_ERROR_CODES, ...OPTION_ERROR_CODES }).filter(
      (code) => !sources.includes(`'${code}'`),
    );
    expect(unraised).toEqual([]);
  });

  it('has every mistake of a document, and every rule of ledgers', () => {
    for (const code of Object.keys(INPUT_ERROR_CODES)) expect(codes.has(code), code).toBe(true);
    for (const id of RULE_IDS) expect(factsNamed(id)?.rule?.id).toBe(id);
  });

  it('says each in sentences, and of each place apart', () => {
    for (const { code, kind, meaning, remedy } of facts) {
      for (const text of [meaning, remedy]) expect(text, `${kind} ${code}`).toMatch(/^[A-Za-z"-].*\.$/s);
      expect(meaning).not.toBe(remedy);
      expect(Object.keys(CODE_KINDS)).toContain(kind);
    }
    const places = facts.map(({ code, kind }) => `${kind} ${code}`);
    const both = places.filter((place, index) => places.indexOf(place) !== index);
    // Of documents and of ledgers.
    expect(both).toEqual(['refusal adaptive-parameters']);
  });

  it('finds everything by its name', () => {
    for (const name of allNames()) expect(factsNamed(name), name).not.toBeNull();
    expect(factsNamed('zcdp')).toMatchObject({ theorem: { kind: 'bound' }, rule: { kind: 'ledger' } });
    expect(factsNamed('no-finite-epsilon')?.codes.map(({ kind }) => kind)).toEqual([
      'warning',
      'ledger-caveat',
      'lazy-note',
    ]);
    expect(factsNamed('no-such-name')).toBeNull();
  });
});
