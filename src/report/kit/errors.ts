import type { InputError } from '../../document/core/specification.ts';
import { grouped, printable } from './prose.ts';
import type { Style } from './style.ts';

/** `privacy.json:4:7: mechanisms[3].epsilon`, or the flag. */
function place({ path, line, column }: InputError<string>, source: string | null): string {
  if (source === null || path === source || path.startsWith('-')) return path;
  if (line === undefined) return path === 'document' ? source : `${source}: ${path}`;
  const position = `${source}:${line}:${column ?? 1}`;
  return path === 'document' ? position : `${position}: ${path}`;
}

/** The mistakes of an input, one line each: where, what, and how to fix it. */
export function errorLines(
  errors: readonly InputError<string>[],
  { source, more, style }: { readonly source: string | null; readonly more: number; readonly style: Style },
): string {
  const lines = errors.map((error) => {
    const text = `${place(error, source)}: ${error.message}. ${error.hint}`;
    return `${style.error('error:')} ${printable(text)}\n`;
  });
  if (more > 0) lines.push(`and ${grouped(more)} more\n`);
  return lines.join('');
}
