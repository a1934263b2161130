/** Items by their keys, in the order in which they stand. */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * A function that is computed once for each argument.
 *
 * @param circular - its value where the computation for an argument asks for that very value
 */
export function once<Key, Value>(compute: (key: Key) => Value, circular?: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, { readonly value: Value }>();
  return (key) => {
    const before = cache.get(key);
    if (before !== undefined) return before.value;
    if (circular !== undefined) cache.set(key, { value: circular(key) });
    const value = compute(key);
    cache.set(key, { value });
    return value;
  };
}
