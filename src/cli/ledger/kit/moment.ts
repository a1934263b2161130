import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { StoreTime } from '../../../ledger/core/hold.ts';
import { momentOf } from '../../../document/core/time-text.ts';

/** Reads a time that is compared with the clock of the store; null where none is given. What is wrong goes to `errors`. */
export function readMoment(flag: string, text: string | undefined, errors: InputError[]): StoreTime | null {
  if (text === undefined) return null;
  const moment = momentOf(text);
  if (moment !== null) return moment;
  const message = `must be a date, or a date and time with its zone, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: flag, message, hint: `For example: ${flag} 2026-03-02T09:15Z` });
  return null;
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const LONGEST_DAYS = 366;

/** Reads how long something lasts, in milliseconds; null where nothing is given. What is wrong goes to `errors`. */
export function readDuration(flag: string, text: string | undefined, errors: InputError[]): number | null {
  if (text === undefined) return null;
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds > 0 && seconds <= LONGEST_DAYS * 86_400) return 1000 * seconds;
  const message = `must be a whole number with s, m, h or d, at most ${LONGEST_DAYS}d, got ${quote(text)}`;
  errors.push({ code: 'malformed-time', path: flag, message, hint: `For example: ${flag} 15m` });
  return null;
}
