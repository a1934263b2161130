import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Also the processor that would be left to the one who watches: most runs have no watcher.
    maxWorkers: '100%',
    // Only stops what hangs: no test is to depend on the speed of a machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
