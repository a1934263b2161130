const CELL = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;
const BEGINS_AS_NUMBER = /^(?:[+\-.\d]|(?:nan|inf|infinity|∞)$)/i;

/** The cells of a record of comma-separated values, which may stand in double quotes, without the spaces around them. */
function cells(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; ; at = CELL.lastIndex) {
    CELL.lastIndex = at;
    const match = CELL.exec(text);
    if (match === null) return text.split(',').map((cell) => cell.trim());
    found.push(match[1]?.replaceAll('""', '"') ?? match[2]!.trim());
    if (match[3] === '') return found;
  }
}

/**
 * The names in a first line, or null where it has losses: any cell that begins as a number does, with a digit, a sign or a
 * point, makes it a line of losses, and so does one without any text.
 */
export function headerNames(text: string): readonly string[] | null {
  const names = cells(text);
  return names.some((name) => BEGINS_AS_NUMBER.test(name)) || names.every((name) => name === '') ? null : names;
}
