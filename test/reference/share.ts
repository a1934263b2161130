/** How many of the cases that a test asks for it looks at: 1 (all of them) in the slow project. */
export const SHARE = Number(process.env.PROPERTY_SHARE ?? 0.08);

/** The share of a number of cases, which is not less than `few` of them. */
export const shareOf = (cases: number, few = 4): number => Math.max(Math.min(cases, few), Math.ceil(cases * SHARE));

/** The share of listed cases: at least `few`, the first and the last among them, the others evenly between. */
export function someOf<T>(cases: readonly T[], few = 2): readonly T[] {
  const [size, last] = [shareOf(cases.length, few), cases.length - 1];
  return Array.from({ length: size }, (_, i) => cases[size === 1 ? 0 : Math.round((i * last) / (size - 1))]!);
}
