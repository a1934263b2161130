'use strict';

// Loaded before a program (node --require): writes its peak memory in kilobytes to descriptor 3 when it ends.

const { writeSync } = require('node:fs');
const process = require('node:process');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.on('exit', () => {
    writeSync(3, String(process.resourceUsage().maxRSS));
  });
}
