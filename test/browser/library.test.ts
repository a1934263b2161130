import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { compose } from '../../src/composition/compose/compose.ts';
import { readSpecification } from '../../src/document/read-specification.ts';

// The library in a browser gives what it gives here. CHROMIUM is the path of the browser; .ci/run sets it.

const { CHROMIUM } = process.env;
const FIXTURES = ['dashboard', 'noise', 'selection', 'mixed', 'live-dashboard'];

/** One composition in every syntax. */
const SYNTAXES = {
  json: '{"dpcompose": 1, "mechanisms": [{"type": "gaussian", "sigma": 4, "count": 10}]}',
  yaml: 'dpcompose: 1\nmechanisms:\n  - {type: gaussian, sigma: 4, count: 10}\n',
  csv: 'type,sigma,count\ngaussian,4,10\n',
};

if (CHROMIUM === undefined) {
  process.stdout.write(
    'The library was not tried in a browser: CHROMIUM=/path/to/chromium npm run test:browser does that.\n',
  );
}

const textOf = (name: string): string => readFileSync(`fixtures/${name}.json`, 'utf8');

/** The claim, and what no claim goes below. */
interface Value {
  readonly bound: string;
  readonly lower: number | null;
  readonly upper: number;
}

function here(text: string): Value {
  const read = readSpecification(text);
  if (read.kind !== 'specification' || read.specification.target === null) throw new Error(`unreadable: ${text}`);
  const { solveFor } = read.specification.target;
  const outcome = compose(read.specification, read.specification.target);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  const { bound, [solveFor]: value } = outcome.answer;
  return { bound, lower: value.lower, upper: value.upper };
}

/** What a page does with the same document, in the words of a page. */
const PAGE = `
  import { composeAsync, compose, elementaryFunctions, readSpecification, readSpecificationAsync } from 'dpcompose';
  globalThis.composed = (text) => {
    const { specification } = readSpecification(text);
    const { answer } = compose(specification, specification.target);
    const { lower, upper } = answer[specification.target.solveFor];
    return { bound: answer.bound, lower, upper };
  };
  globalThis.checked = () => elementaryFunctions().checks.filter(({ passed }) => !passed).map(({ what }) => what);
  globalThis.composedAsync = async (text) => {
    const { specification } = await readSpecificationAsync(text, { delta: '1e-6' });
    const { answer } = await composeAsync(specification, specification.target);
    return answer.epsilon.upper;
  };
`;

test.skipIf(CHROMIUM === undefined)('a page claims what is claimed here', async () => {
  const bundle = await build({
    stdin: { contents: PAGE, resolveDir: process.cwd() },
    alias: { dpcompose: './dist/lib/index.js' },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    write: false,
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
    for (const name of FIXTURES) {
      const text = textOf(name);
      const there = await page.evaluate<Value>(`composed(${JSON.stringify(text)})`);
      const own = here(text);
      expect(there.bound, name).toBe(own.bound);
      // Browsers may round elementary functions otherwise; enclosures allow for that.
      expect(Math.abs(there.upper / own.upper - 1), name).toBeLessThan(1e-6);
      expect(there.upper, name).toBeGreaterThanOrEqual(own.lower ?? 0);
      expect(there.lower ?? 0, name).toBeLessThanOrEqual(own.upper);
    }
    expect(await page.evaluate<string[]>('checked()')).toEqual([]);
    const claims: number[] = [];
    for (const text of Object.values(SYNTAXES)) {
      claims.push(await page.evaluate<number>(`composedAsync(${JSON.stringify(text)})`));
    }
    expect(new Set(claims).size, claims.join(' ')).toBe(1);
  } finally {
    await browser.close();
  }
});
