import type { DesignCheck, DesignProblem } from '../../composition/design/check-design.ts';
import { styleFor } from './color.ts';
import { EXIT } from './exit.ts';
import { columnsOf, print, tell } from './io.ts';
import type { Manner } from './refusal.ts';
import { VERSION } from './version.ts';

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
