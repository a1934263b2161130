import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../src/ledger/stores/file/create.ts';
import { seal } from '../../src/ledger/line.ts';
import { verifyOrigin } from '../../src/ledger/replay.ts';
import { readPresent } from '../../src/ledger/present.ts';
import { convertIn, nestIn } from '../../src/ledger/succession.ts';
import { verify } from '../../src/ledger/verify.ts';
import { toFilter, toOdometer } from '../../src/ledger/conversions.ts';
import type { Terms } from '../../src/ledger/rules/terms.ts';
import { decimal, dp } from '../mechanisms.ts';
import { FILES, fileOf, HEADER, launch, linesIn, newPath, OPTIONS, TERMS } from './stores/file/files.ts';

/** What the header of a file says of where it comes from, set beside that file. */
async function against(path: string, source: string): Promise<string> {
  const verified = await verify(FILES, path);
  if (verified.kind === 'failed' || verified.header === null) return 'unreadable';
  const found = await verifyOrigin(verified.header, FILES, source);
  if (found === null) return 'agrees';
  const { fault } = found.kind === 'failed' ? found : { fault: found.flaw };
  return fault.code === 'wrong-origin' ? fault.what : fault.code;
}

type Fields = Record<string, unknown>;

/** A ledger without records whose header is that of another, changed, with its hash made right again. */
function forged(path: string, change: (header: Fields) => void): string {
  const header = JSON.parse(linesIn(path)[0] ?? '') as Fields;
  delete header.hash;
  change(header);
  return fileOf(`${seal(header).text}\n`);
}

const termsIn = (header: Fields) => header.terms as { budget: Fields; neighbours: string | null };
const originIn = (header: Fields) => header.origin as Fields & { totals: { spent: Fields } };

describe('what a ledger says of where it comes from', () => {
  const [parent, child, counting, filter, other] = [newPath(), newPath(), newPath(), newPath(), newPath()];
  beforeAll(async () => {
    for (const path of [parent, other]) create(path, { ...HEADER, id: path === parent ? 'parent' : 'other' });
    await launch(parent, { entries: [dp('0.1')] });
    const terms: Terms = { ...TERMS, budget: { epsilon: decimal('0.3') } };
    await nestIn(FILES, parent, { children: [{ name: child, id: 'child' }], terms, label: null }, OPTIONS);
    await launch(child, { entries: [dp('0.2')] });
    await convertIn(FILES, parent, { name: counting, id: 'counting' }, toOdometer, OPTIONS);
    await launch(counting, { entries: [dp('3')] });
    const become = (state: Parameters<typeof toOdometer>[0]) =>
      toFilter(state, 'pure', { epsilon: decimal(9) }, 'halt');
    await convertIn(FILES, counting, { name: filter, id: 'filter' }, become, OPTIONS);
  });

  it('agrees with the ledger that paid, and with the one that it goes on from', async () => {
    expect(await against(child, parent)).toBe('agrees');
    expect(await against(counting, parent)).toBe('agrees');
    expect(await against(filter, counting)).toBe('agrees');
  });

  it.each<[string, () => string, () => string, string]>([
    ['a ledger that begins by itself', () => parent, () => other, 'no-origin'],
    ['another ledger', () => child, () => other, 'other-ledger'],
    [
      'no record of that hash',
      () => forged(child, (h) => (originIn(h).hash = 'a'.repeat(64))),
      () => parent,
      'no-such-record',
    ],
    [
      'a record of something else',
      () => forged(child, (h) => (originIn(h).hash = lineHash(parent, 1))),
      () => parent,
      'no-such-record',
    ],
    [
      'another name than that which was paid for',
      () => forged(child, (h) => (h.id = 'twin')),
      () => parent,
      'other-id',
    ],
    [
      'a larger budget than was paid for',
      () => forged(child, (h) => (termsIn(h).budget.epsilon = '0.5')),
      () => parent,
      'other-terms',
    ],
    ['another name than it was ended for', () => forged(counting, (h) => (h.id = 'twin')), () => parent, 'other-id'],
    [
      'less spent than was',
      () => forged(filter, (h) => (originIn(h).totals.spent.epsilon = '0.1')),
      () => counting,
      'other-totals',
    ],
    [
      'other terms than it was ended with',
      () => forged(filter, (h) => (termsIn(h).neighbours = 'x')),
      () => counting,
      'other-terms',
    ],
    [
      'a conversion that was a payment',
      () => forged(counting, (h) => (originIn(h).hash = lineHash(parent, 2))),
      () => parent,
      'no-such-record',
    ],
    [
      'a ledger with a flaw',
      () => child,
      () => fileOf(readFileSync(parent, 'utf8').replace('0.1', '0.2')),
      'damaged-record',
    ],
    ['no file', () => child, () => newPath(), 'no-such-file'],
  ])('is found not to be so: %s', async (_, path, source, what) => {
    expect(await against(path(), source())).toBe(what);
  });

  const lineHash = (path: string, record: number): string =>
    (JSON.parse(linesIn(path)[record] ?? '') as { hash: string }).hash;

  it.each<[string, (header: Fields) => void]>([
    ['a budget below what was spent', (header) => (termsIn(header).budget.epsilon = '1')],
    ['a rule that is not proved', (header) => (header.terms = unproved(header))],
    ['a distance of 0', (header) => Object.assign(termsIn(header), { distance: '0' })],
  ])('is no ledger with terms that could not be opened: %s', async (_, change) => {
    const path = forged(filter, change);
    const malformed = { code: 'malformed-record', line: 1, record: 0 };
    expect(await verify(FILES, path)).toMatchObject({ flaws: [malformed] });
    expect(await readPresent(FILES, path)).toMatchObject({ kind: 'failed', fault: malformed });
    const adopted = await launch(path, { entries: [dp('0.1')] }, { ...OPTIONS, adopt: true });
    expect(adopted).toMatchObject({ fault: malformed });
  });

  const unproved = (header: Fields): Fields => ({
    ...(header.terms as Fields),
    rule: { id: 'approximate-zcdp', deltas: 'sum' },
    budget: { rho: '9', delta: '0.1' },
  });
});
