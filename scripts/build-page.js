// Writes dist/page: one file, which holds its style, its script and, packed, the program that a thread of it runs. It asks for
// nothing else, so that it works from a disk and from any host.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { build } from 'esbuild';
import { pureConstants } from './build-library.js';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist/page');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What no page needs of libraries: tables on terminals; scales of colors, and their ticks as text. */
const ABSENT = {
  'cli-table3': 'export default class {}',
  'd3-interpolate': `export const interpolateNumber = (a, b) => (t) => a * (1 - t) + b * t;
    export { interpolateNumber as interpolate, interpolateNumber as interpolateRound, interpolateNumber as piecewise };`,
  'd3-format': ['format', 'formatPrefix', 'formatSpecifier', 'precisionFixed', 'precisionPrefix', 'precisionRound']
    .map((name) => `export const ${name} = () => {};`)
    .join('\n'),
};
const withoutAbsent = {
  name: 'without-absent',
  resolveId: (name) => (name in ABSENT ? `\0${name}` : null),
  load: (id) => ABSENT[id.slice(1)] ?? null,
};

/** A script without modules, as small as may be. */
async function scriptOf(entry) {
  const bundled = await rolldown({
    input: join(root, 'src/page/browser', entry),
    platform: 'browser',
    tsconfig: false,
    transform: { define: { VERSION: JSON.stringify(version) } },
    treeshake: { moduleSideEffects: (id) => id.endsWith(entry) || id.endsWith('text-editor.ts') },
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false, pluginTimings: false },
    plugins: [withoutAbsent, pureConstants],
  });
  const { output } = await bundled.generate({ format: 'iife', minify: true, comments: false, codeSplitting: false });
  await bundled.close();
  return output[0].code.trim();
}

/** The forms, which are made of the schemas of the program. */
async function formsText() {
  // Beside the modules that it needs.
  const maker = join(out, 'forms.mjs');
  const inputs = { entryPoints: [join(root, 'src/page/forms.ts')], bundle: true, packages: 'external' };
  await build({ ...inputs, outfile: maker, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' });
  const { pageForms } = await import(pathToFileURL(maker).href);
  rmSync(maker);
  return JSON.stringify(pageForms());
}

async function styleText() {
  const { outputFiles } = await build({ entryPoints: [join(root, 'src/page/page.css')], minify: true, write: false });
  return outputFiles[0].text.trim();
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page may do: run what stands in it, and load nothing. */
const policyOf = (script, style) =>
  `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'`;

/** Text that does not end the element it stands in. */
const enclosed = (text) => text.replaceAll('</', '<\\/');

export async function buildPage() {
  mkdirSync(out, { recursive: true });
  const texts = [scriptOf('worker.ts'), scriptOf('main.ts').then(enclosed), styleText(), formsText()];
  const [program, script, style, forms] = await Promise.all(texts);
  const packed = gzipSync(program, { level: constants.Z_BEST_COMPRESSION }).toString('base64');
  const parts = {
    version,
    policy: `<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}" />`,
    style: `<style>${style}</style>`,
    forms: `<script type="application/json" id="forms">${enclosed(forms)}</script>`,
    program: `<script type="text/plain" id="program">${packed}</script>`,
    script: `<script>${script}</script>`,
  };
  const html = readFileSync(join(root, 'src/page/index.html'), 'utf8');
  writeFileSync(
    join(out, 'index.html'),
    html.replace(/<!-- (\w+) -->/g, (_, name) => parts[name]),
  );
}
