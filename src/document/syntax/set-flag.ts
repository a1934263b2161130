import type { Path, Problem } from '../core/input-error.ts';
import { readJson, type JsonValue } from './json-read.ts';
import { NumberText } from '../core/number-text.ts';
import { quote } from '../core/quote.ts';

/** A change of a document, as `--set PLACE=VALUE` says it. */
export interface Assignment {
  /** From the root of the document; a number may also be the name of a key. */
  readonly path: Path;
  /** The value, as it stands behind the equals sign. */
  readonly text: string;
}

const EXAMPLE = 'For example: --set mechanisms[0].count=50';

const malformed = (message: string, hint = EXAMPLE): { readonly problem: Problem } => ({
  problem: { code: 'malformed-flag', message, hint },
});

/** A key, an index in brackets or after a point, or a key in brackets and quotes. */
const STEP = /(\.?)([A-Za-z_$][\w$-]*)|(\.?)(\d{1,15})(?![\w$-])|\[(\d{1,15})\]|\[("(?:[^"\\]|\\.)*")\]/y;

const keyIn = (quoted: string): string | null => {
  const { value } = readJson(quoted);
  return typeof value === 'string' ? value : null;
};

/** Something, or why there is none. */
export type Found<T> = { readonly value: T } | { readonly problem: Problem };

/** Reads `PLACE=VALUE`, such as `mechanisms[0].count=50`. */
export function parseSetFlag(flag: string): Found<Assignment> {
  const path: (string | number)[] = [];
  let at = 0;
  while (flag[at] !== '=') {
    STEP.lastIndex = at;
    const match = STEP.exec(flag);
    if (match === null) break;
    const [all, point, key, dot, index, bracketed, quoted] = match;
    if ((point ?? dot) === (path.length === 0 ? '.' : '')) break;
    const step = key ?? (quoted === undefined ? Number(index ?? bracketed) : keyIn(quoted));
    if (step === null) break;
    path.push(step);
    at += all.length;
  }
  if (path.length > 0 && flag[at] === '=') return { value: { path, text: flag.slice(at + 1) } };
  const got = at === 0 ? quote(flag) : `${quote(flag.slice(at))} after ${quote(flag.slice(0, at))}`;
  return malformed(`must be PLACE=VALUE, where a place is keys and indices from the top of the document, got ${got}`);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * The value of an assignment: JSON where it is a number, true, false or null, or begins with a quote, bracket or brace;
 * else text. Where text stands already, numbers and words stay text, of which every number may be made.
 *
 * @param place - as messages name it
 */
export function assignedValue(text: string, place: string, before: JsonValue | undefined): Found<JsonValue> {
  const bare = text.trim();
  if (bare === '') {
    return malformed(`no value stands behind ${place}=`, `Write one, or ${place}=null to remove what stands there.`);
  }
  if (bare === 'null') return { value: null };
  if (/^[[{"]/.test(bare)) {
    const { value, mistakes } = readJson(bare);
    const [mistake] = mistakes;
    if (value !== undefined && mistake === undefined) return { value };
    const why = mistake?.problem.message ?? 'it is not';
    return malformed(
      `the value of ${place} must be JSON, as it begins like that: ${why}`,
      'Correct it, or quote it for the shell.',
    );
  }
  if (typeof before === 'string') return { value: text };
  if (bare === 'true' || bare === 'false') return { value: bare === 'true' };
  return { value: NUMBER.test(bare) ? new NumberText(bare) : text };
}
