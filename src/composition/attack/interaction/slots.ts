import { sameGuarantee, type Guarantee } from './guarantee.ts';

/** A multiset of guarantees, each of which may be taken once. */
export class Slots {
  readonly #free: Guarantee[];

  constructor(parameters: readonly Guarantee[]) {
    this.#free = [...parameters];
  }

  /** Takes one with the same parameters; false where there is none left. */
  take(guarantee: Guarantee): boolean {
    const at = this.#free.findIndex((free) => sameGuarantee(free, guarantee));
    if (at < 0) return false;
    this.#free.splice(at, 1);
    return true;
  }
}
