import { join } from 'node:path';
import { runBundled } from '../bundled.js';

await runBundled(join(import.meta.dirname, 'main.ts'));
