import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composeDesign } from '../../src/composition/design/check-design.ts';
import { compose } from '../../src/composition/compose/compose.ts';
import type { Refusal } from '../../src/composition/core/outcome.ts';
import type { KeyChange, Fix } from '../../src/output/kit/page.ts';
import { refusalText } from '../../src/output/refusal/messages.ts';
import { specificationOf } from '../document/helpers.ts';

type Json = Record<string, unknown>;

const KEYS_AND_INDICES = /[^.[\]]+/g;

/** A document in which the keys are as a fix says. */
function changed(document: Json, changes: readonly KeyChange[]): Json {
  const copy = structuredClone(document);
  for (const { path, key, value } of changes) {
    const steps = path.match(KEYS_AND_INDICES) ?? [];
    const object = steps.reduce<Json>((at, step) => at[step] as Json, copy);
    if (value === null) Reflect.deleteProperty(object, key);
    else object[key] = value;
  }
  return copy;
}

/** Why a document is refused; null where it is not. */
function refusalIn(document: Json): Refusal | null {
  const specification = specificationOf(JSON.stringify(document));
  const { target, design } = specification;
  if (target === null) throw new Error('The document has no target.');
  const outcome =
    design === null ? compose(specification, target) : composeDesign({ ...specification, design }, target);
  if (outcome.kind === 'fails') throw new Error('The design fails.');
  return outcome.kind === 'refusal' ? outcome.refusal : null;
}

function fixesOf(document: Json): readonly Fix[] {
  const refusal = refusalIn(document);
  if (refusal === null) throw new Error('The document is not refused.');
  return refusalText(refusal, specificationOf(JSON.stringify(document))).fixes;
}

const asked = (mechanisms: readonly Json[], facts: Json = {}): Json => ({
  dpcompose: 1,
  target: { delta: '1e-6' },
  ...facts,
  mechanisms,
});

const late = { type: 'dp', epsilon: '0.1', delta: '1e-9', kind: 'continual' };
const zcdp = { type: 'zcdp', rho: '0.01', kind: 'continual' };
const parallel = (of: Json, keys: Json = {}): Json => ({ type: 'parallel', label: 'svt', sparsity: 1, of, ...keys });

const DOCUMENTS: Readonly<Record<string, Json>> = {
  'instances without end': asked([parallel(late)]),
  'instances without end, of a group': asked([
    parallel({ type: 'group', mechanisms: [late, { ...late, delta: 0 }, { ...late, epsilon: 1 }] }),
  ]),
  'instances whose kind is inherited': asked([
    parallel({ type: 'dp', epsilon: '0.1', delta: '1e-9' }, { kind: 'continual' }),
  ]),
  'instances in a group': asked([{ type: 'group', mechanisms: [parallel(late)] }]),
  'users without end': asked([{ type: 'local', of: late }]),
  'Renyi guarantees without end': asked([parallel(zcdp, { deltaCap: '1e-7' })]),
  'Gaussian noise without end': asked([parallel({ type: 'gdp', mu: '0.1', kind: 'continual' })], {
    finiteCommunication: true,
  }),
  'Renyi guarantees without end, answers not discrete': asked([parallel(zcdp)], { discrete: false }),
  'a guarantee against fixed questions': asked([{ ...late, kind: 'interactive' }], { adaptiveAdversary: false }),
  'a guarantee against fixed questions, answers not discrete': asked([{ ...late, kind: 'interactive' }], {
    adaptiveAdversary: false,
    discrete: false,
  }),
  'answers that are not discrete': asked(
    [{ type: 'dp', epsilon: '0.1', delta: '1e-9', kind: 'interactive', count: 2 }],
    {
      discrete: false,
    },
  ),
  'answers that are not discrete, of instances without end': asked(
    [parallel({ type: 'dp', epsilon: '0.1', delta: '1e-9', kind: 'continual' }, { deltaCap: '1e-7' })],
    { discrete: false },
  ),
  'parameters adaptively chosen': asked([late], { adaptivity: 'parameters' }),
  'a design with intervals without end': JSON.parse(
    readFileSync('fixtures/designs/histogram-approximate-intervals.json', 'utf8'),
  ) as Json,
};

const cases = Object.entries(DOCUMENTS).flatMap(([name, document]) =>
  fixesOf(document)
    .filter(({ changes }) => changes.length > 0)
    .map(({ text, changes }) => [name, text, document, changes] as const),
);

describe('what a refusal says would fix it', () => {
  it.each(cases)('%s: %s', (_, __, document, changes) => {
    const refusal = refusalIn(changed(document, changes));
    expect(refusal).toBeNull();
  });

  it('never leads back to what was refused', () => {
    const texts = (name: string): string =>
      fixesOf(DOCUMENTS[name] ?? {})
        .map(({ text }) => text)
        .join('\n');
    expect(texts('answers that are not discrete')).toContain('Renyi');
    expect(texts('answers that are not discrete, of instances without end')).not.toContain('Renyi');
    expect(texts('Renyi guarantees without end, answers not discrete')).toContain('remove "discrete": false');
  });

  it('is what a design accepts', () => {
    const texts = fixesOf(DOCUMENTS['a design with intervals without end'] ?? {}).map(({ text }) => text);
    expect(texts).toEqual([
      'limit how many are created, such as "instances": 1000 at mechanisms[1], and set "atMost" to 999 at design.procedure.input[2], the condition of the create',
      'set "delta" to 0 at mechanisms[1].of, if it has a pure guarantee',
    ]);
  });

  it('is the flags of a ready design', () => {
    const document = DOCUMENTS['a design with intervals without end'] ?? {};
    const refusal = refusalIn(document);
    if (refusal === null) throw new Error('The document is not refused.');
    const specification = specificationOf(JSON.stringify(document));
    const { fixes } = refusalText(refusal, { ...specification, example: 'histogram' });
    expect(fixes.map(({ text }) => text)).toEqual([
      'limit the number of intervals, such as --intervals 20',
      'remove --interval-delta, so that the test of each interval never fails',
    ]);
  });
});
