import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import type { ParallelBound } from '../../composition/attack/verify/parallel-bounds.ts';
import type { Directions, VerifyAnswer } from '../../composition/attack/verify/verify.ts';
import type { Rational } from '../../numeric/rational.ts';
import { exactVerifyForm } from '../../document/verification/normal-form.ts';
import { aboutAttack } from './json.ts';
import { jsonRational } from '../kit/exact-text.ts';
import { jsonDocument, jsonForm, type Json } from '../kit/json-value.ts';
import { PARALLEL_BOUNDS } from './parallel-bound-text.ts';

type Row = Directions & { readonly factor: Rational; readonly delta: Rational };

const rowJson = ({ factor, delta, forward, backward }: Row): Readonly<Record<string, Json>> => ({
  factor: jsonRational(factor),
  delta: jsonRational(delta),
  forward: jsonRational(forward),
  backward: jsonRational(backward),
});

const COMPARED = { '-1': 'below', '0': 'equal', '1': 'above' } as const;

const boundJson = ({ id, delta, applies }: ParallelBound, optimum: Rational): Json => ({
  id,
  name: PARALLEL_BOUNDS[id].name,
  reference: henzingerSafaviVadhan(PARALLEL_BOUNDS[id].place),
  delta: jsonRational(delta),
  applies,
  optimum: COMPARED[optimum.compare(delta)],
});

/** What was verified as `dpcompose.attack/1`. */
export function verifyJson(answer: VerifyAnswer, version: string): string {
  const { question, properties, alone, guarantee, together } = answer;
  const { factor, claimed, exact, swapped, holds } = guarantee;
  return jsonDocument({
    ...aboutAttack('verify', 'Def 10.2 and Cor 10.7', version),
    input: jsonForm(exactVerifyForm(question)),
    properties: { ...properties },
    alone: alone.map((row) => ({ ...rowJson(row), oblivious: row.oblivious && jsonRational(row.oblivious) })),
    guarantee: {
      factor: jsonRational(factor),
      claimed: claimed && jsonRational(claimed),
      exact: jsonRational(exact),
      swapped: jsonRational(swapped),
      holds,
    },
    together:
      together?.map((row) => ({
        ...rowJson(row),
        bounds: row.bounds.map((bound) => boundJson(bound, row.delta)),
      })) ?? null,
  });
}
