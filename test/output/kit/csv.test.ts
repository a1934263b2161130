import { describe, expect, it } from 'vitest';
import { csvText } from '../../../src/output/kit/table.ts';

describe('comma-separated values', () => {
  const written = (label: string): string => csvText([{ label }], ['label']).split('\r\n').slice(1, -1).join('\r\n');

  it('have nothing in them that drives a terminal or turns the direction of a text', () => {
    expect(written('a\u001b[31mb')).toBe(String.raw`a\u001b[31mb`);
    expect(written('a\u202eb\u2066c\u009bd')).toBe(String.raw`a\u202eb\u2066c\u009bd`);
  });

  it('keep the lines of a text, in quotes', () => {
    expect(written('one\ntwo, "three"')).toBe('"one\ntwo, ""three"""');
  });
});
