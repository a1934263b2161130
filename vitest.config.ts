import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Test files share the modules that they import: a third of the time went into reading those again for each.
    isolate: false,
    // Also the processor that would be left to the one who watches: most runs have no watcher.
    maxWorkers: '100%',
    // Only stops what hangs: no test is to depend on the speed of a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
