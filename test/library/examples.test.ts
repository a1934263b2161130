import { readdirSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';

// Each public function has an example in its comment, which runs here as a user would run it, against the built library.

const LIBRARY = pathToFileURL(join(process.cwd(), 'dist/lib/index.js')).href;
const folder = mkdtempSync(join(tmpdir(), 'dpcompose-examples-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const library = (await import(LIBRARY)) as Readonly<Record<string, unknown>>;
const ours = Object.keys(library).filter((name) => typeof library[name] === 'function' && name !== 'Decimal');

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join('src', path), 'utf8'));

/** The code of the example in the comment of a public function. */
function exampleOf(name: string): string {
  const declaration = new RegExp(`\\n(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\nexport (?:async )?function ${name}\\b`);
  for (const source of sources) {
    const comment = declaration.exec(`\n${source}`)?.[1];
    const code = comment === undefined ? undefined : /@example[\s\S]*?```js\n([\s\S]*?)```/.exec(comment)?.[1];
    if (code !== undefined) return code.replace(/^ \* ?/gm, '');
  }
  throw new Error(`${name} has no example.`);
}

/** What an example says that it prints: the comments behind calls of console.log, or on the lines after them. */
const promised = (code: string): string[] =>
  [...code.matchAll(/^(?:console\.log.*;)?\s*\/\/ (.*)$/gm)].map(([, text]) => text!);

describe('the example of', () => {
  test.each(ours)('%s prints what it says', async (name) => {
    const code = exampleOf(name);
    expect(promised(code).length).toBeGreaterThan(0);
    const file = join(folder, `${name}.mjs`);
    writeFileSync(file, code.replaceAll("'dpcompose'", JSON.stringify(LIBRARY)));
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await import(pathToFileURL(file).href);
      expect(log.mock.calls.map((words) => words.map(String).join(' '))).toEqual(promised(code));
    } finally {
      log.mockRestore();
    }
  });
});
