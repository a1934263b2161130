/** The values that were asked for last, by key; older ones are forgotten. */
export class LruCache<Value> {
  readonly #capacity: number;
  readonly #values = new Map<string, Value>();

  /** @param capacity - how many values are kept, at least 1 */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value of a key, which is made where it is not known. */
  get(key: string, make: () => Value): Value {
    const cachedValue = this.#values.get(key);
    const value = cachedValue ?? make();
    if (cachedValue !== undefined) this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#capacity) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
    return value;
  }
}
