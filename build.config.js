// Builds dist/: lib (the library with its types), cli (the command line in one file), schema (the JSON Schemas).
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);
const tsc = require.resolve('typescript/bin/tsc');

/** commander asks for child_process, for subcommands that are programs of their own: none here, and 2 ms at each start. */
const withoutChildProcess = {
  name: 'without-child-process',
  setup(bundle) {
    bundle.onResolve({ filter: /^(node:)?child_process$/ }, () => ({ path: 'child_process', namespace: 'absent' }));
    bundle.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
  },
};

rmSync(dist, { recursive: true, force: true });
const types = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
if (types.status !== 0) process.exit(1);

/** Leaves out of a bundle every command but `compose`, as bin/load.js takes another bundle for those. */
const composeOnly = {
  name: 'compose-only',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\// }, ({ kind, importer, path }) =>
      kind === 'dynamic-import' && importer === join(root, 'src/cli/commands.ts') && path !== './compose.ts'
        ? { path, namespace: 'elsewhere' }
        : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'elsewhere' }, () => ({ contents: 'module.exports = {};' }));
  },
};

// One minified CommonJS file starts 12 ms sooner than an ES module in chunks; what is imported dynamically still only
// runs when it is used, but has to be read: so the command that is used most has a file of its own.
for (const [name, entry, plugins] of [
  ['main', 'main', []],
  ['compose', 'main', [composeOnly]],
  ['batch-worker', 'batch/worker', []],
]) {
  await build({
    entryPoints: [join(root, `src/cli/${entry}.ts`)],
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

const { schemas } = await import(pathToFileURL(join(dist, 'lib/output/schema/schemas.js')).href);
mkdirSync(join(dist, 'schema'));
for (const [name, schema] of Object.entries(schemas())) {
  writeFileSync(join(dist, 'schema', `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
}

// The man page comes from the same definitions as the help of the commands.
const manMaker = join(dist, 'man/make.mjs');
await build({
  entryPoints: [join(root, 'src/cli/man-page.ts')],
  outfile: manMaker,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
const { manPage } = await import(pathToFileURL(manMaker).href);
writeFileSync(join(dist, 'man/dpcompose.1'), await manPage());
rmSync(manMaker);

// Keeps the compiled code of the bundles, with what their main job needs of it, for a node that does not do that itself:
// see bin/load.js. What another version of V8 compiled is of no use to any.
const { compile, compiledOf } = require('./bin/load.js');
const nowhere = { isTTY: false, write: (text, done) => done() };
for (const [name, line] of [
  ['main', 'plan fixtures/live-dashboard.json'],
  ['compose', 'compose -m dp:epsilon=0.1,count=100 --delta 1e-6'],
]) {
  const bundled = compile(name);
  for (const format of [[], ['--json']]) {
    const code = await bundled.exports.main([...line.split(' '), ...format], {
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
