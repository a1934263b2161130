import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { documentCsv } from '../../src/output/written-document.ts';
import type { NormalValue } from '../../src/document/core/exact-value.ts';
import { CSV_SYNTAX } from '../../src/document/csv-read.ts';
import { readSpecification } from '../../src/document/read-specification.ts';
import { anyDocument } from './arbitraries.ts';
import { entriesOf, specificationOf } from './helpers.ts';
import { printable } from '../../src/output/kit/prose.ts';

function read(text: string): ReturnType<typeof entriesOf> {
  const result = readSpecification(text, {}, CSV_SYNTAX);
  if (result.kind !== 'specification') throw new Error(JSON.stringify(result));
  return entriesOf(result.specification);
}

const places = (text: string): string[] => {
  const result = readSpecification(text, {}, CSV_SYNTAX);
  return result.kind === 'errors' ? result.errors.map(({ code, path, line }) => `${line ?? 0} ${path} ${code}`) : [];
};

type Written = Record<string, NormalValue>;

describe('a table of mechanisms', () => {
  it('lists a mechanism in each row', () => {
    const entries = read('type,epsilon,delta,count,label\ndp,0.1,1e-9,10,"a, b"\n\nexponential,0.2,,,\r\n');
    expect(entries.map(({ mechanism, count, label }) => [mechanism.type, count, label])).toEqual([
      ['dp', 10, 'a, b'],
      ['bounded-range', 1, null],
    ]);
  });

  it('keeps numbers as they are written', () => {
    const [entry] = read('type,epsilon\ndp,0.1000000000000000000000000000000001\n');
    expect(entry?.mechanism.type === 'dp' && entry.mechanism.epsilon.toString()).toBe(
      '0.1000000000000000000000000000000001',
    );
  });

  it('writes lists with semicolons and truth values as words', () => {
    const text =
      'type,orders,p,q,coefficient,sensitivity,monotonic\nrdp,2:0.1; 4:0.3,,,,,\nfinite-pair,,0.9;0.1,0.1;0.9,,,\nexponential,,,,1,2,true\n';
    expect(read(text).map(({ mechanism }) => mechanism.type)).toEqual(['rdp', 'finite-pair', 'bounded-range']);
  });

  it('means what the document of its mechanisms means', () => {
    fc.assert(
      fc.property(anyDocument, ({ mechanisms }) => {
        // Characters that drive a terminal are written out.
        const isKept = (label: unknown) => label !== '' && printable(String(label)) === String(label);
        const isFlat = (entry: object) => !('best-of' in entry || 'of' in entry);
        const written = mechanisms.filter((entry) => isFlat(entry) && isKept((entry as Written).label)) as Written[];
        fc.pre(written.length > 0);
        const document = { dpcompose: 1, mechanisms: written };
        const table = documentCsv(document);
        if (!('text' in table)) throw new Error(table.path);
        expect(read(table.text)).toEqual(entriesOf(specificationOf(JSON.stringify(document))));
      }),
    );
  });

  it.each([
    ['no column type', 'epsilon\n0.1\n', ['1 document invalid-csv']],
    ['semicolons between columns', 'type;epsilon\ndp;0.1\n', ['1 document invalid-csv']],
    ['an unknown column', 'type,epsilo\ndp,0.1\n', ['1 document unknown-key']],
    ['a column twice', 'type,epsilon,epsilon\ndp,0.1,0.2\n', ['1 document duplicate-key']],
    ['a cell too many', 'type,epsilon\ndp,0.1,\n', ['2 mechanisms[0] invalid-csv']],
    ['a row cut short', 'type,epsilon,delta\ndp,0.1,0\ndp,0.1\n', ['3 mechanisms[1] invalid-csv']],
    ['an open quote', 'type,label,epsilon\ndp,"x,0.1\n', ['2 document invalid-csv']],
    ['a group', 'type,label\ngroup,x\n', ['2 mechanisms[0] unknown-type']],
    ['no rows', 'type,epsilon\n', ['1 mechanisms empty-list']],
    ['nothing', '', ['1 document empty-document']],
    [
      'wrong values',
      'type,epsilon,count\ndp,-1,1\ndp,1,0\n',
      ['2 mechanisms[0].epsilon out-of-range', '3 mechanisms[1].count out-of-range'],
    ],
    [
      'a value after a cell of two lines',
      'type,label,epsilon\ndp,"a\nb",1\ndp,,x\n',
      ['4 mechanisms[1].epsilon not-a-number'],
    ],
    ['a key of another type', 'type,epsilon,sigma\ndp,1,2\n', ['2 mechanisms[0].sigma unknown-key']],
  ])('with %s is refused, with the line', (_, text, expected) => {
    expect(places(text)).toEqual(expected);
  });

  it('refuses mechanisms that are not offered', () => {
    const result = readSpecification('type,epsilon\nsubsampled,1\n', {}, CSV_SYNTAX);
    expect(result).toMatchObject({ kind: 'refusal', refusal: { code: 'not-offered', path: 'mechanisms[0]' } });
  });

  it.each([
    ['a target', { dpcompose: 1, target: { delta: 0.1 }, mechanisms: [] }, 'target'],
    ['mechanisms fixed in advance', { dpcompose: 1, adaptivity: 'nonadaptive', mechanisms: [] }, 'adaptivity'],
    [
      'what holds others',
      { dpcompose: 1, mechanisms: [{ type: 'partition', of: [{ type: 'dp', epsilon: 1 }] }] },
      'mechanisms[0].of',
    ],
    [
      'a group',
      { dpcompose: 1, mechanisms: [{ type: 'group', mechanisms: [{ type: 'dp' }] }] },
      'mechanisms[0].mechanisms',
    ],
    ['an empty label', { dpcompose: 1, mechanisms: [{ type: 'dp', label: '' }] }, 'mechanisms[0].label'],
  ])('cannot say %s', (_, document, path) => {
    expect(documentCsv(document as unknown as Written)).toEqual({ path });
  });
});
