import { fstatSync } from 'node:fs';
import { unseal, type Sealed } from '../records/line.ts';
import { verifySection, type SoundSection } from '../journal/sections.ts';
import { readFirstLine } from './ends.ts';
import { lineBatches } from './lines.ts';
import { lineFrom, startOf } from './search.ts';

/** A part of a ledger file, in bytes: whole lines, or up to the end. */
export interface Section {
  readonly from: number;
  readonly end: number;
}

/** The header of an open ledger file, and the rest of it in sections of about this size; null where it has no sound header. */
export function sectionsOf(
  fd: number,
  size: number,
): { readonly header: Sealed; readonly sections: readonly Section[] } | null {
  const header = readFirstLine(fd);
  if (header.kind === 'failed') return null;
  const { size: total } = fstatSync(fd);
  const sections: Section[] = [];
  let from = lineFrom(fd, 0, total).length + 1;
  while (from < total) {
    const start = total - from <= size ? total : startOf(fd, from + size);
    const end = start > from ? start : Math.min(total, from + lineFrom(fd, from, total).length + 1);
    sections.push({ from, end });
    from = end;
  }
  return { header, sections };
}

/** Verifies a section of an open ledger file, given the record before it; null where anything is, or may be, wrong. */
export function verifyAt(fd: number, { from, end }: Section, contains: string | null): SoundSection | null {
  const header = readFirstLine(fd);
  const before = unseal(lineFrom(fd, startOf(fd, from - 1), from));
  if (header.kind === 'failed' || before.kind === 'damaged') return null;
  const seq = before.hash === header.hash ? 0 : before.fields.seq;
  if (typeof seq !== 'number') return null;
  const lines = lineBatches(fd, { start: { offset: from, line: seq + 2 }, end });
  return verifySection(lines, { header, before }, contains);
}
