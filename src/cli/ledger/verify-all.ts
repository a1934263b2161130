import type { Anchor } from '../../ledger/journal/anchor.ts';
import { FAULT_CODES } from '../../report/codes/faults.ts';
import { NO_ANCHOR, toldOf, verifyAllJson, verifyAllText } from '../../report/ledger/verify-all.ts';
import { isSameStore } from '../../ledger/journal/store-address.ts';
import type { Finding } from '../../ledger/journal/verify-all.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError, type UsageMistake } from '../kit/usage-error.ts';
import { eachListed } from './kit/each-listed.ts';
import { openBeside } from './kit/named-ledger.ts';
import { readAnchorFile } from './kit/read-anchors.ts';
import type { OpenStore } from './kit/store-option.ts';

/** What is asked of several ledgers. */
export interface AskedOfAll extends PrintFlags {
  readonly anchors?: string;
  readonly copy?: boolean;
}

/** The most ledgers of which it is said what is wrong. */
const MOST = 20;

function mistake(finding: Finding): UsageMistake {
  const { code, record, message, hint } = toldOf(finding);
  const place = record === null ? '' : record === 0 ? ', the header' : `, record ${record}`;
  return { code, path: `${finding.name}${place}`, message, hint };
}

async function* names({ store }: OpenStore): AsyncGenerator<string> {
  for await (const { name } of eachListed(store)) yield name;
}

/** Verifies several ledgers, or all of a store where `files` is null. */
export async function verifyAllOf(
  desk: OpenStore,
  files: readonly string[] | null,
  flags: AskedOfAll,
  context: Context,
): Promise<number> {
  const { io, version } = context;
  const anchors = flags.anchors === undefined ? [] : await readAnchorFile(flags.anchors, io);
  const { address } = desk.store;
  const { verifyAll } = await import('../../ledger/journal/verify-all.ts');
  // Of ledgers that are not among those named nothing is known.
  const isExpected = ({ store, name }: Anchor): boolean =>
    isSameStore(store, address) && (files === null || files.includes(name));
  const copies = flags.copy === true;
  const verified = await verifyAll(desk.store, files ?? names(desk), { anchors, isExpected, copies });
  if (flags.anchors !== undefined && verified.anchors === 0 && verified.findings.length === 0) {
    throw new UsageError([{ code: 'no-anchor', path: address, ...NO_ANCHOR }], {
      source: flags.anchors,
      exit: EXIT.conflict,
    });
  }
  const put = await openBeside((files ?? []).map(desk.named), flags, io);
  const report = { verified, store: desk.store.address, anchors: flags.anchors ?? null };
  const { findings } = verified;
  if (flags.json === true) await put?.(verifyAllJson(report, version));
  else if (findings.length === 0) await put?.(verifyAllText(report));
  if (findings.length === 0) return EXIT.done;
  // A name that leads to no ledger is a mistake of who typed it, and so is the exit code.
  const exits = findings.map((finding) => FAULT_CODES[toldOf(finding).code].exit);
  const exit = files !== null && exits.every((each) => each === EXIT.usage) ? EXIT.usage : EXIT.conflict;
  if (flags.json === true) return exit;
  const more = Math.max(0, findings.length - MOST);
  throw new UsageError(findings.slice(0, MOST).map(mistake), { source: desk.store.address, more, exit });
}
