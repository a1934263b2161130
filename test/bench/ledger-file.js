// A large ledger file, made without asking the disk to be sure of every record.
import { closeSync, openSync, writeSync } from 'node:fs';
import library from './library.js';

const { placeIdOfNewFile, recordFields, headerFields, seal, newNonce, open, spend, Decimal } = library;

const termsWith = (deltas) => ({
  mode: 'filter',
  rule: { id: 'zcdp-optimal', delta: new Decimal('1e-6'), deltaPrime: new Decimal('5e-7'), deltas },
  budget: { epsilon: new Decimal(1) },
  onExcess: 'refuse',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
});

const delta = (n, deltas) => new Decimal(deltas === 'sum' ? 0 : `${1 + (n % 97)}.37e-15`);

/** The n-th entry: none is like the one before, and 10^6 of them are within the budget; with a delta where deltas multiply. */
export const entryOf = (n, deltas = 'sum') => ({
  mechanism: {
    type: 'dp',
    epsilon: new Decimal(`1.${String(n % 1000).padStart(3, '0')}e-4`),
    delta: delta(n, deltas),
  },
  count: 1,
  kind: 'noninteractive',
  label: `dashboard ${n % 50}`,
});

const NOBODY = { at: '2026-03-02T09:15:00Z', actor: null, key: null };

/** Writes a ledger of so many launches. */
export function writeLedger(path, size, deltas = 'sum') {
  const terms = termsWith(deltas);
  const fd = openSync(path, 'wx');
  const home = placeIdOfNewFile(fd);
  const about = { version: 'bench', at: null, id: 'bench', terms, origin: null };
  const header = seal(headerFields(about, { nonce: newNonce(), placeId: home }));
  let lines = [header.text];
  let { hash } = header;
  let { state } = open(terms);
  for (let seq = 1; seq <= size; seq++) {
    // The last can be asked.
    const entry = { ...entryOf(seq, deltas), ...(seq === size && { kind: 'interactive' }) };
    const decision = spend(state, entry);
    if (decision.kind === 'refused') throw new Error(JSON.stringify(decision.refusal));
    ({ state } = decision);
    const event = { event: 'spend', entries: [entry], ...NOBODY, totals: decision.totals };
    const line = seal({ seq, nonce: newNonce(), ...recordFields(event), home, ledger: header.hash, prev: hash });
    ({ hash } = line);
    lines.push(line.text);
    if (lines.length === 1000 || seq === size) {
      writeSync(fd, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
  closeSync(fd);
}
