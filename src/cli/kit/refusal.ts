import type { Answer, Refusal, Warning } from '../../composition/core/outcome.ts';
import type { DesignCheck, DesignProblem } from '../../composition/design/check-design.ts';
import { uncheckedWarnings, type Documented } from '../../composition/design/design.ts';
import { printable } from '../../output/kit/prose.ts';
import { refusalJson } from '../../output/refusal/refusal.ts';
import { refusalReference, refusalText } from '../../output/refusal/messages.ts';
import { warningMessage } from '../../output/refusal/warnings.ts';
import { errorLayout } from './destination.ts';
import { EXIT, writeStdout, writeStderr, type Io, VERSION } from './io.ts';
import type { Format } from './shared-options.ts';
import { refusalParagraphs, type RefusalText } from '../../output/kit/page.ts';
import { UNKNOWN_DOCUMENT, type RefusedDocument } from '../../output/refusal/refused-document.ts';

/** How a refusal is printed. */
export interface OutputOptions {
  readonly format: Format;
  readonly color: boolean;
  readonly io: Io;
}

/** Ends a command: no theorem covers what was asked. It is told as the command would have printed its result. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  /** Says why, and returns the exit code. */
  readonly tell: (options: OutputOptions) => Promise<number>;

  constructor(tell: (options: OutputOptions) => Promise<number>) {
    super('No theorem covers the request.');
    this.tell = tell;
  }
}

/** The exit code of a command, also of one that a refusal ended, which is told. */
export async function orRefused(options: OutputOptions, end: () => Promise<number>): Promise<number> {
  try {
    return await end();
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    return await error.tell(options);
  }
}

/** A refusal in words, and as the JSON document that it is. */
interface ToldRefusal {
  readonly text: RefusalText;
  /** Where to read about it; null where nothing is to be read. */
  readonly reference: string | null;
  readonly json: () => string;
}

/** Says what no theorem covers, and returns the exit code of a refusal. */
export async function tellRefused(
  { text, reference, json }: ToldRefusal,
  { format, color, io }: OutputOptions,
): Promise<number> {
  if (format === 'json') {
    await writeStdout(io, json());
    return EXIT.refused;
  }
  await writeStderr(io, refusalParagraphs(text, reference, await errorLayout(color, io)));
  return EXIT.refused;
}

/** A refusal by a theorem that does not cover what was asked, of a document where one is known. */
export const refused = (refusal: Refusal, document = UNKNOWN_DOCUMENT): RefusedRequest =>
  new RefusedRequest((options) =>
    tellRefused(
      {
        text: refusalText(refusal, document),
        reference: refusalReference(refusal),
        json: () => refusalJson(refusal, VERSION, document),
      },
      options,
    ),
  );

/** An outcome that is no refusal; throws one. */
export function covered<T extends { readonly kind: string } | { readonly kind: 'refusal'; readonly refusal: Refusal }>(
  outcome: T,
  document?: RefusedDocument,
): Exclude<T, { readonly kind: 'refusal' }> {
  if ('refusal' in outcome) throw refused(outcome.refusal, document);
  return outcome as Exclude<T, { readonly kind: 'refusal' }>;
}

/** The refusal of a design by the variables that break a property. */
export const failed = (check: DesignCheck, document: Pick<DesignProblem, 'design' | 'entries'>): RefusedRequest =>
  new RefusedRequest(async ({ format, color, io }) => {
    const { failureJson, failureText } = await import('../../output/design/failure.ts');
    if (format === 'json') await writeStdout(io, failureJson(check, document, VERSION));
    else await writeStderr(io, failureText(check, document, await errorLayout(color, io)));
    return EXIT.refused;
  });

/** An answer with the warnings about its document, whose design is not checked. */
export const warned = (answer: Answer, document: Documented): Answer => ({
  ...answer,
  warnings: [...uncheckedWarnings(document), ...answer.warnings],
});

/** Prints warnings to standard error, one line each. */
export async function tellWarnings(warnings: readonly Warning[], color: boolean, io: Io): Promise<void> {
  if (warnings.length === 0) return;
  const { style } = await errorLayout(color, io);
  const lines = warnings.map((warning) => `${style.warning('warning:')} ${printable(warningMessage(warning))}\n`);
  await writeStderr(io, lines.join(''));
}
