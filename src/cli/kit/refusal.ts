import type { Answer, Refusal, Warning } from '../../composition/core/outcome.ts';
import type { DesignCheck } from '../../composition/design/check-design.ts';
import type { DesignProblem } from '../../composition/design/check-design.ts';
import { uncheckedWarnings, type Documented } from '../../composition/design/document-warnings.ts';
import type { RefusalText } from '../../report/kit/fix.ts';
import { printable } from '../../report/kit/prose.ts';
import { refusalJson } from '../../report/refusal/json.ts';
import { refusalReference, refusalText } from '../../report/refusal/messages.ts';
import { warningMessage } from '../../report/refusal/warnings.ts';
import { styleFor } from './color.ts';
import { EXIT } from './exit.ts';
import type { Format } from './format.ts';
import { columnsOf, print, tell, type Io } from './io.ts';
import { VERSION } from './version.ts';
import { refusalParagraphs } from '../../report/kit/fix.ts';
import { UNKNOWN_DOCUMENT, type RefusedDocument } from '../../report/refusal/refused-document.ts';

/** How a refusal is printed. */
export interface Manner {
  readonly format: Format;
  readonly color: boolean;
  readonly io: Io;
}

/** How a refusal is printed, and of which document. */
interface Telling extends Manner {
  readonly document?: RefusedDocument;
}

/** A refusal in words, and as the JSON document that it is. */
interface Refused {
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

/** Says which variables break which property, and returns the exit code of a refusal. */
export async function tellFailure(
  check: DesignCheck,
  document: Pick<DesignProblem, 'design' | 'entries'>,
  { format, color, io }: Manner,
): Promise<number> {
  const { failureJson, failureText } = await import('../../report/design/failure.ts');
  if (format === 'json') {
    await print(io, failureJson(check, document, VERSION));
  } else {
    const style = await styleFor({ flag: color, env: io.env, output: io.stderr });
    await tell(io, failureText(check, document, { width: columnsOf(io.stderr) ?? Infinity, style }));
  }
  return EXIT.refused;
}

/** An answer with the warnings about its document, whose design is not checked. */
export const warned = (answer: Answer, document: Documented): Answer => ({
  ...answer,
  warnings: [...uncheckedWarnings(document), ...answer.warnings],
});

/** Prints warnings to standard error, one line each. */
export async function tellWarnings(
  warnings: readonly Warning[],
  { color, io }: { color: boolean; io: Io },
): Promise<void> {
  if (warnings.length === 0) return;
  const style = await styleFor({ flag: color, env: io.env, output: io.stderr });
  const lines = warnings.map((warning) => `${style.warning('warning:')} ${printable(warningMessage(warning))}\n`);
  await tell(io, lines.join(''));
}
