import type { BoundId } from '../../src/bounds/core/bound.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Entry, Mechanism, MechanismKind } from '../../src/privacy/mechanism.ts';
import type { Order, Query } from '../../src/privacy/query.ts';

interface EntryBase {
  readonly count: number;
  readonly kind?: MechanismKind;
}

export type EntrySpec =
  | (EntryBase & { readonly type: 'dp'; readonly epsilon: string; readonly delta?: string })
  | (EntryBase & { readonly type: 'bounded-range'; readonly epsilon: string })
  | (EntryBase & {
      readonly type: 'laplace' | 'discrete-laplace';
      readonly scale: string;
      readonly sensitivity: string;
    })
  | (EntryBase & {
      readonly type: 'gaussian' | 'discrete-gaussian';
      readonly sigma: string;
      readonly sensitivity: string;
    })
  | (EntryBase & {
      readonly type: 'finite-pair';
      readonly p: readonly string[];
      readonly q: readonly string[];
      readonly direction: 'either' | 'fixed';
    });

export type QuerySpec = { readonly delta: string } | { readonly epsilon: string };

/** One case, as it is printed and replayed. */
export interface CaseSpec {
  readonly class: string;
  readonly entries: readonly EntrySpec[];
  readonly query: QuerySpec;
  readonly adaptivity?: 'adaptive' | 'nonadaptive';
  /** Default any. */
  readonly order?: Order;
  readonly tolerance?: number;
  /** Only these bounds; default all. */
  readonly bounds?: readonly BoundId[];
  /** Calls the discretised method itself: the pack of each entry, and how often the packs repeat (counts include that). */
  readonly discretised?: { readonly packs: readonly number[]; readonly repeat: number };
}

function mechanismOf(spec: EntrySpec): Mechanism {
  const number = (text: string): Decimal => new Decimal(text);
  switch (spec.type) {
    case 'dp':
      return { type: 'dp', epsilon: number(spec.epsilon), delta: number(spec.delta ?? '0') };
    case 'bounded-range':
      return { type: 'bounded-range', epsilon: number(spec.epsilon) };
    case 'laplace':
    case 'discrete-laplace':
      return { type: spec.type, scale: number(spec.scale), sensitivity: number(spec.sensitivity) };
    case 'gaussian':
    case 'discrete-gaussian':
      return { type: spec.type, sigma: number(spec.sigma), sensitivity: number(spec.sensitivity) };
    case 'finite-pair':
      return { type: 'finite-pair', p: spec.p.map(number), q: spec.q.map(number), direction: spec.direction };
  }
}

export const entryOf = (spec: EntrySpec): Entry => ({
  mechanism: mechanismOf(spec),
  count: spec.count,
  kind: spec.kind ?? 'noninteractive',
  label: null,
});

export const queryOf = (query: QuerySpec): Query =>
  'delta' in query
    ? { solveFor: 'epsilon', delta: new Decimal(query.delta) }
    : { solveFor: 'delta', epsilon: new Decimal(query.epsilon) };
