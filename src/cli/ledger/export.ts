import type { Fault } from '../../ledger/fault.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { ledgerError, orThrow, LEDGER, WHERE } from './kit/store-option.ts';

const EXAMPLES = `
In the CSV, text that a spreadsheet could read as a formula starts with an
apostrophe.

Examples:
  dpcompose ledger export budget.jsonl > budget.csv
  dpcompose ledger export budget.jsonl --json -o budget.json`;

/** `dpcompose ledger export`: all records for other programs and for people. */
export const exportCommand = ledgerCommand({
  name: 'export',
  summary: 'all records as CSV or JSON',
  about: 'Exports all records of a ledger as CSV or JSON.',
  operands: [LEDGER],
  options: WHERE,
  formats: ['csv', 'json'],
  examples: EXAMPLES,
  async run(run, file: string) {
    const ledger = await run.ledger(file);
    const [{ foldOf, recordsOf }, { ITEMS }, { exportCsv, exportJson }] = await Promise.all([
      import('../../ledger/history.ts'),
      import('../../output/ledger/items.ts'),
      import('../../output/ledger/export.ts'),
    ]);
    // Read twice, so that nothing is written of a ledger that has a flaw, and not all of it is in memory at once.
    const folded = orThrow(await foldOf(ledger.store, file, ITEMS), ledger);
    let fault: Fault | undefined;
    const records = recordsOf(ledger.store, file, folded.present, (recordFault) => {
      fault = recordFault;
    });
    return {
      text: () => exportCsv(folded, records),
      json: (version) => exportJson(folded, records, file, version),
      failure: () => fault && ledgerError(fault, file),
    };
  },
});
