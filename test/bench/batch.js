import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const BINARY = join(import.meta.dirname, '../../bin/dpcompose.js');
const PEAK = join(import.meta.dirname, 'peak.cjs');

/** Lines answered in a second, the start of the process counted, and peak memory (MB). */
export function measureBatch({ name, what, lines, mechanism, words = [], target }) {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-bench-'));
  const input = join(folder, 'lines.ndjson');
  const output = openSync(join(folder, 'answers.ndjson'), 'w');
  try {
    const document = (i) => ({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms: [mechanism(i)] });
    writeFileSync(input, Array.from({ length: lines }, (_, i) => `${JSON.stringify(document(i))}\n`).join(''));
    const begin = performance.now();
    const child = spawnSync(process.execPath, ['--require', PEAK, BINARY, 'batch', input, ...words], {
      stdio: ['ignore', output, 'inherit', 'pipe'],
    });
    const time = performance.now() - begin;
    if (child.status !== 0) throw new Error(`batch ended with ${child.status}`);
    return {
      name,
      what,
      lines,
      time,
      rate: (1000 * lines) / time,
      memory: Number(child.output[3].toString()) / 1024,
      target,
    };
  } finally {
    closeSync(output);
    rmSync(folder, { recursive: true });
  }
}
