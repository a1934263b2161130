import type { Stand } from '../../ledger/journal/rollup.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { eachListed } from './kit/each-listed.ts';
import { openBeside, succeeded } from './kit/named-ledger.ts';
import type { OpenStore } from './kit/store-option.ts';

/** The forms of where several ledgers stand. */
export type StandingFormat = 'text' | 'json' | 'markdown';

async function* named({ store, named }: OpenStore, files: readonly string[]) {
  for (const name of files) yield { name, ends: succeeded(await store.ends(name), named(name)) };
}

/** Where ledgers stand, by their two ends. */
async function standsOf(desk: OpenStore, files: readonly string[] | null): Promise<readonly Stand[]> {
  const [{ presentOf }, { resumingMany }, { notAtHome }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/resume.ts'),
    import('../../ledger/journal/whereabouts.ts'),
  ]);
  const resuming = resumingMany();
  const stands: Stand[] = [];
  for await (const { name, ends } of files === null ? eachListed(desk.store) : named(desk, files)) {
    if (ends.kind === 'failed') {
      stands.push({ name, kind: 'fault', fault: ends.fault });
      continue;
    }
    const present = presentOf(ends, resuming);
    if (present.kind === 'failed') {
      stands.push({ name, kind: 'fault', fault: present.fault });
      continue;
    }
    const away = await notAtHome(desk.store, name, ends);
    stands.push({ name, kind: 'stands', present, isCopy: away?.fault.code === 'moved' });
  }
  return stands;
}

/** Shows where ledgers stand; all of the store where `files` is null. */
export async function statusOfAll(
  desk: OpenStore,
  files: readonly string[] | null,
  { format, flags }: { readonly format: StandingFormat; readonly flags: PrintFlags },
  { io, version }: Context,
): Promise<number> {
  const stands = await standsOf(desk, files);
  const { rolledUp } = await import('../../ledger/journal/rollup.ts');
  const report = { store: desk.store.address, placed: rolledUp(stands) };
  const put = await openBeside(
    stands.map(({ name }) => desk.named(name)),
    flags,
    io,
  );
  if (put === null) return EXIT.done;
  const { standingJson, standingMarkdown, standingTable } = await import('../../report/ledger/standing-rows.ts');
  if (format === 'json') await put(standingJson(report, version));
  else if (format === 'markdown') await put(standingMarkdown(report));
  else await put(standingTable(report, await layoutFor(flags, io)));
  return EXIT.done;
}
