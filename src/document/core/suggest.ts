import { either, quote } from './quote.ts';

const LONGEST_WORD = 40;

/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/** A word without its vowels, as it is often cut short. */
const withoutVowels = (word: string): string => word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, '');

/** How words are compared: `noise_multiplier` is `noise-multiplier`. */
const normal = (word: string): string => word.toLowerCase().replaceAll('_', '-');

/** Whether a word is another one cut short, such as `eps` or `cnt`, or written with other signs. */
export const isShort = (word: string, whole: string): boolean =>
  word.length >= 2 && (whole.startsWith(normal(word)) || withoutVowels(whole) === normal(word));

/** Whether one word denies the other: with- and without-. */
const isOpposite = (word: string, other: string): boolean =>
  word.startsWith('with-') !== other.startsWith('with-') &&
  word.startsWith('without-') !== other.startsWith('without-');

/** What other programs and papers call some keys. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  std: 'sigma',
  stddev: 'sigma',
  'standard-deviation': 'sigma',
  sd: 'sigma',
  b: 'scale',
  n: 'users',
  k: 'categories',
  q: 'rate',
};

/** The ones of `words` that `word` may have been meant to be: those that are equally near to it. */
export function suggest(word: string, words: readonly string[]): readonly string[] {
  if (word.length > LONGEST_WORD) return [];
  const prefix = normal(word);
  const other = OTHER_NAMES[prefix];
  if (other !== undefined && words.includes(other)) return [other];
  const completed = words.filter(
    (candidate) =>
      candidate.startsWith(prefix) || candidate.endsWith(`-${prefix}`) || prefix.startsWith(`${candidate}-`),
  );
  if (prefix.length >= 2 && completed.length > 0) return completed;
  const cut = prefix.length >= 3 ? words.filter((candidate) => withoutVowels(candidate) === prefix) : [];
  if (cut.length > 0) return cut;
  let nearest: string[] = [];
  let fewest = Math.max(1, Math.floor(prefix.length / 3));
  for (const candidate of words) {
    const edits = editDistance(prefix, candidate.toLowerCase());
    if (edits > fewest || edits >= candidate.length || isOpposite(prefix, candidate)) continue;
    nearest = edits < fewest ? [candidate] : [...nearest, candidate];
    fewest = edits;
  }
  return nearest;
}

/** So many words are named; where more are as near, none is. */
const MOST_WORDS = 3;

/** `Did you mean "sigma" or "variance"? ` or nothing. */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = suggest(word, words);
  return meant.length === 0 || meant.length > MOST_WORDS ? '' : `Did you mean ${either(meant.map(quote))}? `;
}
