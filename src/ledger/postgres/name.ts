import { failed, type Failed, type Unnamed } from '../records/fault.ts';

/** Bytes of the longest name. */
export const LONGEST_NAME = 1024;

const reasonAgainst = (name: string): string | null => {
  if (name === '') return 'it is empty';
  if (Buffer.byteLength(name) > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x1f\x7f]/.test(name)) return 'it has control characters';
  return Buffer.from(name).toString() === name ? null : 'it is not Unicode text';
};

/** Why no ledger can have this name here; null where one can. */
export function nameFault(name: string): Failed<Unnamed> | null {
  const reason = reasonAgainst(name);
  return reason === null ? null : { ...failed({ code: 'bad-name', reason }), ledger: name };
}
