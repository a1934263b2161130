import type { Watch } from '../../numeric/watch.ts';
import type { PrivacyCurve, Adaptivity, Order } from '../../privacy/curve.ts';
import type { Entry, Mechanism, MechanismKind } from '../../privacy/mechanism.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import type { BoundExposition } from './exposition.ts';
import type { Session } from './session.ts';

/** Every bound, in the order in which ties are broken and inapplicable ones are listed. */
export const BOUND_IDS = [
  'dp-optimal',
  'gaussian',
  'loss-distribution',
  'mixed',
  'selection-profile',
  'selection-rdp',
  'br-nonadaptive',
  'br-adaptive',
  'br-rdp',
  'rdp',
  'zcdp',
  'br-mgf',
  'br-optkl',
  'br-dr19',
  'advanced-kov',
  'advanced-drv',
  'basic',
] as const;

export type BoundId = (typeof BOUND_IDS)[number];

/** What other accountants call a bound. */
const ALIASES: Readonly<Record<string, BoundId>> = {
  pld: 'loss-distribution',
  prv: 'loss-distribution',
  'private-selection': 'selection-profile',
  kov: 'dp-optimal',
  'moments-accountant': 'rdp',
};

/** The bound of a name, also as other accountants call it; null where there is none. */
export function boundNamed(name: string): BoundId | null {
  const alias = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
  return BOUND_IDS.find((id) => id === name) ?? alias ?? null;
}

/** The subject of a line of an answer: a bound, or the total of a plan whose parts are priced one by one. */
export type RowId = BoundId | 'grouped';

/** Mechanism types as they are named in messages. */
export type MechanismType = Mechanism['type'];

/** Why a theorem does not cover a composition. */
export type Inapplicability =
  | { readonly code: 'needs-types'; readonly needs: readonly MechanismType[]; readonly found: readonly MechanismType[] }
  | { readonly code: 'needs-noninteractive'; readonly kinds: readonly MechanismKind[] }
  | { readonly code: 'needs-nonadaptive' }
  | { readonly code: 'is-dp-optimal' }
  | { readonly code: 'is-exact-otherwise'; readonly bound: BoundId }
  | { readonly code: 'too-large'; readonly limit: string }
  | { readonly code: 'needs-mixture' }
  /** It is for one mechanism, and there are others. */
  | { readonly code: 'needs-alone' }
  /** A scheme of sampling, or a relation of neighbours, for which no theorem is known here. */
  | { readonly code: 'no-sampling-theorem' }
  /** Another one, which takes less, is exact here. */
  | { readonly code: 'needless'; readonly bound: RowId }
  /** It was given up before it had a number. */
  | { readonly code: 'interrupted' };

/** The mechanisms that are composed, and who chooses them how. */
export interface Composition {
  readonly entries: readonly Entry[];
  readonly adaptivity: Exclude<Adaptivity, 'parameters'>;
  readonly order: Order;
}

/** Mechanisms that may be chosen adaptively, in any order: its bounds hold for adversaries with less freedom too. */
const inAnyOrder = ({ entries }: Composition): Composition => ({
  entries: mergeEqual(entries, 'any'),
  adaptivity: 'adaptive',
  order: 'any',
});

/** How hard to work. */
export interface Effort extends Watch {
  /** Relative width asked of enclosures; absent: each bound's own default. */
  readonly tolerance?: number;
  /** Whether a tolerance is no reason to work longer than where none is asked. */
  readonly sparing?: boolean;
  /** True once no more refinement should be started. */
  readonly exhausted: () => boolean;
  /** Where what several questions need is kept; absent: nowhere. */
  readonly session?: Session;
}

/** A composition theorem. */
export interface Bound {
  readonly id: BoundId;
  readonly name: string;
  readonly reference: string;
  readonly exposition: BoundExposition;
  /** The relative width its enclosure should have where none is asked; absent: 1e-6. */
  readonly tolerance?: (composition: Composition) => number;
  /** Whether its curve takes more than some milliseconds: tables or lattices; absent: never. */
  readonly isSlow?: (composition: Composition) => boolean;
  /** The curve this theorem gives for the composition, or why it gives none. */
  apply(
    composition: Composition,
    effort: Effort,
  ): { readonly curve: PrivacyCurve } | { readonly reason: Inapplicability };
}

/** The curve of a theorem for who has most freedom: parameters fixed, all else chosen adaptively; null where it has none. */
export function freestCurve(bound: Bound, composition: Composition, effort: Effort): PrivacyCurve | null {
  const applied = bound.apply(inAnyOrder(composition), effort);
  return 'curve' in applied ? applied.curve : null;
}
