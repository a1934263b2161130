// A writer that is killed at a random moment. Waits for one line on standard input, {path, name, units}, then asks the
// ledger for one mechanism after the other (units: their epsilons in millionths), and tells each answer on standard output before it asks again. With `torn`,
// its disk takes few bytes at a time, so that a record can be cut anywhere.
import { fdatasyncSync, ftruncateSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchIn } from '../../dist/lib/ledger/file/launch.js';
import { readSpecification } from '../../dist/lib/document/read-specification.js';

const slow = {
  write: (fd, bytes) => writeSync(fd, bytes.subarray(0, 16)),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

function entries(epsilon, label) {
  const document = { dpcompose: 1, mechanisms: [{ type: 'dp', epsilon, label }] };
  const read = readSpecification(JSON.stringify(document));
  if (read.kind !== 'specification') throw new Error(JSON.stringify(read));
  return read.specification.entries;
}

async function work({ path, name, units: amounts, torn }) {
  const options = { patience: 60, at: null, ...(torn && { disk: slow }) };
  for (const [n, units] of amounts.entries()) {
    const label = `${name}.${n}`;
    const result = await launchIn(path, { entries: entries(`${units}e-6`, label) }, options);
    const granted = result.kind === 'appended' && result.value.decision.kind === 'accepted';
    const fault = result.kind === 'failed' ? result.fault : null;
    const recovered = result.kind === 'appended' ? result.recovered.kind : 'none';
    writeSync(1, `${JSON.stringify({ label, units, granted, fault, recovered })}\n`);
    if (!granted) return;
  }
}

const lines = createInterface({ input: process.stdin });
// What is loaded only when it is first used must not be loaded under the knife.
await import('fs-native-extensions');
entries('1', 'warm');
writeSync(1, 'ready\n');
for await (const line of lines) {
  await work(JSON.parse(line));
  break;
}
// Stays until it is killed.
await sleep(1 << 30);
