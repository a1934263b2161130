// Node 20 does not run TypeScript: bundles the campaign with the sources as they are, and runs it. The writers are those
// of the build.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// Within the repository, from where packages and the build are found.
const folder = mkdtempSync(join(import.meta.dirname, '../../dist/crash-'));
try {
  const outfile = join(folder, 'crash.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['fs-native-extensions', 'better-sqlite3', 'pg'],
    logLevel: 'warning',
  });
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true });
}
