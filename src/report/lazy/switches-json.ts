import type { Switches } from '../../lazy/accounting/switches.ts';
import { jsonBracket, jsonDecimal, jsonNumber } from '../kit/json-value.ts';
import { jsonMeasure, jsonSetting, lazyDocument } from './json.ts';

/** The number of switches as `dpcompose.lazy/1`. */
export function lazySwitchesJson({ question, transitions, counts, paper, caps }: Switches, version: string): string {
  const { setting, measure, beyond, delta1, budget } = question;
  return lazyDocument('switches', version, {
    input: {
      ...jsonSetting(setting),
      measure: jsonMeasure(measure),
      beyond: beyond.map(jsonDecimal),
      delta1: delta1 === null ? null : jsonDecimal(delta1),
      budget: budget === null ? null : { epsilon: jsonDecimal(budget.epsilon), delta: jsonDecimal(budget.delta) },
    },
    transitions,
    counts: counts.map(({ kind, mean, deviation, quantiles }) => ({
      kind,
      mean: jsonNumber(mean),
      deviation: jsonNumber(deviation),
      quantiles,
    })),
    paper:
      paper === null
        ? null
        : { status: 'claimed', fake: jsonBracket(paper.fake), composed: jsonBracket(paper.composed) },
    caps: caps.map(({ resampling, rule, most, beyond: chance }) => ({
      status: 'guaranteed',
      resampling,
      rule,
      most,
      beyond: chance === null ? null : jsonNumber(chance),
    })),
  });
}
