import { boundsTable } from './bounds-table.ts';
import { sameButForRandom } from './random-digits.ts';
import { Desk, moduleOutput, session } from './session.ts';

const SESSION = /(?<=^```console\n)[\s\S]*?\n(?=```$)/gm;
const MODULE = /(?<=^```js\n)([\s\S]*?\n)(```\n\nprints\n\n```text\n)[\s\S]*?\n(?=```$)/gm;
const BOUNDS = /(?<=^<!-- bounds -->\n\n)[\s\S]*?(?=\n\n<!-- \/bounds -->$)/m;

/**
 * A page with everything in it that the program says as the program says it now: sessions (```console), what
 * modules print (```js, "prints", ```text), and the table of bounds. A page of which only random digits would be others stays as it is.
 */
export async function refreshed(page: string): Promise<string> {
  const table = BOUNDS.test(page) ? await boundsTable() : '';
  const desk = new Desk();
  try {
    const now = page
      .replace(SESSION, (block) => session(block, desk))
      .replace(MODULE, (_, source: string, between: string) => `${source}${between}${moduleOutput(source)}`)
      .replace(BOUNDS, () => table);
    return sameButForRandom(page, now) ? page : now;
  } finally {
    desk.clear();
  }
}
