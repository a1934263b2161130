/** The values that were asked for last, by key; older ones are forgotten. */
export class LruCache<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  /** @param most - how many values are kept, at least 1 */
  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key, which is made where it is not known. */
  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    const value = known ?? make();
    if (known !== undefined) this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#most) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
    return value;
  }
}
