'use strict';

// Half of the time to start is the compilation of the bundle, so its compiled code is kept. From 22.1 on, node does that;
// for older ones the build leaves it beside the bundle, and V8 passes over it where it is not its own.

const { existsSync, readFileSync } = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const BUNDLE = join(__dirname, '../dist/cli/main.cjs');
const COMPILED = join(__dirname, '../dist/cli/main.cache');

/** The bundle as a script, and its exports. */
function compile(cachedData) {
  const source = `(function (exports, require, module) {${readFileSync(BUNDLE, 'utf8')}\n})`;
  const script = new Script(source, { filename: BUNDLE, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(BUNDLE), module);
  return { script, exports: module.exports };
}

/** The exports of the bundle. */
function load() {
  if (process.argv.includes('--debug') || process.env.DPCOMPOSE_DEBUG) {
    process.setSourceMapsEnabled(true);
  } else if (enableCompileCache !== undefined) {
    enableCompileCache();
  } else if (existsSync(COMPILED)) {
    return compile(readFileSync(COMPILED)).exports;
  }
  return require(BUNDLE);
}

module.exports = { COMPILED, compile, load };
