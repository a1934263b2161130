/**
 * Runs of hexadecimal digits that are another in every run of a session: hashes (64 digits, or their first 12), the random bits of
 * a record (32) and the place of a ledger (16). The digits of a number are not meant: 12 or 16 of them count only in quotes, after
 * "hash", or where there is a letter among them.
 */
const RANDOM =
  /(?<![\w.])(?:[0-9a-f]{64}|[0-9a-f]{32}|(?:(?<=\bhash |")|(?=\d*[a-f]))(?:[0-9a-f]{16}|[0-9a-f]{12}))(?!\w|\.\d)/g;

/** Enough digits to tell them apart: those that are shown of a hash. */
const SHOWN = 12;

/** A text with names for its random digits, in their order: two that begin alike have one name. */
function named(text: string): string {
  const names = new Map<string, number>();
  return text.replace(RANDOM, (digits) => {
    const start = digits.slice(0, SHOWN);
    if (!names.has(start)) names.set(start, names.size);
    return `<${digits.length} digits, ${names.get(start)}>`;
  });
}

/** Whether two texts are the same but for random digits: those that agree with each other in one agree in the other. */
export const sameButForRandom = (a: string, b: string): boolean => a === b || named(a) === named(b);
