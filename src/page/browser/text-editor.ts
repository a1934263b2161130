import type { InputError } from '../../document/core/specification.ts';
import { byId, typedById } from './element.ts';

const area = typedById('text', HTMLTextAreaElement);
const gutter = byId('lines');

/** Numbers the lines, and marks those with mistakes. */
export function markLines(mistakes: readonly InputError[]): void {
  const wrong = new Set(mistakes.map(({ line }) => line));
  const numbers = area.value.split('\n').map((_, index) => {
    const mark = document.createElement('span');
    mark.textContent = String(index + 1);
    if (wrong.has(index + 1)) mark.className = 'wrong';
    return mark;
  });
  gutter.replaceChildren(...numbers);
  area.rows = Math.max(12, numbers.length + 1);
}

/** Puts the cursor where a mistake is. */
export function goToLine({ line = 1, column = 1 }: InputError): void {
  const before = area.value.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(at, at + 1);
}
