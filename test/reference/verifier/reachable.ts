/** Everything that can be reached from `starts` in any number of steps; `key` tells things apart. */
export function reachable<T>(starts: readonly T[], next: (item: T) => readonly T[], key: (item: T) => string): T[] {
  const found = new Map(starts.map((item) => [key(item), item]));
  for (const item of found.values()) {
    for (const each of next(item)) if (!found.has(key(each))) found.set(key(each), each);
  }
  return [...found.values()];
}
