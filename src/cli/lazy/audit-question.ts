import type { AuditQuestion } from '../../lazy/accounting/audit.ts';
import type { Measure } from '../../lazy/core/measure.ts';
import { delta0For } from '../../lazy/theorems/theorem-3-12.ts';
import { shareOf, type NamedSetting, type NoSetting } from '../../lazy/core/named-setting.ts';
import {
  CONVEX_FORMULAS,
  EXPERTS_FORMULAS,
  FORMULAS,
  namedForConvex,
  namedForExperts,
} from '../../lazy/theorems/named-settings.ts';
import { isWithoutY, type WithoutY, type WithY } from '../../lazy/core/setting.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { aboutText } from '../../report/lazy/kit/number.ts';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import {
  NumberReader,
  RANGES,
  readConvexProblem,
  readExpertsProblem,
  readMeasure,
  readSetting,
  type NumberFlags,
} from './options.ts';
import { UsageError } from '../kit/usage-error.ts';

/** The options of an audit, as typed. */
export interface AuditFlags extends NumberFlags {
  readonly setting?: string;
  readonly measure?: string;
}

/** An audit, with the epsilon that was asked for where parameters have a target. */
export interface AuditTask {
  readonly question: AuditQuestion;
  readonly target: Decimal | null;
}

const noSetting = ({ id, fakeSwitch }: NoSetting): InputError => ({
  code: 'out-of-range',
  path: '--setting',
  message: `${id} gives p = ${aboutText(fakeSwitch)} here, which is not below 1`,
  hint: 'There are too few rounds for this epsilon: give more rounds, or parameters of your own.',
});

function taskOf(
  found: NamedSetting | NoSetting,
  { epsilon, delta }: { readonly epsilon: Decimal; readonly delta: Decimal },
  errors: InputError[],
): AuditTask | undefined {
  if (!('reason' in found)) return { question: { ...found, delta }, target: epsilon };
  errors.push(noSetting(found));
  return undefined;
}

/** The parameters of a formula. */
function byName(name: string, flags: AuditFlags, reader: NumberReader, errors: InputError[]): AuditTask | undefined {
  reader.refuse(
    ['batch', 'eta', 'p', 'c', 'delta1', 'delta0', 'beta', 'lambda'],
    'contradicts --setting, which gives it',
    'Keep one of them.',
  );
  const forConvex = CONVEX_FORMULAS.find((id) => id === name);
  const forExperts = EXPERTS_FORMULAS.find((id) => id === name);
  if (forConvex !== undefined && (forExperts === undefined || flags.dimension !== undefined)) {
    const problem = readConvexProblem(reader);
    return problem && errors.length === 0 ? taskOf(namedForConvex(forConvex, problem), problem, errors) : undefined;
  }
  if (forExperts !== undefined) {
    const problem = readExpertsProblem(reader);
    return problem && errors.length === 0 ? taskOf(namedForExperts(forExperts, problem), problem, errors) : undefined;
  }
  const hint = `${didYouMean(name, FORMULAS)}Or give --batch, --eta and --p.`;
  const message = `must be ${either(FORMULAS)}, got ${quote(name)}`;
  errors.push({ code: 'unknown-value', path: '--setting', message, hint });
  return undefined;
}

/** delta1: as given, or what --delta leaves to it. */
function readDelta1(reader: NumberReader, measure: Measure, rounds: number, errors: InputError[]): Decimal | undefined {
  const delta1 = reader.optional('delta1');
  const delta = reader.optional('delta');
  if (delta1 === undefined) {
    if (delta !== undefined) {
      return shareOf(delta, measure.type === 'regularised-multiplicative-weights' ? 4 : 2, rounds);
    }
    if (errors.length === 0) reader.required('delta1', 'delta1 of Theorem 3.2 (or --delta, of which it is a share)');
    return undefined;
  }
  if (delta1.times(2).times(rounds).lt(1)) return delta1;
  errors.push({
    code: 'out-of-range',
    path: RANGES.delta1.flag,
    message: `must be below 1/(2T), so that 2 T delta1 is below 1, got ${quote(delta1.toString())}`,
    hint: 'Give a smaller delta1, or --delta for the whole run.',
  });
  return undefined;
}

/** delta0: as given; for convex losses, whose weights have none of 0, by default what costs as much as delta1. */
function readDelta0(
  reader: NumberReader,
  measure: Measure,
  setting: WithY,
  delta1: Decimal,
  errors: InputError[],
): Decimal {
  const given = reader.optional('delta0');
  if (measure.type === 'regularised-multiplicative-weights') {
    if (given?.isZero() === true) {
      const message = 'must be above 0 for convex losses: by Lemma 3.11 their weights move without bound otherwise';
      errors.push({
        code: 'out-of-range',
        path: RANGES.delta0.flag,
        message,
        hint: 'Leave it out for a share of delta.',
      });
    }
    const input = { ...setting, batch: new Decimal(setting.batch), delta1 };
    return given ?? delta0For(delta1.times(4).times(setting.rounds), input);
  }
  if (measure.type === 'multiplicative-weights' && given?.isZero() === false) {
    const hint = 'Leave it out, or give --measure any for a measure that has one.';
    const message = 'multiplicative weights have a delta0 of 0';
    errors.push({ code: 'conflicting-options', path: RANGES.delta0.flag, message, hint });
  }
  return given ?? new Decimal(0);
}

/** L2P without y, of which Theorem 3.2 says nothing: it is for experts, and needs the delta of the accounting. */
function withoutY(
  setting: WithoutY,
  measure: Measure,
  reader: NumberReader,
  errors: InputError[],
): AuditTask | undefined {
  reader.refuse(['delta1', 'delta0'], 'belongs to Theorem 3.2, which says nothing without y', 'Give --delta.');
  const delta = reader.required('delta', 'the delta of the accounting');
  if (measure.type !== 'multiplicative-weights') {
    const message = 'is for multiplicative weights on experts: other measures need y';
    errors.push({
      code: 'conflicting-options',
      path: RANGES.c.flag,
      message,
      hint: 'Give --p, or leave out --measure.',
    });
  }
  if (delta === undefined || errors.length > 0) return undefined;
  const delta1 = shareOf(delta, 2, setting.rounds);
  return { question: { id: null, setting, measure, delta1, delta0: new Decimal(0), delta }, target: null };
}

/** Parameters of one's own. */
function byParameters(flags: AuditFlags, reader: NumberReader, errors: InputError[]): AuditTask | undefined {
  const setting = readSetting(reader, errors);
  const measure = readMeasure(flags.measure, reader, errors);
  reader.refuse(['experts', 'dimension', 'epsilon'], 'belongs to --setting', 'Leave it out, or give --setting.');
  if (setting === undefined || measure === undefined) {
    for (const name of ['delta1', 'delta0', 'delta'] as const) reader.optional(name);
    return undefined;
  }
  if (isWithoutY(setting)) return withoutY(setting, measure, reader, errors);
  const delta1 = readDelta1(reader, measure, setting.rounds, errors);
  if (delta1 === undefined) return undefined;
  const delta0 = readDelta0(reader, measure, setting, delta1, errors);
  const delta = reader.optional('delta');
  return { question: { id: null, setting, measure, delta1, delta0, ...(delta && { delta }) }, target: null };
}

/** Reads what is audited; `errors` are mistakes found so far, reported together with those found here. */
export function readAuditTask(flags: AuditFlags, errors: readonly InputError[]): AuditTask {
  const found = [...errors];
  const reader = new NumberReader(flags, found);
  const task =
    flags.setting === undefined ? byParameters(flags, reader, found) : byName(flags.setting, flags, reader, found);
  if (found.length > 0 || task === undefined) throw new UsageError(found);
  return task;
}
