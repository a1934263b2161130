// What is measured inside, from the sources in one file, which the next build removes with all of dist/.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const file = join(import.meta.dirname, '../../dist/bench/library.js');
if (!existsSync(file)) {
  const { bundle } = await import('../bundled.js');
  await bundle(join(import.meta.dirname, 'library.ts'), file);
}

export default await import(pathToFileURL(file).href);
