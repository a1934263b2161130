import { describe, expect, it } from 'vitest';
import { isLedger } from '../../src/document/core/ledger-text.ts';
import { documentOf, errorsOf, sentence } from './helpers.ts';

const HEADER = '{"schema":"dpcompose.ledger/2","version":"0.1.0"}';

const said = (text: string): string[] => errorsOf(text).map(sentence);

describe('what is given in the place of a specification', () => {
  it('is named: a ledger of any length, a file of budgets, a bare list', () => {
    for (const text of [HEADER, `${HEADER}\n`, `${HEADER}\n{"seq":1}\n`]) {
      expect(said(text)).toEqual([
        'document: this is a ledger, not a specification. Run dpcompose ledger status with its name.',
      ]);
      expect(isLedger(new TextEncoder().encode(text))).toBe(true);
    }
    expect(isLedger('{"schema":"dpcompose.compose/1"}')).toBe(false);
    expect(said('{"dpcompose": 1, "ledgers": []}')).toEqual([
      'document: mechanisms is missing: this is a file of budgets, not a specification. Give it to dpcompose ledger spend --budgets.',
    ]);
    expect(said('[{"type": "dp", "epsilon": "0.1"}]')).toEqual([
      'document: the document must be an object, got a list. Write {"dpcompose": 1, "mechanisms": [ ... ]} around the list.',
    ]);
  });
});

describe('a key that stands for another', () => {
  it('is one mistake, whether it is cut short or written with other signs', () => {
    expect(said(documentOf('{"type":"dp","eps":0.1}'))).toEqual([
      'mechanisms[0].eps: the key "eps" has no meaning here. Write "epsilon".',
    ]);
    expect(said(documentOf('{"type":"dp","epsilon":0.1,"cnt":4}'))).toEqual([
      'mechanisms[0].cnt: the key "cnt" has no meaning here. Write "count".',
    ]);
    expect(said(documentOf('{"type":"gaussian","noise_multiplier":1}'))).toEqual([
      'mechanisms[0].noise_multiplier: the key "noise_multiplier" has no meaning here. Write "noise-multiplier".',
    ]);
  });

  it('hides no other mistake', () => {
    expect(said(documentOf('{"type":"gaussian","cnt":4}'))).toHaveLength(2);
    expect(said(documentOf('{"type":"dp","cnt":4}'))).toHaveLength(2);
  });

  it('at the top of a document belongs where elements or the target have it', () => {
    const top = (member: string): string[] =>
      said(`{"dpcompose":1,${member},"mechanisms":[{"type":"dp","epsilon":1}]}`);
    expect(top('"type":"dp"')).toEqual(['type: the key "type" belongs in an item of mechanisms. Move it there.']);
    expect(top('"delta":"1e-6"')).toEqual([
      'delta: the key "delta" belongs in the target, or in an item of mechanisms. Move it there.',
    ]);
  });
});
