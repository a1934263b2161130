import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import type { Design } from '../../../src/composition/design/design.ts';
import { Diagnostics, validate } from '../../../src/document/core/validate.ts';
import { toDesign } from '../../../src/document/design/normal-form.ts';
import { designSchema } from '../../../src/document/design/schema.ts';
import { DOCUMENT_VOCABULARY } from '../../../src/document/structure/document-schema.ts';
import { readJson } from '../../../src/document/syntax/json-read.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';

/** A design as a document writes it. */
export function designOf(value: object): Design {
  const diagnostics = new Diagnostics(DOCUMENT_VOCABULARY);
  const parsed = validate(designSchema, readJson(JSON.stringify(value)).value, diagnostics);
  if (parsed === undefined) throw new Error(JSON.stringify(diagnostics.mistakes));
  return toDesign(parsed);
}

export const entry = (label: string, kind: Entry['kind'], count = 1): Entry => ({
  mechanism: { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) },
  count,
  kind,
  label,
});

/** Any number of instances, of which one may get different data. */
export const parallel = (label: string, kind: Entry['kind'], more: object = {}): PlanNode => ({
  node: 'parallel',
  label,
  sparsity: 1,
  instances: 'unbounded',
  deltaCap: null,
  firstPairConsistent: false,
  of: entry(`one ${label}`, kind),
  ...more,
});

/** The sub-mechanisms of Algorithm 4. */
export const HISTOGRAM_PLAN: readonly PlanNode[] = [
  { node: 'group', label: 'd-counter', nodes: [entry('counter', 'continual', 4)] },
  parallel('svt', 'continual'),
  parallel('check', 'noninteractive'),
];

export type Json = Record<string, unknown>;

const SUBMECHANISMS = [
  { mechanism: 'd-counter', receives: [{ name: 'sums', change: 1 }] },
  { mechanism: 'svt', receives: [{ name: 'row', change: 1 }, { name: 'threshold' }] },
  { mechanism: 'check', receives: [{ name: 'value', change: 1 }] },
];

/** What differs between variants of Algorithm 4. */
export interface Variant {
  /** What decides that an interval ends. */
  readonly ends?: Json[];
  readonly decidedBy?: string;
  readonly output?: string;
  /** Statements before the counters are fed, and what they are fed. */
  readonly before?: Json[];
  readonly fed?: string;
  readonly reset?: Json[];
  readonly input?: Json;
  readonly submechanisms?: Json[];
  /** How often an interval may end. */
  readonly atMost?: number;
}

/** Henzinger, Safavi, Vadhan (2025), Algorithm 4, statement by statement; or a variant. */
export function histogram(variant: Variant = {}): Design {
  const { ends = [], decidedBy = 'a', output = 'out', before = [], fed = 'c' } = variant;
  const reset = variant.reset ?? [{ set: 'c', from: [] }];
  return designOf({
    inputs: [variant.input ?? { name: 'x', differing: 1, change: 1 }],
    constants: ['q', 't', 'gamma', 'xi'],
    submechanisms: variant.submechanisms ?? SUBMECHANISMS,
    procedure: {
      start: [
        { create: 'd-counter' },
        { set: 'h', from: [] },
        { set: 'c', from: [] },
        { set: 'out', from: ['q', 'h'] },
        { set: 'j', from: [] },
        { create: 'svt', from: ['q', 'h'] },
        { set: 'Thresh', from: ['gamma', 'j'] },
      ],
      input: [
        { add: ['x'], to: 'c' },
        { send: ['x', 'Thresh'], to: 'svt', answer: 'a' },
        ...ends,
        {
          if: [decidedBy],
          ...(variant.atMost === undefined ? {} : { atMost: variant.atMost }),
          then: [
            { set: 'value', from: ['q', 'c', 'h'], sensitivity: 1 },
            { send: ['value'], to: 'check', answer: 'noisy' },
            { if: ['noisy', 'Thresh', 'xi', 't', 'j'], then: [{ set: 'Thresh', from: ['Thresh', 'gamma', 't', 'j'] }] },
            ...before,
            { send: [fed], to: 'd-counter', answer: 'h' },
            { set: 'out', from: ['q', 'h'] },
            { create: 'svt', from: ['q', 'h'] },
            ...reset,
            { set: 'j', from: ['j'] },
            { set: 'Thresh', from: ['Thresh', 'gamma', 't', 'j'] },
          ],
        },
        { set: 'Thresh', from: ['Thresh', 'gamma', 't', 'j'] },
        { output: [output] },
      ],
    },
  });
}
