/**
 * The least expected loss, T (1/2 - T epsilon / 2) - T^2 d delta / 2, of an (epsilon, delta)-DP algorithm that answers T
 * times against one loss function, repeated, whose d values are fair coins; for epsilon <= 1/T and delta <= 1/2.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Lemma 4.4.
 */
export function lemma44(rounds: number, epsilon: number, experts: number, delta: number): number {
  return rounds * (0.5 - (rounds * epsilon) / 2) - (rounds * rounds * experts * delta) / 2;
}
