#!/usr/bin/env node
'use strict';

const { join } = require('node:path');
const { load } = require('./load.js');

const argv = process.argv.slice(2);

void load(argv)
  .main(argv, process, {
    batchWorker: join(__dirname, 'batch-worker.js'),
    page: join(__dirname, '../dist/page/index.html'),
    readme: join(__dirname, '../README.md'),
  })
  .then((code) => {
    process.exitCode = code;
  });
