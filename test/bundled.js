// Node 20 does not run TypeScript: bundles sources as they are, and runs them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const DIST = join(import.meta.dirname, '../dist');

/** Writes a file and all that it imports into one. */
export async function bundle(entryPoint, outfile) {
  await build({
    entryPoints: [entryPoint],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20',
    external: ['fs-native-extensions', 'better-sqlite3', 'pg'],
    logLevel: 'warning',
  });
}

/** Imports a file with all that it imports in one. */
export async function importBundled(entryPoint) {
  mkdirSync(DIST, { recursive: true });
  // Within the repository, from where packages are found.
  const folder = mkdtempSync(join(DIST, 'bundled-'));
  try {
    const outfile = join(folder, 'main.mjs');
    await bundle(entryPoint, outfile);
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
