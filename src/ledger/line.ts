import { isUtf8 } from 'node:buffer';
import { hash as digest } from 'node:crypto';

/** The content of a record beside its own hash: plain JSON, whose keys stay in their order. */
export type Fields = Readonly<Record<string, unknown>>;

/** A record as a line of the file, without the end of the line. */
export interface Line {
  readonly text: string;
  readonly hash: string;
}

/** Why bytes are not a record as this program writes it. */
export type Damage =
  | { readonly what: 'blank' | 'merge-marker' | 'carriage-return' | 'byte-order-mark' | 'not-text' | 'not-json' }
  /** No hash at its end. */
  | { readonly what: 'unsealed' }
  /** Another hash than that of its content; the next record may tell which of the two was changed. */
  | {
      readonly what: 'wrong-hash';
      readonly stated: string;
      readonly actual: string;
      readonly changed?: 'content' | 'hash';
    }
  /** The right hash, but not the one way in which this program writes a record. */
  | { readonly what: 'not-canonical' };

/** A record whose hash is right. */
export interface Sealed {
  readonly kind: 'record';
  readonly fields: Fields;
  readonly hash: string;
}

export const numberOf = ({ fields }: Sealed): number => (typeof fields.seq === 'number' ? fields.seq : -1);

export type Unsealed = Sealed | ({ readonly kind: 'damaged' } & Damage);

const SEAL_START = Buffer.from(',"hash":"');
const SEAL_END = Buffer.from('"}');
const HEX = /^[0-9a-f]{64}$/;
const SEAL_LENGTH = SEAL_START.length + 64 + SEAL_END.length;
const MERGE_MARKER = /^(<{7}|={7}|>{7}|\|{7})( |$)/;
const RETURN = 13;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * The line of a record: its fields, and at their end `hash`, the SHA-256 of everything in the line before `,"hash":`.
 */
export function seal(fields: Fields): Line {
  const content = JSON.stringify(fields).slice(0, -1);
  const hash = digest('sha256', content);
  return { text: `${content},"hash":"${hash}"}`, hash };
}

/** Why a line that is not text, JSON or sealed is so, in the words of who may have made it so. */
function strange(line: Buffer): Damage {
  if (!isUtf8(line)) return { what: 'not-text' };
  const text = line.toString('utf8');
  if (text.trim() === '') return { what: 'blank' };
  if (MERGE_MARKER.test(text)) return { what: 'merge-marker' };
  try {
    JSON.parse(text);
    return { what: 'unsealed' };
  } catch {
    return { what: 'not-json' };
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function statedHash(line: Buffer): string | null {
  const end = line.length - SEAL_LENGTH;
  if (end <= 0 || SEAL_START.compare(line, end, end + SEAL_START.length) !== 0) return null;
  const last = line.length - SEAL_END.length;
  const hash = line.toString('latin1', end + SEAL_START.length, last);
  return SEAL_END.compare(line, last) === 0 && HEX.test(hash) ? hash : null;
}

/**
 * The content of a line (without its end), if its hash is that of its content. That it is written as this program writes it,
 * with no key twice and nothing between its parts, is looked at only if it is to be `strict`.
 */
export function unseal(line: Buffer, strict = true): Unsealed {
  if (line.at(-1) === RETURN) return { kind: 'damaged', what: 'carriage-return' };
  if (line[0] === BYTE_ORDER_MARK[0] && line.subarray(0, 3).equals(BYTE_ORDER_MARK))
    return { kind: 'damaged', what: 'byte-order-mark' };
  const stated = statedHash(line);
  if (stated === null) return { kind: 'damaged', ...strange(line) };
  const end = line.length - SEAL_LENGTH;
  const actual = digest('sha256', line.subarray(0, end));
  if (actual !== stated) return { kind: 'damaged', what: 'wrong-hash', stated, actual };
  const content = `${line.toString('utf8', 0, end)}}`;
  try {
    const fields: unknown = JSON.parse(content);
    const canonical = !strict || (isUtf8(line) && JSON.stringify(fields) === content);
    if (isFields(fields) && canonical) return { kind: 'record', fields, hash: stated };
  } catch {
    // Falls through: sealed, but by another hand.
  }
  return { kind: 'damaged', what: 'not-canonical' };
}

const SEQ = /^\{"seq":(\d{1,16}),/;
const SEQ_LENGTH = 24;
const CHAINED = /^,"ledger":"([0-9a-f]{64})","prev":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}$/;
const CHAINED_LENGTH = ',"ledger":"","prev":"","hash":""}'.length + 3 * 64;

/**
 * The fields that put a record in its place, read off its two ends without a look at what is between them: whether the hash is that
 * of its content is not known. Null where the line does not have the form of a record after the header.
 */
export function placed(line: Buffer): Sealed | null {
  const seq = SEQ.exec(line.toString('latin1', 0, SEQ_LENGTH))?.[1];
  const chained = CHAINED.exec(line.toString('latin1', Math.max(0, line.length - CHAINED_LENGTH)));
  if (seq === undefined || chained === null) return null;
  const [, ledger, prev, hash = ''] = chained;
  return { kind: 'record', fields: { seq: Number(seq), ledger, prev }, hash };
}

/** The same where the hash is that of its content. */
export function placedIfSealed(line: Buffer): Sealed | null {
  const record = placed(line);
  return record?.hash === digest('sha256', line.subarray(0, -SEAL_LENGTH)) ? record : null;
}

/** Whether a text breaks off before the JSON object that it begins with ends. */
export function isOpen(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth <= 0) return false;
    }
  }
  return true;
}

/** The longest line that is written, in bytes, and the longest that is read. */
export const LONGEST_RECORD = 4 * 1024 * 1024;
export const LONGEST_LINE = 2 * LONGEST_RECORD;

/** One line of a file. */
export interface RawLine {
  /** Its number, from 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Its bytes without the newline; valid until the next line is asked for. */
  readonly bytes: Buffer;
  /** Whether a newline ends it; only the last line may have none. */
  readonly ended: boolean;
  /** Its bytes were too many to be read, and are not given. */
  readonly tooLong: boolean;
}

/**
 * The mark of records of one transaction over several ledgers. One of them, the head, decides: the others count where the head
 * counts, and name it.
 */
export interface TransactionLink {
  /** The ids of all the ledgers, in the order in which they were named; the head is the first. */
  readonly ids: readonly string[];
  /** How they are called from here, in the same order. */
  readonly names: readonly string[];
  /** The record of the head; null in the head itself. */
  readonly head: {
    /** How its ledger is called from here. */
    readonly ledger: string;
    /** The hash of its header. */
    readonly header: string;
    readonly seq: number;
    readonly hash: string;
  } | null;
}

/** The head that a record names, if it is one of several whose head is another. */
export const headNamedBy = (record: Sealed): TransactionLink['head'] => linkOf(record)?.head ?? null;

/** The mark in the text of a record: only records that have it belong to others. */
export const LINK_MARK = Buffer.from(',"together":{');

/** The mark of a record; null for a record of one ledger alone. */
export const linkOf = ({ fields }: Pick<Sealed, 'fields'>): TransactionLink | null =>
  (fields as { readonly together?: TransactionLink }).together ?? null;

/** The ids of all ledgers of the transaction that a record belongs to; null for a record of one ledger alone. */
export const participants = (record: Pick<Sealed, 'fields'>): readonly string[] | null => linkOf(record)?.ids ?? null;
