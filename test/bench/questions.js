// What a question does: the words of the command line that asks it, and the work that the library does for it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLedger } from './ledger-file.js';

/** Commands whose words are not their name and a file alone. */
const MORE = {
  spend: ['-m', 'dp:epsilon=1e-4'],
  check: ['-m', 'dp:epsilon=1e-4'],
  replay: ['--replay'],
};
/** No command lists or replays a ledger alone: one is looked into, and one is verified. */
const BY = { list: 'status', replay: 'verify' };

const ledgerWords = ({ command }, path) => ['ledger', BY[command] ?? command, path, ...(MORE[command] ?? [])];

/** The words of `compose`, of `risk`, or of `curve` along values. */
function composeWords(
  { document, mechanisms = [], delta, epsilon, nonadaptive, bounds, tolerance, curve, risk },
  folder,
) {
  const plain = risk === undefined ? ['compose'] : ['risk', '--fpr', risk.falsePositiveRates.join(',')];
  const words = curve === undefined ? plain : ['curve', `--${curve.along}`, curve.values.join(',')];
  if (document !== undefined) {
    const file = join(folder, 'privacy.json');
    writeFileSync(file, JSON.stringify(document));
    words.push(file);
  }
  for (const mechanism of mechanisms) words.push('-m', mechanism);
  if (delta !== undefined && curve?.along !== 'delta') words.push('--delta', delta);
  if (epsilon !== undefined) words.push('--epsilon', epsilon);
  if (nonadaptive === true) words.push('--nonadaptive');
  if (bounds !== undefined) words.push('--bounds', bounds.join(','));
  if (tolerance !== undefined) words.push('--tolerance', String(tolerance));
  return words;
}

/** The question with its files, written into `folder`: for the command line, and for the library. */
export function prepared(question, folder) {
  const { ledger, lazy } = question;
  if (lazy !== undefined) return { words: ['lazy', ...lazy.words.split(' ')], question };
  if (ledger === undefined) return { words: composeWords(question, folder), question };
  const path = join(folder, 'ledger.jsonl');
  writeLedger(path, ledger.entries, ledger.deltas);
  for (let n = 1; n < (ledger.copies ?? 1); n++) writeLedger(join(folder, `${n}.jsonl`), ledger.entries);
  return { words: ledgerWords(ledger, path), question: { ledger: { ...ledger, path } } };
}
