import { parentPort, workerData } from 'node:worker_threads';
import { emptyTally, LineAnswers, type BatchOptions, type Block } from './answer.ts';
import type { Part } from './batch.ts';

// A thread of `dpcompose batch`: is sent blocks of lines, and sends back what they are answered with.

const port = parentPort;
if (port === null) throw new Error('this file is run as a thread of dpcompose batch');

const answers = new LineAnswers(workerData as BatchOptions);

/** Milliseconds after which what has been answered of a block is sent already. */
const PATIENCE = 50;

const LINE_FEED = 10;

port.on('message', ({ first, bytes }: Block) => {
  let lines: string[] = [];
  let tally = emptyTally();
  let sent = performance.now();
  const send = (last: boolean): void => {
    port.postMessage({ text: lines.join(''), tally, last } satisfies Part);
    [lines, tally, sent] = [[], emptyTally(), performance.now()];
  };
  let line = first;
  let start = 0;
  if (bytes !== null) {
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      lines.push(answers.answer(bytes.subarray(start, end), line++, tally));
      start = end + 1;
      if (performance.now() - sent > PATIENCE) send(false);
    }
  }
  lines.push(answers.answer(bytes?.subarray(start) ?? null, line, tally));
  send(true);
});
