// A writer that is killed at a random moment. Waits for one line on standard input, {kind, address, requests, torn}, then asks
// for one request after the other, and tells each answer on standard output before it asks again. With `torn`, its disk
// takes few bytes at a time, so that a record can be cut anywhere.
import { fdatasyncSync, ftruncateSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal, ledger } from '../../dist/lib/index.js';
import { convertIn, fileStore, spendIn, nestIn, openStore, recoverIn } from '../../dist/lib/stores.js';

const slow = {
  write: (fd, bytes) => writeSync(fd, bytes.subarray(0, 16)),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

const entry = (units, label) => ({
  mechanism: { type: 'dp', epsilon: new Decimal(`${units}e-6`), delta: new Decimal(0) },
  count: 1,
  kind: 'noninteractive',
  label,
});

const termsOf = (units) => ({
  mode: 'filter',
  rule: { id: 'pure' },
  budget: { epsilon: new Decimal(`${units}e-6`) },
  onExcess: 'refuse',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
});

const asNew = (name) => ({ name, id: name });

async function ask(store, request) {
  const options = { patience: 120, at: null, key: request.id };
  switch (request.kind) {
    case 'spend':
      return await spendIn(store, request.ledgers, { entries: [entry(request.units, request.id)] }, options);
    case 'nest': {
      const made = { children: request.children.map(asNew), terms: termsOf(request.units), label: request.id };
      return await nestIn(store, request.ledger, made, options);
    }
    case 'convert':
      return await convertIn(store, request.ledger, asNew(request.heir), ledger.toOdometer, options);
  }
}

const WENT = new Set(['accepted', 'opened']);

function outcomeOf(result) {
  if (result.kind === 'failed') return { outcome: 'failed', fault: result.fault };
  const decisions = [result.value].flat().map(({ decision }) => decision.kind);
  if (decisions.every((kind) => WENT.has(kind))) return { outcome: 'granted', settled: result.settled };
  return { outcome: decisions.includes('ended') ? 'ended' : 'refused', settled: result.settled };
}

/** Sets aside what keeps a request from being decided; false where nothing does. */
async function recover(store, { fault, ledger }, request, nameOf) {
  const name =
    fault.code === 'unfinished-record'
      ? (ledger ?? request.ledgers?.[0] ?? request.ledger)
      : fault.code === 'unsettled'
        ? nameOf(fault.head)
        : null;
  if (name === null) return false;
  await recoverIn(store, name, null, { patience: 120 });
  return true;
}

const tell = (said) => writeSync(1, `${JSON.stringify(said)}\n`);

async function work(store, requests, nameOf) {
  const granted = new Set();
  for (const request of requests) {
    if (request.after !== undefined && !granted.has(request.after)) continue;
    let result = await ask(store, request);
    // Another one may be killed while this one recovers.
    while (result.kind === 'failed' && (await recover(store, result, request, nameOf))) {
      tell({ id: request.id, outcome: 'recovered' });
      result = await ask(store, request);
    }
    const said = outcomeOf(result);
    if (said.outcome === 'granted') granted.add(request.id);
    tell({ id: request.id, ...said });
  }
}

async function storeOf({ kind, address, torn }) {
  if (kind === 'file') return fileStore(address, { suffix: '.jsonl', ...(torn && { disk: slow }) });
  const opened = await openStore(address, process.cwd());
  if (opened.kind === 'failed') throw new Error(JSON.stringify(opened.fault));
  const { store } = opened;
  // A server that has answered once is waited for; it may be away just now.
  while (typeof (await store.placeId()) !== 'string') await sleep(20);
  return store;
}

const lines = createInterface({ input: process.stdin });
// What is loaded only when it is first used must not be loaded under the knife.
await import('fs-native-extensions');
writeSync(1, 'ready\n');
for await (const line of lines) {
  const task = JSON.parse(line);
  const nameOf = (path) => path.replace(/^.*\//, '').replace(/\.jsonl$/, '');
  const store = await storeOf(task);
  writeSync(1, 'begun\n');
  await work(store, task.requests, nameOf);
  break;
}
// Stays until it is killed.
await sleep(1 << 30);
