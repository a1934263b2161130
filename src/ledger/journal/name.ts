import { failed, type Failed, type Unnamed } from '../records/fault.ts';

/** Bytes of the longest name of a ledger in a database. */
export const LONGEST_NAME = 1024;

const reasonAgainst = (name: string): string | null => {
  if (name === '') return 'it is empty';
  if (Buffer.byteLength(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x1f\x7f]/.test(name)) return 'it has control characters';
  return Buffer.from(name).toString() === name ? null : 'it is not Unicode text';
};

/** Why no ledger of a database can have this name, which others read and type; null where one can. */
export function nameFault(name: string): Failed<Unnamed> | null {
  const reason = reasonAgainst(name);
  return reason === null ? null : { ...failed({ code: 'bad-name', reason }), ledger: name };
}

/** There is no ledger of this name. */
export const noSuchLedger = (ledger: string): Failed<Unnamed> => ({ ...failed({ code: 'no-such-ledger' }), ledger });

/** The first of these names that no ledger of a database can have, as one that there is not; null where all can. */
export function impossibleIn(names: readonly string[]): Failed<Unnamed> | null {
  const impossible = names.find((name) => nameFault(name) !== null);
  return impossible === undefined ? null : noSuchLedger(impossible);
}
