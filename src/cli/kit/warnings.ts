import { uncheckedWarnings, type Documented } from '../../composition/design/document-warnings.ts';
import type { Answer, Warning } from '../../composition/core/outcome.ts';
import { styleFor } from './color.ts';
import { tell, type Io } from './io.ts';
import { warningMessage } from '../../report/refusal/messages.ts';
import { printable } from '../../report/kit/prose.ts';

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
