import type { MechanismKind } from '../../privacy/mechanism.ts';
import { concurrentFDp } from '../theorems/concurrent-f-dp.ts';
import { concurrentRenyi } from '../theorems/concurrent-renyi.ts';
import { concurrentFixed, concurrentFixedParameters, noninteractive } from '../theorems/concurrent.ts';
import { parallelBoundedNumber, parallelDeltaCap } from '../theorems/parallel-delta-cap.ts';
import { parallelFDpFirstPairConsistent, parallelFDpInteractive } from '../theorems/parallel-f-dp.ts';
import { parallelFirstPairConsistent } from '../theorems/parallel-first-pair-consistent.ts';
import { parallelInteractive, parallelNoninteractive, parallelOne } from '../theorems/parallel-interactive.ts';
import { parallelPure } from '../theorems/parallel-pure.ts';
import { parallelRenyiFirstPairConsistent, parallelRenyiInteractive } from '../theorems/parallel-renyi.ts';
import type { Theorem } from '../theorems/theorem.ts';
import type { Measure } from './measure.ts';

/** How a mechanism somewhere below a node enters its composition. */
export interface Conduct {
  readonly measure: Exclude<Measure, 'nothing'>;
  readonly kind: MechanismKind;
  /** Whether it may show late that its data differ. */
  readonly isLate: boolean;
  /** Whether it is (e, d)-DP as declared, which theorems on such mechanisms name. */
  readonly isDp: boolean;
  /** Whether it is (e, 0)-DP for some e. */
  readonly isPure: boolean;
  /** Whether it counts which of two neighbours has the record more, or is the first of a pair. */
  readonly isOrdered: boolean;
}

/** The theorem by which mechanisms run at the same time, where all of their parameters are fixed; null for one alone. */
export function concurrentRule({ measure }: Conduct, adaptive: boolean): Theorem | null {
  switch (measure) {
    case 'alone':
      return null;
    case 'any':
      return noninteractive;
    case 'pure':
    case 'approximate':
      return adaptive ? concurrentFixedParameters : concurrentFixed;
    case 'renyi':
      return concurrentRenyi;
    case 'f-dp':
      return concurrentFDp;
  }
}

/** How a k-sparse parallel composition is limited, as far as that decides which theorem covers it. */
export interface Limits {
  readonly firstPairConsistent: boolean;
  /** The limit of what all instances pay: their number, or a cap on delta. */
  readonly creation: 'unbounded' | 'bounded' | 'capped';
}

/** The theorem by which at most some of many instances pay; null where none covers it, or where it is paid set by set. */
export function parallelRule(conduct: Conduct, { firstPairConsistent, creation }: Limits): Theorem | null {
  const { measure, kind } = conduct;
  const continual = kind === 'continual';
  switch (measure) {
    case 'any':
      return conduct.isDp ? parallelInteractive : parallelNoninteractive;
    case 'alone':
      return conduct.isLate ? null : parallelOne;
    case 'pure':
    case 'approximate':
      if (!continual) return parallelInteractive;
      if (firstPairConsistent) return parallelFirstPairConsistent;
      if (measure === 'pure') return parallelPure;
      if (creation === 'unbounded') return null;
      return creation === 'capped' ? parallelDeltaCap : parallelBoundedNumber;
    case 'renyi':
      if (!continual) return parallelRenyiInteractive;
      if (firstPairConsistent) return parallelRenyiFirstPairConsistent;
      return creation === 'bounded' ? concurrentRenyi : null;
    case 'f-dp':
      if (!continual) return parallelFDpInteractive;
      if (firstPairConsistent) return parallelFDpFirstPairConsistent;
      if (conduct.isPure) return parallelPure;
      return creation === 'bounded' ? concurrentFDp : null;
  }
}
