import type { BadAddress, Fault, WrongOrigin } from '../../ledger/fault.ts';
import { quote, shorten } from '../../document/core/quote.ts';
import { filledIn, type Message, type Texts } from '../kit/message.ts';
import { grouped, printable } from '../kit/prose.ts';
import type { AnchorMismatch } from '../../ledger/anchor.ts';
import type { Finding } from '../../ledger/verify-all.ts';

/** What only "ledger verify" finds: `hash-not-found` with --contains, the others of anchors and of several ledgers. */
type Verification =
  | { readonly code: 'hash-not-found'; readonly hash: string }
  | { readonly code: 'anchor-not-found'; readonly mismatch: AnchorMismatch }
  | { readonly code: 'no-anchor' }
  | { readonly code: 'ledger-gone'; readonly finding: Extract<Finding, { kind: 'gone' | 'part-gone' }> }
  | { readonly code: 'missing-part'; readonly finding: Extract<Finding, { kind: 'missing-part' }> };

/** Everything that can be wrong with a ledger file. */
export type LedgerFault = Fault | Verification;

/** The stable code of a fault. */
export type LedgerFaultCode = LedgerFault['code'];

/** Where a record without its end at the end of a ledger may come from, as a clause that ends its sentence. */
export const UNENDED =
  'a write was cut short, and nobody was told of it, or the end of the file was removed; check with "ledger verify FILE --contains HASH"';

/** Characters of the longest reason that is shown whole. */
const LONGEST_REASON = 200;

export const BACKUP = 'Put back a copy from before; what was spent since then must be entered again.';
const LAST_LINE =
  'At the end of a file set it aside with "ledger recover"; in a database, or if a record comes after it, put back a copy from before, and enter again what was spent since then.';
export const SIDES =
  'Put back the records of one side; count what the other side spent with "ledger record --incurred".';

type Damaged = Extract<Fault, { code: 'damaged-record' }>;

/** The first digits of a hash. */
export const brief = (hash: string): string => `${hash.slice(0, 12)}...`;

function wrongHash({ stated, actual, changed }: Extract<Damaged, { what: 'wrong-hash' }>): string {
  const hashes = `(${brief(stated)} is stated, ${brief(actual)} is that of its content)`;
  const byNext = {
    content: `the content of the record was changed: the next record confirms its hash ${hashes}`,
    hash: `the hash of the record was changed: the next record confirms its content ${hashes}`,
  };
  return changed ? byNext[changed] : `the record was changed: its hash is not that of its content ${hashes}`;
}

const CHANGED = 'The record was changed.';

const DAMAGES: Texts<'what', Damaged> = {
  blank: { message: 'a line is blank', hint: LAST_LINE },
  'merge-marker': {
    message: 'this is a conflict marker of git: two ledgers were merged, each of which may have spent the same budget',
    hint: SIDES,
  },
  'carriage-return': {
    message: 'the lines end in CRLF: git or an editor has rewritten the file',
    hint: 'Restore it with LF; for git, write "*.jsonl -text" in .gitattributes.',
  },
  'byte-order-mark': {
    message: 'the file begins with a byte order mark: an editor has rewritten it',
    hint: 'Remove the mark.',
  },
  'not-text': { message: 'this is no record: it holds bytes that are not UTF-8', hint: LAST_LINE },
  'not-json': { message: 'this is no record, or was one that was changed: it is not JSON', hint: LAST_LINE },
  unsealed: { message: 'this is no record, or was one that was changed: it does not end in a hash', hint: LAST_LINE },
  'not-canonical': {
    message: 'the record is not written as this program writes it, although its hash is right',
    hint: BACKUP,
  },
  'wrong-hash': {
    message: wrongHash,
    meaning: CHANGED,
    hint: ({ changed }) => (changed === 'hash' ? 'Put back the hash of its content.' : BACKUP),
    remedy: BACKUP,
  },
};

/** What is wrong with a damaged record. */
export const damage = (fault: Damaged): Message => filledIn<never>(DAMAGES[fault.what], fault as never);

/** A claim of a header about where its ledger comes from, and what is so there. */
export const ORIGINS: Readonly<Record<WrongOrigin, string>> = {
  'no-origin': 'by its header the ledger began by itself, and comes from no other one',
  'other-ledger': 'by its header the ledger comes from another one than this',
  'no-such-record':
    'the ledger that it comes from, by its header, has no such record of having paid for it or ended for it',
  'other-id': 'the ledger that it comes from paid, or ended, for a ledger of another id',
  'other-terms': 'the ledger that it comes from paid, or ended, for a ledger of other terms',
  'other-totals': 'it does not go on from the totals with which the ledger that it comes from ended',
};

/** What is wrong with an address; the option is one of these. */
const ADDRESS_PROBLEMS: Readonly<Record<BadAddress['problem'], (option: string) => string>> = {
  malformed: () => 'this is not an address of a store',
  password: () => 'there is a password in the address, where others see it',
  'unknown-option': (option) => `the address has the option ${option}, which there is not`,
  'repeated-option': (option) => `the address has the option ${option} twice`,
  'wrong-option': (option) => `the address has a value for ${option} that it cannot have`,
  unencrypted: () => 'the server is another machine, and the address does not say whether the connection is encrypted',
  'outer-space': () => 'the path begins or ends with white space, by which another file would be meant',
};

/** What an address is. */
export const ADDRESS_HINT =
  'Write a folder, sqlite:FILE, or postgres://USER@HOST/DATABASE, with PGPASSWORD or ~/.pgpass for the password. A password that others may have seen should be changed.';

/** The hints of those that have one of their own. */
const ADDRESS_HINTS: Partial<Readonly<Record<BadAddress['problem'], string>>> = {
  unencrypted: 'Add ?sslmode=verify-full, or ?sslmode=disable where the network is trusted.',
  'outer-space': 'Give the file another name.',
};

/** What is wrong with an address, and what to write instead. */
export const addressFault = ({ problem, option }: BadAddress): Message => ({
  message: ADDRESS_PROBLEMS[problem](option === null ? '' : quote(option)),
  hint: ADDRESS_HINTS[problem] ?? ADDRESS_HINT,
});

/** What a server or a system gives as its reason: whole, unless it is very long. */
export const reasonText = (reason: string): string => shorten(printable(reason), LONGEST_REASON);

/** How a file or a database is told from what it was when it was left. */
export function cutText({ size, before, unit, isOther = false }: Extract<Fault, { code: 'cut-off' }>): string {
  if (isOther) return 'does not have the record that it was left with: another copy was put over it';
  return size < before
    ? `has ${grouped(size)} ${unit}, and was left with ${grouped(before)}`
    : `was left with ${grouped(before)} ${unit}, and was recovered from fewer`;
}
