// Node 20 does not run TypeScript: bundles a campaign with the sources as they are, and runs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Runs the campaign whose main file this is. */
export async function runBundled(entryPoint) {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-campaign-'));
  try {
    const outfile = join(folder, 'campaign.mjs');
    await build({
      entryPoints: [entryPoint],
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
}
