import type { ExactValue } from '../../document/core/exact-value.ts';
import type { Specification } from '../../document/core/specification.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import type { SolveQuestion } from '../../composition/solve/solve.ts';
import { mechanismsIn } from '../../composition/solve/mechanisms.ts';
import type { ComposedFlags } from '../kit/document-options.ts';
import type { UsageError } from '../kit/usage-error.ts';

/** The keys by which the value that is sought may be written. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  epsilon: ['epsilon'],
  scale: ['scale'],
  sigma: ['sigma', 'noise-multiplier'],
  rho: ['rho'],
  mu: ['mu'],
};

/** A mechanism without the value that is sought, and the flags with a value from which the search begins. */
export interface Sought {
  readonly key: string;
  readonly flags: ComposedFlags;
  /** Whether a mechanism of the specification that these flags give is the one. */
  readonly isAt: (specification: Specification, index: number) => boolean;
}

/** The value may be left out in one mechanism: what a specification lacks by its only error. */
export function soughtIn(
  { errors: [error, ...more] }: UsageError,
  find: string | undefined,
  flags: ComposedFlags,
): Sought[] {
  const keys = Object.hasOwn(KEYS, find ?? '') ? KEYS[find ?? '']! : [];
  if (error?.code !== 'missing-key' || more.length > 0) return [];
  const { mechanism = [], set = [] } = flags;
  const number = /^-m #(\d+)/.exec(error.path)?.[1];
  return keys.map((key) => {
    if (number === undefined) {
      const place = error.path.endsWith(`.${key}`) ? error.path.slice(0, -1 - key.length) : error.path;
      const isAt: Sought['isAt'] = ({ entries }, index) => mechanismsIn(entries)[index]?.path === place;
      return { key, flags: { ...flags, set: [...set, `${place}.${key}=1`] }, isAt };
    }
    const at = Number(number) - 1;
    const begun = mechanism.map((text, index) =>
      index === at ? `${text}${text.includes(':') ? ',' : ':'}${key}=1` : text,
    );
    const isAt: Sought['isAt'] = ({ entries }, index) => index === mechanismsIn(entries).length - mechanism.length + at;
    return { key, flags: { ...flags, mechanism: begun }, isAt };
  });
}

/** Whether that mechanism alone varies: of several, the values that they have are their proportion. */
export const isAllThatVaries = ({ isAt }: Sought, specification: Specification, question: SolveQuestion): boolean =>
  'varied' in question && question.varied.length === 1 && isAt(specification, question.varied[0]!);

function withoutKey(value: ExactValue, steps: readonly string[], key: string): ExactValue {
  if (typeof value !== 'object' || value === null) return value;
  const [step, ...rest] = steps;
  if (Array.isArray(value)) {
    const items: readonly ExactValue[] = value;
    return items.map((item, index) => (String(index) === step ? withoutKey(item, rest, key) : item));
  }
  const kept = Object.entries(value as ExactForm).filter(([name]) => step !== undefined || name !== key);
  return Object.fromEntries(kept.map(([name, each]) => [name, name === step ? withoutKey(each, rest, key) : each]));
}

/** A specification in normal form as it was given: without the value from which the search began. */
export function formWithout(form: ExactForm, { key, isAt }: Sought, specification: Specification): ExactForm {
  const found = mechanismsIn(specification.entries).find((_, index) => isAt(specification, index));
  const steps = found?.path.match(/[^.[\]]+/g) ?? [];
  return withoutKey(form, steps, key) as ExactForm;
}
