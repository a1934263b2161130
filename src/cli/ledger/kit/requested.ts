import type { Command } from 'commander';
import type { Approval } from '../../../ledger/core/approval.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import { failed, type Failed } from '../../../ledger/records/fault.ts';
import type { Present } from '../../../ledger/journal/present.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { noteInput } from '../../kit/run-files.ts';
import type { PrintFlags } from '../../kit/shared-options.ts';
import { UsageError } from '../../kit/usage-error.ts';
import { readEvidence, type EvidenceFlags } from './evidence.ts';
import { checkNeighbours, mayNotFit, readMechanisms, type MechanismFlags, type Requested } from './mechanisms.ts';
import { readRequestFile, refuseBeside } from './request-file.ts';

/** The option --request, as typed. */
export interface RequestFlags extends MechanismFlags, EvidenceFlags, PrintFlags {
  readonly request?: string;
  readonly key?: string;
}

/** The option --request. */
export const withRequest = (command: Command): Command =>
  command.option('--request <FILE>', 'a request of "ledger request" with its approvals, in place of mechanisms');

/** What is asked for: typed, or in an approved request. */
export interface Wanted {
  readonly entries: readonly Entry[];
  readonly evidence: string | null;
  readonly approvals: readonly Approval[] | null;
  /** The key of an approved request; null where none is named. */
  readonly key: string | null;
  /** Whether it says for which ledgers it is. */
  readonly mayDiffer: boolean;
  /** What is asked for with its document; null where it is an approved request. */
  readonly requested: Requested | null;
  /** Throws, or says why not, where this is not for the ledger. */
  readonly fits: (present: Present, name?: string) => Failed | null;
  /** Throws where the neighbours of what is wanted are others than these. */
  readonly fitsNeighbours: (neighbours: string | null, name: string) => void;
}

const BESIDE = ['mechanism', 'evidence', 'label', 'key', 'set', 'inputFormat'];

/** The mechanisms that are asked for; or the exit code of a refusal, which was printed. */
export async function readWanted(
  source: string | undefined,
  flags: RequestFlags,
  errors: InputError[],
  command: 'ledger spend',
  io: Io,
): Promise<Wanted | number> {
  if (flags.request !== undefined) {
    refuseBeside({ ...flags, spec: source }, [...BESIDE, 'spec'], errors);
    noteInput(flags.request, io);
    const request = readRequestFile(flags.request, '--request', errors, io);
    if (request === null || errors.length > 0) throw new UsageError(errors);
    const { ledger, key, entries, evidence, approvals } = request;
    const fits = (present: Present): Failed | null =>
      present.ledger === ledger ? null : failed({ code: 'other-request', ledger });
    return {
      entries,
      evidence,
      approvals,
      key,
      mayDiffer: true,
      requested: null,
      fits,
      fitsNeighbours: () => undefined,
    };
  }
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, command, io);
  if (typeof requested === 'number') return requested;
  const fitsNeighbours = (neighbours: string | null, name?: string): void => {
    checkNeighbours(requested, neighbours, name);
  };
  const fits = ({ header }: Present, name?: string): null => {
    fitsNeighbours(header.terms.neighbours, name);
    return null;
  };
  const [key, mayDiffer] = [flags.key ?? null, mayNotFit(requested)];
  return { entries: requested.entries, evidence, approvals: null, key, mayDiffer, requested, fits, fitsNeighbours };
}
