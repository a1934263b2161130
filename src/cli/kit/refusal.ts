import type { Refusal } from '../../composition/core/outcome.ts';
import { styleFor } from './color.ts';
import { EXIT } from './exit.ts';
import type { Format } from './format.ts';
import { columnsOf, print, tell, type Io } from './io.ts';
import { VERSION } from './version.ts';
import { refusalJson } from '../../report/refusal/json.ts';
import { refusalReference, refusalText } from '../../report/refusal/messages.ts';
import { type RefusalText, refusalParagraphs } from '../../report/kit/fix.ts';
import { UNKNOWN_DOCUMENT, type RefusedDocument } from '../../report/refusal/refused-document.ts';

/** How a refusal is printed. */
export interface Manner {
  readonly format: Format;
  readonly color: boolean;
  readonly io: Io;
}

/** How a refusal is printed, and of which document. */
export interface Telling extends Manner {
  readonly document?: RefusedDocument;
}

/** A refusal in words, and as the JSON document that it is. */
export interface Refused {
  readonly text: RefusalText;
  /** Where to read about it; null where nothing is to be read. */
  readonly reference: string | null;
  readonly json: () => string;
}

/** Says what no theorem covers, and returns the exit code of a refusal. */
export async function tellRefused({ text, reference, json }: Refused, { format, color, io }: Manner): Promise<number> {
  if (format === 'json') {
    await print(io, json());
    return EXIT.refused;
  }
  const style = await styleFor({ flag: color, env: io.env, output: io.stderr });
  const layout = { width: columnsOf(io.stderr) ?? Infinity, style };
  await tell(io, refusalParagraphs(text, reference, layout));
  return EXIT.refused;
}

/** Says why a specification is not composed, and returns the exit code of a refusal. */
export const tellRefusal = (refusal: Refusal, { document = UNKNOWN_DOCUMENT, ...manner }: Telling): Promise<number> =>
  tellRefused(
    {
      text: refusalText(refusal, document),
      reference: refusalReference(refusal),
      json: () => refusalJson(refusal, VERSION, document),
    },
    manner,
  );
