// Node 20 does not run TypeScript: bundles the campaign with the sources as they are, and runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-soundness-'));
try {
  const outfile = join(folder, 'soundness.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(folder, { recursive: true });
}
