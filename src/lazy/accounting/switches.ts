import { encloseDecimal, toLower, type Decimal } from '../../numeric/decimal.ts';
import { add, expm1, exponential, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { firstFlag } from './first-flag.ts';
import { keepProbability } from './keep-probability.ts';
import type { Measure } from '../core/measure.ts';
import { NO_COUNT, quantile, resamplingCount, spreadOf, tailBeyond, type CountLaw } from './resampling-count.ts';
import { guaranteesOf, type GuaranteeKind } from './resampling-guarantee.ts';
import { repeated, resamplings, type Resampling } from './resampling.ts';
import { fakeSwitchOf, isWithoutY, transitions, withoutFake, type L2pSetting } from '../core/setting.ts';
import { switchCaps, type Budget, type SwitchCap } from './switch-cap.ts';

/**
 * The events that are counted. fake: rounds with S'_s = 0 or A_s = 0, as in the event E_G of the paper; real: with S_s = 0, at most;
 * ofX and ofY: resamplings of x, at most, and of y; all: both together, at most.
 */
export type SwitchKind = 'fake' | 'real' | 'ofX' | 'ofY' | 'all';

/** How often something happens. */
export interface SwitchCount {
  readonly kind: SwitchKind;
  readonly mean: number;
  readonly deviation: number;
  /** For each chance asked for, the least number that is exceeded with at most that chance. */
  readonly quantiles: readonly number[];
  readonly law: CountLaw;
}

/** A cap on the resamplings that keeps a run within a budget. */
export interface CapRow extends SwitchCap {
  readonly resampling: GuaranteeKind;
  /** An upper bound on the chance that a run asks for more; null where there is no cap. */
  readonly beyond: number | null;
}

export interface SwitchQuestion {
  readonly setting: L2pSetting;
  readonly measure: Measure;
  /** The chances with which quantiles may be exceeded, from LEAST_BEYOND to 1. */
  readonly beyond: readonly Decimal[];
  /** Null: no caps. */
  readonly budget: Budget | null;
}

/** The number of switches of L2P, and what may be capped. */
export interface Switches {
  readonly question: SwitchQuestion;
  /** Rounds in which something can be switched. */
  readonly transitions: number;
  readonly counts: readonly SwitchCount[];
  readonly caps: readonly CapRow[];
}

const ONE = exactly(1);

function partsOf({ setting, measure }: SwitchQuestion, rounds: number): Record<SwitchKind, readonly Resampling[]> {
  const keep = keepProbability(setting, measure);
  const fakeSwitch = fakeSwitchOf(setting);
  const p = encloseDecimal(fakeSwitch);
  const notFake = withoutFake(fakeSwitch);
  const all = resamplings(keep, fakeSwitch, rounds);
  const fake = repeated(rounds, multiply(p, add(ONE, notFake)), multiply(notFake, notFake));
  const real = repeated(rounds, negate(expm1(keep.logLeast)), exponential(keep.logLeast));
  return {
    fake: fakeSwitch.isZero() ? [] : [fake],
    real: [real],
    ofX: all.slice(0, 1),
    ofY: all.slice(1),
    all,
  };
}

const KINDS: readonly SwitchKind[] = ['fake', 'real', 'ofX', 'ofY', 'all'];

/** Without y nothing else is sampled anew, and no switch is fake. */
const KINDS_WITHOUT_Y: readonly SwitchKind[] = ['ofX'];

function countOf(kind: SwitchKind, parts: readonly Resampling[], beyond: readonly Decimal[]): SwitchCount {
  const law = parts.length === 0 ? NO_COUNT : resamplingCount(parts);
  return {
    kind,
    ...spreadOf(parts),
    quantiles: beyond.map((chance) => quantile(law, toLower(chance))),
    law,
  };
}

function capsOf(
  { setting, measure, budget }: SwitchQuestion,
  parts: readonly Resampling[],
  { largest, ...rest }: CountLaw,
): CapRow[] {
  const keep = keepProbability(setting, measure);
  const mayReveal = fakeSwitchOf(setting).isZero() && keep.logMost.upper >= 0;
  if (budget === null || parts.length === 0 || mayReveal) return [];
  const flags = firstFlag(keep, fakeSwitchOf(setting));
  return guaranteesOf(measure, setting.eta).flatMap((guarantee) =>
    switchCaps(guarantee, flags, budget, largest).map((cap) => ({
      ...cap,
      resampling: guarantee.kind,
      beyond: cap.most === null ? null : tailBeyond({ largest, ...rest }, cap.most),
    })),
  );
}

/**
 * The laws of the numbers of fake and of real switches: exact binomials where the chance is p, and where the losses have
 * a say of the largest chance they can give. With them the caps under which a run stays within a budget by construction.
 *
 * Source: derived.
 */
export function switches(question: SwitchQuestion): Switches {
  const { setting, beyond } = question;
  const rounds = transitions(setting);
  const parts = rounds === 0 ? null : partsOf(question, rounds);
  const counts = (isWithoutY(setting) ? KINDS_WITHOUT_Y : KINDS).map((kind) =>
    countOf(kind, parts?.[kind] ?? [], beyond),
  );
  return {
    question,
    transitions: rounds,
    counts,
    caps: parts === null ? [] : capsOf(question, parts.all, counts.at(-1)!.law),
  };
}
