import type { Refusal } from '../composition/outcome.ts';
import { styleFor } from './color.ts';
import { EXIT } from './exit.ts';
import type { Format } from './format.ts';
import { print, tell, type Io } from './io.ts';
import { refusalJson } from '../report/json.ts';
import { refusalMessage, refusalReference } from '../report/messages.ts';
import { printable } from '../report/prose.ts';

/** Says what no theorem covers, and returns the exit code of a refusal. */
export async function tellRefusal(
  refusal: Refusal,
  { format, color, io }: { format: Format; color: boolean; io: Io },
): Promise<number> {
  if (format === 'json') {
    await print(io, refusalJson(refusal));
    return EXIT.refused;
  }
  const style = await styleFor({ flag: color, env: io.env, output: io.stderr });
  const reference = refusalReference(refusal);
  const more = reference === null ? '' : `See ${reference}.\n`;
  await tell(io, `${style.error('refused:')} ${printable(refusalMessage(refusal))}\n${more}`);
  return EXIT.refused;
}
