import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentText, documentYaml } from '../../../src/output/written-document.ts';
import { recogniseSyntax } from '../../../src/document/syntax/document-syntax.ts';

const of = (text: string) => recogniseSyntax(Buffer.from(text));

describe('the syntax of a document', () => {
  it.each([
    ['{"dpcompose": 1}', 'json'],
    ['\n\n  {\n', 'json'],
    ['\ufeff{"dpcompose": 1}', 'json'],
    ['', 'json'],
    ['[1, 2]', 'json'],
    ['"dpcompose"', 'json'],
    ['nonsense', 'json'],
    ['dpcompose: 1\nmechanisms: []\n', 'yaml'],
    ['\ufeffdpcompose: 1\n', 'yaml'],
    ['# a comment: with a colon\n\ndpcompose: 1\n', 'yaml'],
    ['---\ndpcompose: 1\n', 'yaml'],
    ['%YAML 1.2\n---\ndpcompose: 1\n', 'yaml'],
    ['"dpcompose": 1\n', 'yaml'],
    ["'dpcompose': 1\n", 'yaml'],
    ['mechanisms:\r\n  - type: dp\r\n', 'yaml'],
    ['type: dp\nepsilon: 1\n', 'yaml'],
    ['- type: dp\n', 'yaml'],
    ['type,epsilon\ndp,0.1\n', 'csv'],
    ['epsilon,type\r\n', 'csv'],
    ['"type","epsilon"\n', 'csv'],
    ['type;epsilon\n', 'csv'],
    ['\ufefftype,epsilon\n', 'csv'],
    ['type\ndp\n', 'csv'],
  ])('%j is %s', (text, syntax) => {
    expect(of(text)).toBe(syntax);
  });

  it('is found of every fixture, and of the same in YAML', async () => {
    for (const name of readdirSync('fixtures').filter((each) => each.endsWith('.json'))) {
      const text = readFileSync(`fixtures/${name}`, 'utf8');
      expect(of(text)).toBe('json');
      const value = JSON.parse(text) as Parameters<typeof documentYaml>[0];
      expect(of(documentText(value as object))).toBe('json');
      expect(of(await documentYaml(value))).toBe('yaml');
    }
    expect(of(readFileSync('fixtures/mechanisms.csv', 'utf8'))).toBe('csv');
  });

  it('does not depend on what follows', () => {
    expect(recogniseSyntax(Buffer.concat([Buffer.from('dpcompose: 1\n'), Buffer.alloc(1e6, 0xff)]))).toBe('yaml');
  });
});
