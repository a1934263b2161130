// Bundles the library into dist/lib: its entry points, a chunk for each folder of src, and one declaration file for each
// entry point with one for what both declare.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist/lib');
// Kept between builds, with what the compiler knows of them: only what a change touches is written again.
const declarations = join(root, 'node_modules/.cache/dpcompose/types');
const ENTRIES = ['index', 'stores'];

/** Values that a bundler leaves out by itself where nobody uses them. */
const FREE = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'Literal', 'Identifier']);

/**
 * Marks what a module computes when it is loaded as without effect, which `sideEffects: false` in package.json promises of
 * every module. Bundlers of users take only statements that are used out of a chunk then, not all that stands in it.
 */
export const pureConstants = {
  name: 'pure-constants',
  transform: {
    filter: { id: /\/src\/.*\.ts$/ },
    handler(code) {
      const pieces = [];
      let end = 0;
      const replace = (from, to, text) => {
        pieces.push(code.slice(end, from), text);
        end = to;
      };
      const textOf = (node) => code.slice(node.start, node.end);
      const pure = (node) => (FREE.has(node.type) ? textOf(node) : `/* @__PURE__ */ (() => (${textOf(node)}))()`);
      const markClass = ({ body }) => {
        for (const { type, static: isStatic, value } of body.body) {
          if (type === 'PropertyDefinition' && isStatic && value) replace(value.start, value.end, pure(value));
        }
      };
      const markConstant = ({ id, init, start, end: stop }) => {
        if (!init) return;
        if (id.type === 'Identifier') {
          replace(init.start, init.end, pure(init));
        } else if (id.type === 'ArrayPattern') {
          const { elements } = init.type === 'TSAsExpression' ? init.expression : init;
          replace(start, stop, id.elements.map(({ name }, index) => `${name} = ${pure(elements[index])}`).join(', '));
        } else {
          const members = id.properties.map(
            ({ key, value }) => `${value.name} = /* @__PURE__ */ (() => ${init.name}.${key.name})()`,
          );
          replace(start, stop, members.join(', '));
        }
      };
      for (const statement of this.parse(code, { lang: 'ts' }).body) {
        const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (declaration?.type === 'ClassDeclaration') markClass(declaration);
        if (declaration?.type === 'VariableDeclaration') declaration.declarations.forEach(markConstant);
      }
      return pieces.length === 0 ? undefined : { code: pieces.join('') + code.slice(end), moduleType: 'ts' };
    },
  },
};

/** What a module needs when it runs, and what that needs. */
function reachedFrom(id, modules) {
  const reached = new Set([id]);
  for (const each of reached) {
    const { importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(each) ?? {};
    for (const next of [...importedIds, ...dynamicallyImportedIds]) reached.add(next);
  }
  return reached;
}

/**
 * A chunk for each folder, without circles as folders are; what only the stores need is a chunk of its own, as it needs node,
 * and browsers do not have it.
 */
function chunkOf() {
  let ofLibrary;
  return (id, modules) => {
    const folder = relative(join(root, 'src'), dirname(id));
    if (folder === '' || folder.startsWith('..')) return null;
    ofLibrary ??= reachedFrom(join(root, 'src/index.ts'), modules);
    const name = folder.replaceAll(/[\\/]/g, '-');
    return ofLibrary.has(id) ? name : `${name}-of-stores`;
  };
}

/** Leaves out where in the cache a declaration stood. */
const withoutPlaces = {
  name: 'without-places',
  generateBundle(options, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(/^\/\/ node_modules\/.*\n/gm, '');
    }
  },
};

async function bundle(input, plugins, inputs, outputs) {
  const bundled = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, input(name)])),
    external: /^[^./]/,
    platform: 'neutral',
    tsconfig: false,
    treeshake: { moduleSideEffects: false },
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false, pluginTimings: false },
    plugins,
    ...inputs,
  });
  await bundled.write({ dir: out, format: 'es', ...outputs });
  await bundled.close();
}

/** The library without its types: what tests need. */
export async function buildLibrary() {
  await bundle(
    (name) => join(root, `src/${name}.ts`),
    [pureConstants],
    { preserveEntrySignatures: 'allow-extension' },
    {
      chunkFileNames: '[name].js',
      comments: { legal: true, annotation: true, jsdoc: false },
      // Names stay, so that what is thrown can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf(), debugName: 'folder' }] },
    },
  );
}

/** Its types, which the compiler writes for every module first. Whether they are right. */
export async function buildTypes() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const words = ['-p', join(root, 'tsconfig.build.json'), '--outDir', declarations];
  words.push('--tsBuildInfoFile', join(declarations, 'tsbuildinfo'));
  const { status } = spawnSync(process.execPath, [tsc, ...words], { stdio: 'inherit' });
  if (status !== 0) return false;
  await bundle(
    (name) => join(declarations, `${name}.d.ts`),
    [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), withoutPlaces],
    { preserveEntrySignatures: 'strict' },
    { chunkFileNames: 'shared.js' },
  );
  return true;
}
