import type { Refusal } from '../composition/outcome.ts';
import { styleFor } from './color.ts';
import { EXIT } from './exit.ts';
import type { Format } from './format.ts';
import { print, tell, type Io } from './io.ts';
import { refusalJson } from '../report/json.ts';
import { refusalMessage, refusalReference } from '../report/messages.ts';
import { printable } from '../report/prose.ts';

/** Where and how a refusal is told. */
interface Manner {
  readonly format: Format;
  readonly color: boolean;
  readonly io: Io;
}

/** A refusal in words, and as the JSON document that it is. */
export interface RefusedText {
  readonly message: string;
  /** Where to read about it; null where nothing is to be read. */
  readonly reference: string | null;
  readonly json: () => string;
}

/** Says what no theorem covers, and returns the exit code of a refusal. */
export async function tellRefused(
  { message, reference, json }: RefusedText,
  { format, color, io }: Manner,
): Promise<number> {
  if (format === 'json') {
    await print(io, json());
    return EXIT.refused;
  }
  const style = await styleFor({ flag: color, env: io.env, output: io.stderr });
  const more = reference === null ? '' : `See ${reference}.\n`;
  await tell(io, `${style.error('refused:')} ${printable(message)}\n${more}`);
  return EXIT.refused;
}

/** Says why a specification is not composed, and returns the exit code of a refusal. */
export const tellRefusal = (refusal: Refusal, manner: Manner): Promise<number> =>
  tellRefused(
    {
      message: refusalMessage(refusal),
      reference: refusalReference(refusal),
      json: () => refusalJson(refusal),
    },
    manner,
  );
