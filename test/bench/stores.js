import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Spends granted in a second to many who write at once; the rate is null where there is no server. */
export async function measureStore({ name, what, writers, ledgers, together, target }) {
  // Node 20 does not run TypeScript. Within the repository, from where packages are found.
  const folder = mkdtempSync(join(import.meta.dirname, '../../dist/bench-'));
  try {
    const outfile = join(folder, 'writers.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'postgres-writers.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: ['pg'],
      logLevel: 'warning',
    });
    const { measureWriters } = await import(pathToFileURL(outfile).href);
    return { name, what, rate: await measureWriters({ writers, ledgers, together, seconds: 10 }), target };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
