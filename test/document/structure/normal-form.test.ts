import { mapNodes, type PlanNode } from '../../../src/composition/core/plan-node.ts';
import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../../src/document/structure/normal-form.ts';
import { anyDocument, anyPlanDocument } from '../arbitraries.ts';
import { documentOf, specificationOf } from '../helpers.ts';

const withSparsity = (nodes: readonly PlanNode[]): PlanNode[] =>
  mapNodes(nodes, (node) =>
    'node' in node && node.node === 'partition' ? { ...node, impliedSparsity: undefined } : node,
  );

describe('the normal form of a specification', () => {
  it('resolves aliases, fills in defaults, keeps decimals as exact text, and Laplace noise in the form it was given', () => {
    const text = documentOf(
      '{"type":"exponential","epsilon":0.10}',
      '{"type":"laplace","epsilon":"1e-1","count":"1e2"}',
      '{"type":"laplace","scale":2}',
      '{"type":"exponential","coefficient":0.05,"sensitivity":1}',
      '{"type":"permute-and-flip","scale":20,"sensitivity":1,"monotonic":true}',
    );
    expect(normalForm(specificationOf(text, { delta: '1e-6' }))).toEqual({
      dpcompose: 1,
      adaptivity: 'adaptive',
      order: 'any',
      target: { delta: '0.000001' },
      mechanisms: [
        { type: 'bounded-range', epsilon: '0.1', count: 1, kind: 'noninteractive' },
        { type: 'laplace', epsilon: '0.1', count: 100, kind: 'noninteractive' },
        { type: 'laplace', scale: '2', sensitivity: '1', count: 1, kind: 'noninteractive' },
        { type: 'bounded-range', epsilon: '0.1', count: 1, kind: 'noninteractive' },
        { type: 'dp', epsilon: '0.05', delta: '0', count: 1, kind: 'noninteractive' },
      ],
    });
  });

  it('is a document that means the same specification', () => {
    fc.assert(
      fc.property(fc.oneof(anyDocument, anyPlanDocument), (document) => {
        const specification = specificationOf(JSON.stringify(document));
        const form = normalForm(specification);
        const again = specificationOf(JSON.stringify(form));
        // What a document leaves to its neighbours is said in the normal form.
        expect(again).toEqual({ ...specification, entries: withSparsity(specification.entries) });
        expect(normalForm(again)).toEqual(form);
      }),
    );
  });
});
