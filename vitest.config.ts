import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that look at a share of their cases (test/reference/share.ts), directly or by properties. */
const sharing = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter(
    (file) => file.endsWith('.test.ts') && /reference\/(?:properties|share)\.ts'/.test(readFileSync(file, 'utf8')),
  );

export default defineConfig({
  test: {
    // Test files share the modules that they import: a third of the time went into reading those again for each.
    isolate: false,
    // Also the processor that would be left to the one who watches: most runs have no watcher.
    maxWorkers: '100%',
    // Only stops what hangs: no test is to depend on the speed of a machine, and none has a limit of its own.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    projects: [
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.ts'] } },
      // All the cases.
      { extends: true, test: { name: 'slow', include: sharing, env: { PROPERTY_SHARE: '1' } } },
    ],
  },
});
