import { describe, expect, it } from 'vitest';
import { Learner } from '../../../src/learning/run/learner.ts';
import { inUnits } from '../../../src/learning/run/losses.ts';
import { regretOfRun } from '../../../src/learning/run/run-guarantee.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Xoshiro } from '../../../src/numeric/random.ts';
import { Random } from '../../soundness/random.ts';

const [ROUNDS, EXPERTS, RUNS] = [300, 5, 150];

type Stream = readonly (readonly number[])[];

const table = (loss: (round: number, expert: number) => number): Stream =>
  Array.from({ length: ROUNDS }, (_, t) => Array.from({ length: EXPERTS }, (__, i) => loss(t, i)));

/** Clicks on five variants of a page, one of which is better; demand by the hour, with forecasts that drift; rare large faults. */
const STREAMS: readonly (readonly [string, (random: Random) => Stream])[] = [
  ['clicks', (random) => table((_, i) => (random.chance(i === 2 ? 0.08 : 0.05) ? 0 : 1))],
  [
    'forecasts that drift',
    (random) =>
      table((t, i) =>
        Math.min(1, Math.abs(Math.sin(t / 24 + i) * (t < 150 ? i / 8 : (4 - i) / 8) + random.between(-0.1, 0.1))),
      ),
  ],
  ['rare faults', (random) => table((t, i) => (t % (7 + i) === 0 && random.chance(0.7) ? random.between(0.5, 1) : 0))],
];

/** The expected loss of exponential weights on the sums of batches, less that of the best expert. */
function expectedRegret(stream: Stream, eta: number, batch: number): number {
  const totals = new Array<number>(EXPERTS).fill(0);
  let weights = totals.map(() => 1 / EXPERTS);
  let loss = 0;
  stream.forEach((round, t) => {
    if (t % batch === 0) {
      const raw = totals.map((total) => Math.exp(-eta * total));
      const sum = raw.reduce((a, b) => a + b);
      weights = raw.map((weight) => weight / sum);
    }
    round.forEach((each, i) => {
      loss += weights[i]! * each;
      totals[i]! += each;
    });
  });
  return loss - Math.min(...totals);
}

describe('the regret of runs', () => {
  it.each(STREAMS)('is what exponential weights have on %s, and below its bound', (_, make) => {
    const stream = make(new Random(7));
    const rows = stream.map((round) => Float64Array.from(round, inUnits));
    for (const setting of [
      { rounds: ROUNDS, batch: 2, eta: new Decimal('0.1'), switchRate: new Decimal('0.05') },
      { rounds: ROUNDS, batch: 3, eta: new Decimal('0.05'), switchRate: new Decimal('0.1') },
    ]) {
      const terms = { setting, experts: EXPERTS, cap: null };
      const best = Math.min(...stream[0]!.map((__, i) => stream.reduce((sum, round) => sum + round[i]!, 0)));
      const regrets = Array.from({ length: RUNS }, (__, seed) => {
        const source = new Xoshiro(seed);
        const learner = new Learner(terms, Learner.begin(terms, source), source);
        let loss = 0;
        rows.forEach((losses, t) => {
          loss += stream[t]![learner.action!]!;
          learner.take(losses);
        });
        return loss - best;
      });
      const mean = regrets.reduce((a, b) => a + b) / RUNS;
      const deviation = Math.sqrt(regrets.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (RUNS - 1) / RUNS);
      const expected = expectedRegret(stream, setting.eta.toNumber(), setting.batch);
      // Five standard deviations: one of two million such tests is wrong.
      expect(Math.abs(mean - expected)).toBeLessThan(5 * deviation);
      expect(expected).toBeLessThan(regretOfRun(setting, EXPERTS));
    }
  });
});
