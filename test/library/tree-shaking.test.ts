import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

async function bundled(contents: string, external: readonly string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    alias: { dpcompose: './dist/lib/index.js' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: [...external],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test('whoever imports one small function gets no calculators with it', async () => {
  const small = await bundled("import { roomFor } from 'dpcompose'; console.log(roomFor);");
  const compose = await bundled("import { compose } from 'dpcompose'; console.log(compose);");
  const whole = await bundled("import * as library from 'dpcompose'; console.log(library);");
  expect(small.length).toBeLessThan(whole.length / 10);
  expect(compose.length).toBeLessThan(whole.length / 2);
  expect(small).not.toContain('br-adaptive');
  expect(whole).toContain('br-adaptive');
});

test.each(['index', 'stores'])('the chunks of %s export what its source does', async (entry) => {
  const namesIn = async (path: string): Promise<string[]> =>
    Object.keys((await import(pathToFileURL(path).href)) as object).sort();
  expect(await namesIn(`dist/lib/${entry}.js`)).toEqual(await namesIn(`src/${entry}.ts`));
});

test('a bundle for browsers asks for nothing of node, and prints nothing by itself', async () => {
  const whole = await bundled("export * from 'dpcompose';");
  expect(whole).not.toMatch(/\bfrom ?"node:|require\(|\bprocess\./);
  // What reads YAML can print warnings, at a level of its own that is never asked for.
  const own = await bundled("export * from 'dpcompose';", ['yaml']);
  expect(own).not.toMatch(/\bconsole\./);
});

const READERS = {
  YAML: 'TAB_AS_INDENT',
  CSV: 'CSV_INVALID_CLOSING_QUOTE',
  JSON: 'duplicate-key',
  schemas: 'ZodMiniType',
};
const readersIn = (text: string): string[] =>
  Object.entries(READERS).flatMap(([name, mark]) => (text.includes(mark) ? [name] : []));

test.each([
  ['compose', []],
  ['composeAsync', []],
  ['solve', []],
  ['readSpecification', ['JSON', 'schemas']],
  ['readSpecificationAsync', ['YAML', 'CSV', 'JSON', 'schemas']],
])('whoever imports %s gets what reads %j', async (name, readers) => {
  expect(readersIn(await bundled(`export { ${name} } from 'dpcompose';`))).toEqual(readers);
});
