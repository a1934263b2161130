import type { Measure } from '../../lazy/core/measure.ts';
import type { L2pSetting } from '../../lazy/core/setting.ts';
import { jsonDecimal, jsonDocument, type Json } from '../kit/json-value.ts';

/** The results of `dpcompose lazy`. */
export type LazyResult = 'audit' | 'plan' | 'rates' | 'lower-bound' | 'switches' | 'simulate' | 'exact';

/** A result of a lazy command as `dpcompose.lazy/1`. */
export const lazyDocument = (result: LazyResult, version: string, content: Readonly<Record<string, Json>>): string =>
  jsonDocument({ schema: 'dpcompose.lazy/1', version, result, ...content });

/** Parameters of L2P, in exact decimals. */
export const jsonSetting = ({ rounds, batch, eta, fakeSwitch }: L2pSetting): Readonly<Record<string, Json>> => ({
  rounds,
  batch,
  eta: jsonDecimal(eta),
  p: jsonDecimal(fakeSwitch),
});

/** A measure with its parameters. */
export function jsonMeasure(measure: Measure): Json {
  if (measure.type !== 'regularised-multiplicative-weights') return { type: measure.type };
  const { type, beta, lambda, lipschitz, diameter } = measure;
  return {
    type,
    beta: jsonDecimal(beta),
    lambda: jsonDecimal(lambda),
    lipschitz: jsonDecimal(lipschitz),
    diameter: jsonDecimal(diameter),
  };
}
