import type { Command } from 'commander';
import { flatEntries } from '../../../composition/core/plan-node.ts';
import type { Refusal } from '../../../composition/core/outcome.ts';
import type { Uncovered } from '../../../composition/core/uncovered.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import type { InputError, Specification } from '../../../document/core/specification.ts';
import { quote } from '../../../document/core/quote.ts';
import type { DocumentFlags } from '../../kit/document-options.ts';
import type { Io } from '../../kit/io.ts';
import { loadSpecification, type Origin } from '../../kit/load-specification.ts';
import { tellRefusal } from '../../kit/refusal.ts';
import { SHARED, type PrintFlags } from '../../kit/shared-options.ts';
import { UsageError } from '../../kit/usage-error.ts';

/** The options that declare the mechanisms of a request, as typed. */
export interface MechanismFlags extends DocumentFlags {
  readonly mechanism?: readonly string[];
  readonly label?: string;
}

/** The option -m. */
export const withMechanisms = (command: Command, what: string): Command => command.addOption(SHARED.mechanism(what));

/** The options of what is declared, as -m or in a document. */
export const withDocument = (command: Command, what: string): Command =>
  withMechanisms(command, what).addOption(SHARED.set()).addOption(SHARED.inputFormat());

/** The mechanisms of a request, and the neighbouring relation of their document. */
export interface Requested {
  readonly entries: readonly Entry[];
  /** Between which data the guarantees are meant, where a document says. */
  readonly neighbours: string | null;
}

/** Why filters do not cover a document that denies what they take for granted; null where it does not. */
async function deniedBy({ setting }: Specification, nodes: readonly Entry[]): Promise<Refusal | null> {
  if (setting.adaptiveAdversary !== 'denied' && setting.discrete !== 'denied') return null;
  const { admittedMeasure } = await import('../../../composition/plan/mechanism-cost.ts');
  // That communication is finite is a caveat of the ledger's.
  const plan = { setting: { ...setting, finiteCommunication: 'stated' as const } };
  const found: Uncovered[] = [];
  // What a ledger holds is never alone, and filters are proved of what is declared, not of Renyi guarantees behind it.
  const context = { plan, alone: false, uncovered: (part: Uncovered) => found.push(part) };
  nodes.forEach((entry, i) => admittedMeasure(entry, { path: `mechanisms[${i}]`, label: entry.label }, true, context));
  const [uncovered] = found;
  return uncovered === undefined ? null : { ...uncovered, impossibilityBound: null };
}

/**
 * The mechanisms of a document and of -m, named by --label where they have no label of their own; or the exit code of a
 * refusal, which was printed.
 */
export async function readMechanisms(
  source: string | undefined,
  flags: MechanismFlags & PrintFlags,
  errors: readonly InputError[],
  command: Origin['command'],
  io: Io,
): Promise<Requested | number> {
  const { mechanism, set, inputFormat, label } = flags;
  const loaded = await loadSpecification({ command, source, flags: { mechanism, set, inputFormat }, errors }, io);
  const refuse = (refusal: Refusal): Promise<number> =>
    tellRefusal(refusal, { format: flags.json === true ? 'json' : 'table', color: flags.color, io });
  if (loaded.kind === 'refusal') return await refuse(loaded.refusal);
  const entries = flatEntries(loaded.specification.entries);
  if (entries === null) return await refuse({ code: 'adaptive-parameters-in-parallel' });
  const denied = await deniedBy(loaded.specification, entries);
  if (denied !== null) return await refuse(denied);
  const labelled = entries.map((entry) => (label === undefined ? entry : { ...entry, label: entry.label ?? label }));
  return { entries: labelled, neighbours: loaded.specification.neighbours };
}

/**
 * Data between which a document means its guarantees must be those that the ledger means, where both say; `file` names the ledger
 * where several were asked.
 */
export function checkNeighbours({ neighbours }: Requested, ledger: string | null, file?: string): void {
  if (neighbours === null || ledger === null || neighbours === ledger) return;
  const which = file === undefined ? 'the ledger' : `the ledger ${quote(file)}`;
  const message = `the guarantees are for neighbours ${quote(neighbours)}, and ${which} is for ${quote(ledger)}`;
  const hint = 'Name guarantees for the neighbours of the ledger, and write them as the ledger does.';
  throw new UsageError([{ code: 'other-neighbours', path: 'neighbours', message, hint }]);
}
