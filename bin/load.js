'use strict';

// Half of the time to start is the compilation of the bundle, so its compiled code is kept. From 22.1 on, node does that;
// for older ones the build leaves it beside the bundle, and V8 passes over it where it is not its own.

const { existsSync, readFileSync } = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

// Most commands end before optimized code has paid for its compilation: node 20 waits four times as long with it as it would.
if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=530000');

const pathOf = (name) => join(__dirname, '../dist/cli', `${name}.cjs`);
const compiledOf = (name) => join(__dirname, '../dist/cli', `${name}.cache`);

/** A bundle as a script, and its exports. All of it is ASCII, which is half as large and sooner read. */
function compile(name, cachedData) {
  const source = `(function (exports, require, module) {${readFileSync(pathOf(name), 'latin1')}\n})`;
  const script = new Script(source, { filename: pathOf(name), cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(pathOf(name)), module);
  return { script, exports: module.exports };
}

/** The bundle that holds the command of a command line: a small one for help and version, and one for `compose`. */
function bundleFor(argv) {
  const command = argv.find((word) => !word.startsWith('-'));
  if (command === undefined) return 'start';
  return command === 'compose' ? 'compose' : 'main';
}

/** The exports of the bundle for a command line; ends with the code of an internal error where there is none. */
function load(argv) {
  const name = bundleFor(argv);
  if (!existsSync(pathOf(name))) {
    process.stderr.write('dpcompose: this is not built: run npm run build\n');
    process.exit(70);
  }
  if (argv.includes('--debug') || process.env.DPCOMPOSE_DEBUG) {
    process.setSourceMapsEnabled(true);
  } else if (enableCompileCache !== undefined) {
    enableCompileCache();
  } else if (existsSync(compiledOf(name))) {
    return compile(name, readFileSync(compiledOf(name))).exports;
  }
  return require(pathOf(name));
}

module.exports = { compile, compiledOf, load };
