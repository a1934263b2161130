/** How an error grows, up to constants that nobody states: never a guarantee. */
export interface ErrorShape {
  /** In words of the parameters: `log n log Delta`. */
  readonly order: string;
  /** The meaning of its letters. */
  readonly where: string;
  /** The value of that at given parameters, up to the same constants; null where they are not all given. */
  readonly value: number | null;
}
