#!/usr/bin/env node
'use strict';

const { load, pathOf } = require('./load.js');

const argv = process.argv.slice(2);

void load(argv)
  .main(argv, process, { batchWorker: pathOf('batch-worker') })
  .then((code) => {
    process.exitCode = code;
  });
