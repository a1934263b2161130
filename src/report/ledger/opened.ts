import type { Caveat } from '../../ledger/core/caveat.ts';
import type { Present } from '../../ledger/journal/present.ts';
import { choice, document, documentText } from '../kit/codec.ts';
import { linesText } from '../kit/prose.ts';
import { caveatMessage } from './caveat-message.ts';
import { CAVEATS, LEDGER, standing, STANDING } from './facts-json.ts';
import { kindText } from './status.ts';

/** A ledger that was made. */
export interface Made {
  readonly command: 'init' | 'to-filter' | 'to-odometer';
  readonly file: string;
  readonly present: Present;
  readonly caveats: readonly Caveat[];
}

/** A new ledger. */
export const LEDGER_MADE = document('ledger-made', 'A ledger that was made.', {
  command: choice('init', 'to-filter', 'to-odometer'),
  ledger: LEDGER,
  ...STANDING,
  caveats: CAVEATS,
});

/** A new ledger as `dpcompose.ledger-made/1`. */
export const madeJson = (made: Made, version: string): string =>
  documentText(LEDGER_MADE, { ...made, version, ledger: made, ...standing(made.present.state) });

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
