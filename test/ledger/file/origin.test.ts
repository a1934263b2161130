import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../../src/ledger/file/create.ts';
import { launchIn } from '../../../src/ledger/file/launch.ts';
import { seal } from '../../../src/ledger/file/line.ts';
import { verifyOrigin } from '../../../src/ledger/file/origin.ts';
import { readPresent } from '../../../src/ledger/file/present.ts';
import { convertIn, nestIn } from '../../../src/ledger/file/succession.ts';
import { verify } from '../../../src/ledger/file/verify.ts';
import { toFilter } from '../../../src/ledger/to-filter.ts';
import { toOdometer } from '../../../src/ledger/to-odometer.ts';
import type { Terms } from '../../../src/ledger/core/terms.ts';
import { decimal, dp } from '../../mechanisms.ts';
import { fileOf, HEADER, linesIn, newPath, TERMS } from './files.ts';

const OPTIONS = { patience: 5, at: null, version: '0' };

/** What the header of a file says of where it comes from, set beside that file. */
function against(path: string, source: string): string {
  const verified = verify(path);
  if (verified.kind === 'failed' || verified.header === null) return 'unreadable';
  const found = verifyOrigin(verified.header, source);
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
    await launchIn(parent, { entries: [dp('0.1')] }, OPTIONS);
    const terms: Terms = { ...TERMS, budget: { epsilon: decimal('0.3') } };
    await nestIn(parent, { heirs: [{ path: child, id: 'child' }], terms, label: null }, OPTIONS);
    await launchIn(child, { entries: [dp('0.2')] }, OPTIONS);
    await convertIn(parent, { path: counting, id: 'counting' }, toOdometer, OPTIONS);
    await launchIn(counting, { entries: [dp('3')] }, OPTIONS);
    const become = (state: Parameters<typeof toOdometer>[0]) =>
      toFilter(state, 'pure', { epsilon: decimal(9) }, 'halt');
    await convertIn(counting, { path: filter, id: 'filter' }, become, OPTIONS);
  });

  it('agrees with the ledger that paid, and with the one that it goes on from', () => {
    expect([against(child, parent), against(counting, parent), against(filter, counting)]).toEqual(
      Array(3).fill('agrees'),
    );
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
  ])('is found not to be so: %s', (_, path, source, what) => {
    expect(against(path(), source())).toBe(what);
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
    expect(verify(path)).toMatchObject({ flaws: [malformed] });
    expect(readPresent(path)).toMatchObject({ kind: 'failed', fault: malformed });
    expect(await launchIn(path, { entries: [dp('0.1')] }, OPTIONS)).toMatchObject({ fault: malformed });
    writeFileSync(path, '');
  });

  const unproved = (header: Fields): Fields => ({
    ...(header.terms as Fields),
    rule: { id: 'approximate-zcdp', deltas: 'sum' },
    budget: { rho: '9', delta: '0.1' },
  });
});
