#!/usr/bin/env node
'use strict';

const { load } = require('./load.js');

const argv = process.argv.slice(2);

void load(argv)
  .main(argv, process)
  .then((code) => {
    process.exitCode = code;
  });
