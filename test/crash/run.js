// The campaign is the sources as they are; the writers are those of the build.
import { join } from 'node:path';
import { importBundled } from '../bundled.js';

await importBundled(join(import.meta.dirname, 'main.ts'));
