import type { Characters } from '../../report/kit/columns.ts';
import type { Io } from './io.ts';

/** The console of Linux speaks UTF-8 and has no braille. */
const WITHOUT_BRAILLE = ['linux', 'dumb'];

/** Which characters may be printed: what LC_ALL, LC_CTYPE or LANG say, the first of them that says something. */
export function charactersFor({ LC_ALL, LC_CTYPE, LANG, TERM }: Io['env']): Characters {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  return /utf-?8/i.test(locale) && !WITHOUT_BRAILLE.includes(TERM ?? '') ? 'unicode' : 'ascii';
}
