import { build } from 'esbuild';
import { expect, test } from 'vitest';

async function bundled(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    alias: { dpcompose: './dist/lib/index.js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test('whoever imports one small function gets no calculators with it', async () => {
  const small = await bundled("import { roomFor } from 'dpcompose'; console.log(roomFor);");
  const whole = await bundled("import * as library from 'dpcompose'; console.log(library);");
  expect(small.length).toBeLessThan(whole.length / 3);
  expect(small).not.toContain('br-adaptive');
  expect(whole).toContain('br-adaptive');
});

test('a bundle for browsers asks for nothing of node, and prints nothing by itself', async () => {
  const whole = await bundled("export * from 'dpcompose';");
  expect(whole).not.toMatch(/\bfrom ?"node:|require\(|\bprocess\.|\bconsole\./);
});
