import { describe, expect, it } from 'vitest';
import { ENTRY_KEYS } from '../../src/document/mechanism/entry-schema.ts';
import { readSpecification } from '../../src/document/read-specification.ts';
import { pageForms } from '../../src/page/forms.ts';
import type { Cells } from '../../src/page/question.ts';
import { documentOf } from '../../src/page/rows.ts';
import { trainingQuestion } from '../../src/page/training.ts';

const forms = pageForms();

describe('the forms of mechanisms', () => {
  it('have every type and every key that documents have, but for private selection', () => {
    const shared = forms.common.map(({ name }) => name);
    const keys = forms.types.map(({ type, fields }) => [type, ['type', ...fields.map(({ name }) => name), ...shared]]);
    const typed = [...ENTRY_KEYS].filter(([type]) => type !== 'selection');
    expect(keys).toEqual(typed.map(([type, names]) => [type, names.filter((name) => name !== 'best-of')]));
  });

  const ways = forms.types.flatMap(({ type, fields, ways }) => ways.map((way) => ({ type, fields, ...way })));

  it.each(ways.map((way) => [way.type, way.needs.join(' '), way] as const))(
    'of %s, %s: the examples are a document, and what is needed is',
    (type, _, { fields, needs, allows }) => {
      const example = (name: string): string => {
        const field = fields.find((candidate) => candidate.name === name)!;
        return field.kind === 'word' ? field.words[0]! : field.example;
      };
      const reading = (names: readonly string[]): string => {
        const cells: Cells = { type, ...Object.fromEntries(names.map((name) => [name, example(name)])) };
        const { kind } = readSpecification(documentOf({ settings: { delta: '1e-6' }, mechanisms: [cells] }));
        return kind;
      };
      expect(reading([...needs, ...allows])).toBe('specification');
      // Which needs participations too, unless it is on samples.
      expect(reading(needs)).toBe(type === 'banded-matrix' ? 'errors' : 'specification');
      for (const name of needs) expect(reading(needs.filter((other) => other !== name))).toBe('errors');
    },
  );
});

describe('the other forms', () => {
  it('have examples that are answered', () => {
    const { target, training } = forms;
    const value = ({ example, words }: (typeof training)[number]): string => words[0] ?? example;
    const all = [...training, target[0]!].map((field) => [field.name, value(field)] as const);
    const cells = Object.fromEntries(all.filter(([name]) => !['target-epsilon', 'records-per-person'].includes(name)));
    expect(trainingQuestion(cells)).toMatchObject({ kind: 'cost', training: { examples: 60000, batch: 256 } });
    for (const name of Object.keys(cells)) {
      expect(trainingQuestion({ ...cells, [name]: '' })).toMatchObject({ mistakes: [{ path: `--${name}` }] });
    }
  });

  it('find what is left empty beside a target epsilon', () => {
    const cells = { examples: '600', batch: '60', scheme: 'poisson', delta: '1e-5', 'target-epsilon': '2' };
    const withBoth = { ...cells, epochs: '2', 'noise-multiplier': '1.1' };
    expect(trainingQuestion({ ...cells, epochs: '2' })).toMatchObject({ kind: 'noise' });
    expect(trainingQuestion({ ...cells, 'noise-multiplier': '1.1' })).toMatchObject({ kind: 'steps' });
    expect(trainingQuestion(cells)).toMatchObject({ mistakes: [{ path: '--noise-multiplier' }] });
    expect(trainingQuestion(withBoth)).toMatchObject({ mistakes: [{ path: '--target-epsilon' }] });
    expect(trainingQuestion({ ...cells, epochs: '2', delta: '', epsilon: '1' })).toMatchObject({
      mistakes: [{ path: '--epsilon' }],
    });
    expect(trainingQuestion({ ...cells, epochs: '2', 'target-epsilon': '-1' })).toMatchObject({
      mistakes: [{ path: '--target-epsilon' }],
    });
  });

  it('take the settings that documents have', () => {
    for (const { name, words } of forms.settings) {
      for (const word of words) {
        const text = documentOf({ settings: { delta: '1e-6', [name]: word }, mechanisms: [{ type: 'gdp', mu: '1' }] });
        expect(readSpecification(text).kind).toBe('specification');
      }
    }
  });
});
