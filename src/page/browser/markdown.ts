import { element } from './element.ts';

// Shows the Markdown that the program writes, and no other: headings, paragraphs, lists and tables.

/** What is set apart in a line, or a character that is not to be. */
const INLINE = /\*\*((?:\\.|[^\\*])+)\*\*|`([^`]+)`|\\(.)/g;

function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, bold, code, plain = ''] = match;
    parts.push(text.slice(end, match.index));
    if (bold !== undefined) parts.push(element('strong', {}, ...inline(bold)));
    else parts.push(code === undefined ? plain : element('code', {}, code));
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== '');
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A number, which stands to the right: its digits line up. */
const NUMBER = /^(?:-|infinity|-?[\d,.]+(?:e-?\d+)?)$/;

/** A table, whose row that begins with `best` is marked. */
function tableOf([head = '', , ...lines]: readonly string[], best: string | null): HTMLElement {
  const rows = lines.map(cellsOf);
  const isNumber = (at: number): boolean => rows.every((row) => row[at] === '' || NUMBER.test(row[at] ?? ''));
  const kind = (at: number) => ({ class: isNumber(at) ? 'number' : false });
  const heads = cellsOf(head).map((cell, at) => element('th', { scope: 'col', ...kind(at) }, ...inline(cell)));
  const body = rows.map((row) =>
    element(
      'tr',
      { class: row[0] === best ? 'best' : false },
      ...row.map((cell, at) =>
        at === 0
          ? element('th', { scope: 'row', ...kind(at) }, ...inline(cell))
          : element('td', kind(at), ...inline(cell)),
      ),
    ),
  );
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...body));
  // Scrolls by itself where it is wider than the page, also by the keyboard.
  return element('div', { class: 'wide', tabindex: 0, role: 'group', 'aria-label': 'Table' }, table);
}

function blockOf(block: string, best: string | null): HTMLElement {
  const lines = block.split('\n');
  if (block.startsWith('|')) return tableOf(lines, best);
  if (block.startsWith('- ')) {
    return element('ul', {}, ...lines.map((line) => element('li', {}, ...inline(line.slice(2)))));
  }
  const [, marks, title] = /^(#+) ([^]*)$/.exec(block) ?? [];
  if (marks !== undefined) return element(marks.length === 1 ? 'h3' : 'h4', {}, ...inline(title ?? ''));
  return element('p', {}, ...inline(block));
}

/** The elements of a Markdown text; the row of a table that begins with `best` is marked. */
export const markdownElements = (text: string, best: string | null = null): readonly HTMLElement[] =>
  text
    .trim()
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => blockOf(block, best));
