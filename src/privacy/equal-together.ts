/** Parts with equal keys made one, as far as doubles add up their counts exactly; in the order in which keys first stand. */
export function equalTogether<Part extends { readonly count: number }>(
  parts: readonly Part[],
  keyOf: (part: Part) => string,
): Part[] {
  const merged = new Map<string, Part>();
  const rest: Part[] = [];
  for (const part of parts) {
    const key = keyOf(part);
    const count = part.count + (merged.get(key)?.count ?? 0);
    if (count <= Number.MAX_SAFE_INTEGER) merged.set(key, { ...part, count });
    else rest.push(part);
  }
  return [...merged.values(), ...rest];
}
