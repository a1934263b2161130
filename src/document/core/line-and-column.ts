/** Line and column of an offset, counted from 1; columns count UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  const lineEnd = /\r\n?|\n/g;
  for (let match = lineEnd.exec(text); match !== null && match.index < offset; match = lineEnd.exec(text)) {
    line++;
    start = lineEnd.lastIndex;
  }
  return { line, column: offset - start + 1 };
}
