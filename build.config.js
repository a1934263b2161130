// Builds dist/: lib (the library with its types, without them after --no-types), cli (the command line), schema (the JSON
// Schemas), man (the man page), page (the page for browsers).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildLibrary, buildTypes } from './scripts/build-library.js';
import { buildPage } from './scripts/build-page.js';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);

/** commander asks for child_process, for subcommands that are programs of their own: none here, and 2 ms at each start. */
const withoutChildProcess = {
  name: 'without-child-process',
  setup(bundle) {
    bundle.onResolve({ filter: /^(node:)?child_process$/ }, () => ({ path: 'child_process', namespace: 'absent' }));
    bundle.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Leaves out of a bundle the commands that are not in these files, as bin/load.js takes another bundle for those. */
const onlyCommands = (...files) => ({
  name: 'only-commands',
  setup(bundle) {
    const importers = ['commands', 'main'].map((name) => join(root, `src/cli/${name}.ts`));
    bundle.onResolve({ filter: /^\.\// }, ({ kind, importer, path }) =>
      kind === 'dynamic-import' && importers.includes(importer) && !files.includes(path)
        ? { path, namespace: 'elsewhere' }
        : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'elsewhere' }, () => ({ contents: 'module.exports = {};' }));
  },
});

/**
 * One minified CommonJS file starts 12 ms sooner than an ES module in chunks; what is imported dynamically still only
 * runs when it is used, but has to be read: so the command that is used most, and what needs no command, have files of
 * their own.
 */
async function buildCommandLine(name, plugins) {
  await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    outfile: join(dist, `cli/${name}.cjs`),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    minify: true,
    // For --debug in a clone; the package goes without them, as they are a third of it.
    sourcemap: 'linked',
    sourcesContent: false,
    // The first is only reached where cli-table3 colours by itself, which the reports never ask for; the second finds its
    // native part beside its own files; the third need not be installed; the last read other documents, and JSON should not
    // have to load them.
    external: ['@colors/colors', 'fs-native-extensions', 'better-sqlite3', 'pg', 'csv-parse/sync', 'yaml'],
    // A script that is compiled beforehand (bin/load.js) can only require.
    supported: { 'dynamic-import': false },
    // And what asks where it is asks for that function first.
    define: { 'import.meta.url': 'undefined' },
    // Its ES module asks where it is, which code in a bundle does not know.
    alias: {
      tinyglobby: require.resolve('tinyglobby'),
      // The form for browsers, which the library takes everywhere, cannot be required.
      'csv-parse/browser/esm/sync': 'csv-parse/sync',
    },
    plugins: [withoutChildProcess, ...plugins],
    legalComments: 'linked',
    logLevel: 'warning',
  });
}

/** The JSON Schemas, and the man page, which comes from the same definitions as the help of the commands. */
async function writeFiles() {
  const maker = join(dist, 'make.mjs');
  await build({
    stdin: {
      contents: "export * from './src/output/schema/schemas.ts'; export * from './src/cli/man-page.ts';",
      resolveDir: root,
    },
    outfile: maker,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const { schemas, manPage } = await import(pathToFileURL(maker).href);
  mkdirSync(join(dist, 'schema'));
  for (const [name, schema] of Object.entries(schemas())) {
    writeFileSync(join(dist, 'schema', `${name}.json`), `${JSON.stringify(schema)}\n`);
  }
  mkdirSync(join(dist, 'man'));
  writeFileSync(join(dist, 'man/dpcompose.1'), await manPage());
  rmSync(maker);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
await Promise.all([
  buildCommandLine('main', []),
  buildCommandLine('compose', [onlyCommands('./compose.ts', './batch/worker.ts')]),
  buildCommandLine('start', [onlyCommands()]),
  buildLibrary(),
  buildPage(),
  writeFiles(),
]);
if (!process.argv.includes('--no-types') && !(await buildTypes())) process.exit(1);

// Keeps the compiled code of the bundles, with what their main job needs of it, for a node that does not do that itself:
// see bin/load.js. What another version of V8 compiled is of no use to any.
const { compile, compiledOf } = require('./bin/load.js');
const nowhere = { isTTY: false, write: (text, done) => done() };
for (const [name, ...lines] of [
  ['main', 'plan fixtures/live-dashboard.json', 'plan fixtures/live-dashboard.json --json'],
  ['compose', 'compose -m dp:epsilon=0.1,count=100 --delta 1e-6', 'compose -m dp:epsilon=0.1 --delta 1e-6 --json'],
  ['start', '--version', '--help'],
]) {
  if (/[^\0-\x7f]/.test(readFileSync(join(dist, 'cli', `${name}.cjs`), 'utf8'))) {
    throw new Error(`${name}: bin/load.js reads ASCII only; escape what is not, in regular expressions too`);
  }
  const bundled = compile(name);
  for (const line of lines) {
    const code = await bundled.exports.main(line.split(' '), {
      stdin: [],
      stdout: nowhere,
      stderr: nowhere,
      env: {},
      cwd: () => root,
    });
    if (code !== 0) throw new Error(`The bundle does not do the main job: ${line} ends with ${code}`);
  }
  if (nodeModule.enableCompileCache === undefined) writeFileSync(compiledOf(name), bundled.script.createCachedData());
}
