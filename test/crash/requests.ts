import type { Random } from '../soundness/random.ts';

/** A request of a writer; its id is the key under which it is recorded. Amounts are epsilons in millionths. */
export type Request = { readonly id: string } & (
  | {
      readonly kind: 'spend';
      readonly ledgers: readonly string[];
      readonly units: number;
      /** It is asked only if this one was granted: its ledger comes into being with that. */
      readonly after?: string;
    }
  | { readonly kind: 'nest'; readonly ledger: string; readonly children: readonly string[]; readonly units: number }
  | { readonly kind: 'convert'; readonly ledger: string; readonly heir: string }
);

/** The ledgers that a request adds to where it is granted. */
export const ledgersOf = (request: Request): readonly string[] =>
  request.kind === 'spend' ? request.ledgers : [request.ledger];

/** The ledgers that come into being with it. */
export const bornOf = (request: Request): readonly string[] =>
  request.kind === 'nest' ? request.children : request.kind === 'convert' ? [request.heir] : [];

const LARGEST = 40;

/** The largest amount of a nested ledger. */
const LARGEST_CHILD = 80;

/** Some of them, in any order. */
function someOf(names: readonly string[], most: number, random: Random): string[] {
  const left = [...names];
  return random.times(random.whole(1, Math.min(most, left.length)), () => {
    const [one] = left.splice(random.whole(0, left.length - 1), 1);
    return one!;
  });
}

/** What a writer asks for, one after the other: of ledgers that stay, and of spare ones, which may be converted. */
export function requestsOf(
  name: string,
  count: number,
  { lasting, spare }: { readonly lasting: readonly string[]; readonly spare: readonly string[] },
  random: Random,
): readonly Request[] {
  const all: Request[] = [];
  while (all.length < count) {
    const id = `${name}.${all.length}`;
    const kind = random.next();
    const born = id.replaceAll(' ', '-');
    if (kind < 0.1) {
      const children = random.times(random.whole(1, 2), (i) => `${born}-child-${i}`);
      const units = random.whole(1, LARGEST_CHILD);
      all.push({ id, kind: 'nest', ledger: random.pick(lasting), children, units });
      const spent = random.whole(1, LARGEST);
      all.push({ id: `${id}.in`, kind: 'spend', ledgers: [children[0]!], units: spent, after: id });
    } else if (kind < 0.13) {
      const heir = `${born}-heir`;
      all.push({ id, kind: 'convert', ledger: random.pick(spare), heir });
      all.push({ id: `${id}.in`, kind: 'spend', ledgers: [heir], units: random.whole(1, LARGEST), after: id });
    } else {
      const ledgers = kind < 0.4 ? [random.pick(lasting)] : someOf([...lasting, ...spare], 3, random);
      all.push({ id, kind: 'spend', ledgers, units: random.whole(1, LARGEST) });
    }
  }
  return all;
}
