import type { Caveat } from '../../ledger/core/caveat.ts';
import type { Present } from '../../ledger/file/present.ts';
import { jsonDocument, type Json } from '../kit/json-value.ts';
import { linesText } from '../kit/prose.ts';
import { caveatMessage } from './caveat-message.ts';
import { caveatsJson, ledgerJson, standingJson } from './facts-json.ts';
import { kindText } from './status.ts';

/** A ledger that was made. */
export interface Made {
  readonly command: 'init' | 'to-filter' | 'to-odometer';
  readonly file: string;
  readonly present: Present;
  readonly caveats: readonly Caveat[];
}

/** A new ledger as `dpcompose.ledger-made/1`. */
export const madeJson = ({ command, file, present, caveats }: Made, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.ledger-made/1',
    version,
    command,
    ledger: ledgerJson(present, file),
    ...(standingJson(present.state) as Record<string, Json>),
    caveats: caveatsJson(caveats),
  });

/** A new ledger for a person. */
export function madeText({ file, present, caveats }: Made, width: number): string {
  const { header, state, hash } = present;
  const lines = [
    `${file} is ${kindText(header.terms, state)}.`,
    `id ${header.id}, hash ${hash.slice(0, 12)}`,
    ...caveats.map(caveatMessage),
  ];
  return linesText(lines, width);
}
