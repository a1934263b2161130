import { join } from 'node:path';
import { importBundled } from '../bundled.js';

await importBundled(join(import.meta.dirname, 'main.ts'));
