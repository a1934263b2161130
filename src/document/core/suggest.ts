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

/** The one of `words` that `word` was probably meant to be, or null. */
export function suggest(word: string, words: readonly string[]): string | null {
  if (word.length > LONGEST_WORD) return null;
  const wanted = word.toLowerCase().replaceAll('_', '-');
  if (wanted.length >= 2) {
    const completed = words.find((candidate) => candidate.startsWith(wanted) || wanted.startsWith(`${candidate}-`));
    if (completed !== undefined) return completed;
  }
  let best: string | null = null;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of words) {
    const edits = editDistance(wanted, candidate.toLowerCase());
    if (edits < fewest && edits < candidate.length) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** `Did you mean "epsilon"? ` or nothing. */
export function didYouMean(word: string, words: readonly string[]): string {
  const suggestion = suggest(word, words);
  return suggestion === null ? '' : `Did you mean "${suggestion}"? `;
}
