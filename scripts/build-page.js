// Writes dist/page: one file, which holds its style, its script and, packed, the program that a thread of it runs. It asks for
// nothing else, so that it works from a disk and from any host.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { build } from 'esbuild';
import { pureConstants } from './build-library.js';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What draws tables on terminals, which a page is not. */
const withoutTerminal = {
  name: 'without-terminal',
  resolveId: (name) => (name === 'cli-table3' ? '\0terminal' : null),
  load: (id) => (id === '\0terminal' ? 'export default class {}' : null),
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
    plugins: [withoutTerminal, pureConstants],
  });
  const { output } = await bundled.generate({ format: 'iife', minify: true, comments: false, codeSplitting: false });
  await bundled.close();
  return output[0].code.trim();
}

/** The forms, which are made of the schemas of the program. */
async function pageForms() {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/page/forms.ts')],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'warning',
  });
  // Beside the modules that it needs.
  const maker = join(root, 'dist/page/forms.mjs');
  writeFileSync(maker, outputFiles[0].contents);
  return maker;
}

const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page may do: run what stands in it, and nothing else. */
const policyOf = (script, style) =>
  [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

export async function buildPage() {
  mkdirSync(join(root, 'dist/page'), { recursive: true });
  const [program, script, maker] = await Promise.all([scriptOf('worker.ts'), scriptOf('main.ts'), pageForms()]);
  const { rmSync } = await import('node:fs');
  const forms = JSON.stringify((await import(maker)).pageForms());
  rmSync(maker);
  const style = (
    await build({ entryPoints: [join(root, 'src/page/page.css')], minify: true, write: false })
  ).outputFiles[0].text.trim();
  const packed = gzipSync(program, { level: constants.Z_BEST_COMPRESSION }).toString('base64');
  const safe = (text) => text.replaceAll('</', '<\\/');
  const own = safe(script);
  const html = readFileSync(join(root, 'src/page/index.html'), 'utf8')
    .replace('VERSION', version)
    .replace(
      '<meta charset="utf-8" />',
      () =>
        `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(own, style)}" />`,
    )
    .replace('</head>', () => `<style>${style}</style>\n  </head>`)
    .replace(
      '</body>',
      () =>
        `<script type="application/json" id="forms">${safe(forms)}</script>\n    <script type="text/plain" id="program">${packed}</script>\n    <script>${own}</script>\n  </body>`,
    );
  writeFileSync(join(root, 'dist/page/index.html'), html);
}
