import type { Bound } from '../../bounds/core/bound.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import type { DeclaredTogether } from '../core/guarantee.ts';
import { DECLARED_BOUNDS } from './bounds.ts';

const effort = { exhausted: () => false };

/** The bound for all that is declared, or why it gives none: the mechanisms are chosen adaptively, in any order. */
export const appliedToDeclared = ({ bound, entries }: Omit<DeclaredTogether, 'type'>): ReturnType<Bound['apply']> =>
  DECLARED_BOUNDS[bound].apply({ entries: mergeEqual(entries, 'any'), adaptivity: 'adaptive', order: 'any' }, effort);
