/** How the losses of one round are replaced. */
export const REPLACEMENTS = ['opposite', 'zero', 'one', 'likeliest', 'others', 'alternate'] as const;
export type Replacement = (typeof REPLACEMENTS)[number];

/** A neighbour of a loss sequence: one round has other losses. */
export interface NeighbourCandidate {
  /** The index of the round, from 0 on. */
  readonly round: number;
  readonly replacement: Replacement | 'listed';
  readonly losses: Float64Array;
}

/** The expert with the least loss so far; of several the first. */
function leader(totals: Float64Array): number {
  let best = 0;
  for (let i = 1; i < totals.length; i++) if (totals[i]! < totals[best]!) best = i;
  return best;
}

function replaced(replacement: Replacement, losses: Float64Array, likeliest: number): Float64Array {
  switch (replacement) {
    case 'opposite':
      return losses.map((loss) => 1 - loss);
    case 'zero':
      return losses.map(() => 0);
    case 'one':
      return losses.map(() => 1);
    case 'likeliest':
      return losses.map((_, expert) => (expert === likeliest ? 1 : 0));
    case 'others':
      return losses.map((_, expert) => (expert === likeliest ? 0 : 1));
    case 'alternate':
      return losses.map((_, expert) => expert % 2);
  }
}

const SHARES = [0, 1 / 8, 1 / 4, 1 / 2, 3 / 4];

/** Neighbours with all losses 0 or 1 are tried one by one up to this number. */
const FEW = 256;

/** Neighbours worth a try, those of the first batch first: a change there is seen in every later sample. */
export function* neighbourCandidates(
  rounds: readonly Float64Array[],
  batch: number,
): Generator<NeighbourCandidate, void> {
  const experts = rounds[0]?.length ?? 0;
  if (experts <= 16 && rounds.length * 2 ** experts <= FEW) {
    for (const round of rounds.keys()) {
      for (let bits = 0; bits < 2 ** experts; bits++) {
        const losses = Float64Array.from({ length: experts }, (_, expert) => (bits >> expert) & 1);
        yield { round, replacement: 'listed', losses };
      }
    }
    return;
  }
  const batches = Math.ceil(rounds.length / batch);
  const starts = new Set(SHARES.map((share) => batch * Math.floor(share * Math.max(0, batches - 1))));
  const places = new Set([...starts, ...[...starts].map((start) => Math.min(start + batch, rounds.length) - 1)]);
  const totals = new Float64Array(experts);
  for (const [round, losses] of rounds.entries()) {
    if (places.has(round)) {
      const likeliest = leader(totals);
      for (const replacement of REPLACEMENTS) {
        yield { round, replacement, losses: replaced(replacement, losses, likeliest) };
      }
    }
    for (let i = 0; i < experts; i++) totals[i]! += losses[i]!;
  }
}
