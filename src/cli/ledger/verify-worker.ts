import { parentPort, workerData } from 'node:worker_threads';
import { verifyNext, type Shared } from './verify-threads.ts';

// A thread of `dpcompose ledger verify`: verifies sections as long as there are any, and sends what it found of them.

parentPort?.postMessage(verifyNext(workerData as Shared));
