import type { Layout } from '../../report/kit/columns.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import type { Io } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';

/** The forms of one result; only the one asked for is made. */
export interface Forms {
  readonly json: () => Promise<string>;
  readonly csv: () => Promise<string>;
  readonly table: (layout: Layout) => Promise<string>;
}

/** Prints a result in the form asked for, to where it belongs; `work` is done once that place is known to be there. */
export async function printed<T>(
  flags: PrintFlags,
  io: Io,
  format: keyof Forms,
  work: () => T | Promise<T>,
  formsOf: (result: T) => Forms,
): Promise<void> {
  const put = await openDestination(flags, io);
  const result = await work();
  if (put === null) return;
  const forms = formsOf(result);
  await put(format === 'table' ? await forms.table(await layoutFor(flags, io)) : await forms[format]());
}
