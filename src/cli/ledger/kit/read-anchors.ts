import { readAnchors, type Anchor } from '../../../ledger/journal/anchor.ts';
import type { Io } from '../../kit/io.ts';
import { readSource } from '../../kit/source.ts';
import { UsageError } from '../../kit/usage-error.ts';

const HINTS = {
  directory: 'Name the file that "ledger anchor" wrote.',
  large: 'Give the anchors of fewer ledgers.',
};

/** The anchors in a file. */
export async function readAnchorFile(file: string, io: Io): Promise<readonly Anchor[]> {
  const bytes = await readSource(file, io, HINTS);
  const anchors = readAnchors(Buffer.from(bytes).toString('utf8'));
  if (!('line' in anchors)) return anchors;
  const error = {
    code: 'malformed-anchor',
    path: '--anchors',
    message: 'this line is no anchor',
    hint: HINTS.directory,
    line: anchors.line,
    column: 1,
  } as const;
  throw new UsageError([error], { source: file });
}
