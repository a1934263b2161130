import type { Fields } from '../../ledger/records/line.ts';
import { choice, described, document, documentText, orNull } from '../kit/codec.ts';
import { COUNT, TEXT } from '../kit/codecs.ts';
import { counted, grouped, printable } from '../kit/prose.ts';
import { RECORD_REFERENCE } from './facts-json.ts';

/** Something that was recorded by which nothing is spent. */
export interface RemarkReport {
  readonly command: 'recover' | 'adopt' | 'note' | 'void';
  readonly file: string;
  /** Null where nothing had to be recorded. */
  readonly record: { readonly number: number; readonly hash: string } | null;
  readonly fields: Fields;
}

/** How many bytes were set aside. */
const asideOf = ({ command, fields }: RemarkReport): number | null =>
  command === 'recover' ? (fields.aside as { readonly bytes: number }).bytes : null;

/** Something that was recorded by which nothing is spent. */
export const LEDGER_REMARK = document('ledger-remark', 'Something that was recorded, by which nothing is spent.', {
  command: choice('recover', 'adopt', 'note', 'void'),
  file: TEXT,
  record: described('Null where nothing had to be recorded: the ledger is here already.', orNull(RECORD_REFERENCE)),
  aside: described('How many bytes were set aside; null where none could be.', orNull(COUNT)),
});

/** The remark as `dpcompose.ledger-remark/1`. */
export const remarkJson = (report: RemarkReport, version: string): string =>
  documentText(LEDGER_REMARK, { ...report, version, aside: asideOf(report) });

/** The remark in a sentence. */
export function remarkText(report: RemarkReport): string {
  if (report.record === null) return `${printable(`${report.file} is here already: nothing was recorded.`)}\n`;
  const place = `in record ${grouped(report.record.number)}`;
  const bytes = asideOf(report) ?? 0;
  const isInFile = (report.fields.aside as { readonly sha256?: unknown } | undefined)?.sha256 != null;
  const inFile = isInFile ? ` by their hash, themselves in a file beside the ledger (${report.file}.aside-...)` : '';
  const said = {
    recover:
      bytes === 0
        ? `recovered: the last record counts; so it is said ${place}.`
        : `recovered: ${counted(bytes, 'byte')} set aside and kept ${place}${inFile}. If they were granted, enter them again.`,
    adopt: `adopted: ${report.file} goes on here, ${place}.`,
    note: `noted ${place}.`,
    void: `noted ${place}: record ${grouped(Number(report.fields.voids))} never ran. Nothing is given back: that it did not run may depend on what was seen.`,
  };
  return `${printable(said[report.command])}\n`;
}
