/** A double with a bound on its absolute error. */
export interface Approximate {
  readonly value: number;
  readonly error: number;
}
