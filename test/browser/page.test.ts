import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';
import type {} from '../../src/page/browser/main.ts';

// The page as people use it, from the disk. CHROMIUM is the path of the browser; .ci/run sets it.

const { CHROMIUM } = process.env;
const ROOT = join(import.meta.dirname, '../..');
const PAGE = pathToFileURL(join(ROOT, 'dist/page/index.html')).href;
const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Mechanisms as they are typed in a flag, of every type and several at once. */
const QUESTIONS = [
  '-m dp:epsilon=0.1,count=100 --delta 1e-6',
  '-m dp:epsilon=0.1,delta=1e-9,count=10 --epsilon 1',
  '-m dp:epsilon=1/3 -m dp:epsilon=0.2,count=3 --delta 1e-9',
  '-m laplace:scale=10,count=30 --delta 1e-5',
  '-m laplace:epsilon=0.2,count=5 --epsilon 0.5',
  '-m gaussian:sigma=4,count=10 --delta 1e-6',
  '-m gaussian:noise-multiplier=1.1,sampling=poisson,rate=1/100,count=50 --delta 1e-5',
  '-m gaussian:epsilon=1,delta=1e-6 --delta 1e-6',
  '-m gaussian:variance=121/9 --epsilon 1',
  '-m discrete-gaussian:sigma=5,count=4 --delta 1e-6',
  '-m discrete-laplace:scale=5,count=8 --delta 1e-6',
  '-m exponential:epsilon=0.1,count=20 --delta 1e-6',
  '-m exponential:coefficient=0.1,sensitivity=1,count=4 --delta 1e-6 --nonadaptive',
  '-m report-noisy-max:noise=laplace,epsilon=0.1,count=6 --delta 1e-6',
  '-m permute-and-flip:epsilon=0.2,count=2 --delta 1e-6',
  '-m zcdp:rho=0.01,count=10 --delta 1e-6',
  '-m rdp:orders=2:0.1;4:0.3 --delta 1e-6',
  '-m gdp:mu=0.5,count=2 --delta 1e-6',
  '-m finite-pair:p=0.9;0.1,q=0.1;0.9 --delta 1e-6',
  '-m trade-off:points=0:1;0.25:0.25;1:0 --delta 1e-3',
  '-m randomized-response:epsilon=1,categories=16 --delta 1e-6',
  '-m rappor:f=0.5,count=2 --delta 1e-6',
  '-m shuffled-reports:local-epsilon=1,users=10000 --delta 1e-6',
  '-m tree-aggregation:noise-multiplier=5,steps=100,participations=1 --delta 1e-6',
  '-m dp:epsilon=0.1,count=9 -m gaussian:sigma=8,count=4 -m exponential:epsilon=0.1 --delta 1e-6',
  '-m dp:epsilon=0.3,count=5 --delta 0',
  '-m dp:epsilon=1e-3,count=1000 --delta 1e-9',
  '-m dp:epsilon=0.1,count=5,kind=interactive --delta 1e-6',
  '-m bounded-range:epsilon=0.2,count=8 --delta 1e-6',
  '-m bounded-range:epsilon=0.2,count=8 --delta 1e-6 --nonadaptive',
  '-m exponential:coefficient=0.2,sensitivity=1,monotonic=true,count=3 --epsilon 0.5',
  '-m report-noisy-max:noise=gumbel,epsilon=0.2,count=4 --delta 1e-5',
  '-m sparse-vector:threshold-epsilon=0.1,query-epsilon=0.2 --delta 1e-6',
  '-m gaussian:sigma=2 --delta 1e-5 --neighbours add-remove',
  '-m gaussian:sigma=10,sensitivity=3,count=7 --epsilon 2',
  '-m gaussian:noise-multiplier=2,sampling=without-replacement,rate=0.1,count=5 --delta 1e-5',
  '-m gaussian:sigma=3,count=2 -m laplace:scale=5 --epsilon 1',
  '-m discrete-gaussian:variance=9,count=2 --epsilon 0.5',
  '-m discrete-laplace:scale=3,sensitivity=2 --delta 1e-4',
  '-m zcdp:rho=0.005,count=4 -m gaussian:sigma=9 --delta 1e-7',
  '-m rdp:alpha=8,epsilon=0.2,count=3 --delta 1e-5',
  '-m gdp:mu=0.2,count=25 --epsilon 1.5',
  '-m finite-pair:p=0.6;0.3;0.1,q=0.1;0.3;0.6,count=3 --delta 1e-3',
  '-m randomized-response:epsilon=0.5,categories=2,count=6 --epsilon 1',
  '-m tree-aggregation:noise-multiplier=4,steps=16,participations=2,separation=4 --delta 1e-6',
  '-m banded-matrix:noise-multiplier=4,steps=64,bands=4,participations=2,separation=16 --delta 1e-6',
  '-m shuffled-reports:local-epsilon=0.5,users=2000,categories=4 --delta 1e-7',
  '-m permute-and-flip:epsilon=0.1,count=3 -m laplace:scale=20 --epsilon 0.2',
  '-m dp:epsilon=0.1,delta=1e-8,count=3 -m dp:epsilon=0.5 -m zcdp:rho=0.01 --delta 1e-6',
  '-m gaussian:sigma=1.5,sampling=random-allocation,batches=20,count=2 --delta 1e-5',
];

/** Takes a hundred times as long as it takes to stop it. */
const LONG_LIST = ['0.1', '0.37'].map((epsilon) => ({ type: 'exponential', epsilon, count: 140 }));

const linkTo = (document: object): string =>
  `#${new URLSearchParams({ document: JSON.stringify(document) }).toString()}`;

const asked = (mechanisms: readonly object[], more: object = {}): string =>
  linkTo({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms, ...more });

if (CHROMIUM === undefined) {
  process.stdout.write('The page was not tried: CHROMIUM=/path/to/chromium npm run test:browser does that.\n');
}

describe.skipIf(CHROMIUM === undefined)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());

  /** Uses the page in a window of its own; it must ask for nothing and have no errors. */
  async function using(hash: string, use: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const requests: string[] = [];
    const errors: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${PAGE}${hash}`);
    await use(page);
    expect(requests.filter((url) => url.split('#')[0] !== PAGE && !/^(?:blob|data):/.test(url))).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  }

  const number = (page: Page): Promise<string> => page.locator('#number').innerText();
  const untilDone = (page: Page): Promise<void> => page.locator('#work[aria-busy="false"]').waitFor();

  /** Every end in the tables of an answer. */
  const numbersOf = (page: Page): Promise<string[][]> =>
    page
      .locator('#answer > .wide tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

  it.each(QUESTIONS)('shows the numbers of the command line to the last digit: %s', async (question) => {
    const { stdout } = await run(['compose', ...question.split(' '), '--all']);
    const link = await run(['compose', ...question.split(' '), '--link']);
    await using(link.stdout.trim().replace(/^[^#]*/, ''), async (page) => {
      await page.locator('#number').waitFor();
      const rows = await numbersOf(page);
      expect(rows.length).toBeGreaterThan(0);
      const printed = stdout.split('\n').map((line) =>
        line
          .replace(/^[* ] /, '')
          .trim()
          .split(/ {2,}/),
      );
      for (const row of rows) expect(printed).toContainEqual(row.filter((cell) => cell !== ''));
    });
  });

  it('answers what is typed, and its address opens to the same', async () => {
    let address = '';
    await using('', async (page) => {
      await page.getByLabel('type').selectOption('gaussian');
      await page.getByLabel('sigma', { exact: true }).fill('4');
      await page.getByLabel('count').fill('10');
      await page.getByRole('button', { name: 'Add a mechanism' }).click();
      await page.getByLabel('epsilon', { exact: true }).fill('0.5');
      const { stdout } = await run('compose -m gaussian:sigma=4,count=10 -m dp:epsilon=0.5 --delta 1e-6'.split(' '));
      const [, claimed = ''] = /is \(([\d.]+), 1e-6\)/.exec(stdout) ?? [];
      await page.locator('#number', { hasText: claimed }).waitFor();
      address = page.url();
    });
    await using(address.replace(PAGE, ''), async (page) => {
      await page.locator('#number').waitFor();
      expect(await page.getByLabel('type').count()).toBe(2);
      expect(await page.getByLabel('sigma', { exact: true }).inputValue()).toBe('4');
      expect(page.url()).toBe(address);
    });
  });

  it('answers the address that the command line prints, from the server that it starts', async () => {
    const server = spawn(process.execPath, [join(ROOT, 'bin/dpcompose.js'), 'page', '--port', '0']);
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const { stdout } = await run(['compose', 'fixtures/noise.json', `--link=${line.toString().trim()}`]);
    const page = await browser.newPage();
    await page.goto(stdout.trim());
    await page.locator('#number').waitFor();
    const composed = await run(['compose', 'fixtures/noise.json']);
    expect(composed.stdout).toContain(`(${await number(page)}, 1e-6)`);
    await page.close();
    server.kill('SIGKILL');
  });

  it('stops a question, and answers the next', async () => {
    await using(asked(LONG_LIST), async (page) => {
      await page.getByRole('button', { name: 'Stop' }).click();
      await untilDone(page);
      expect(await page.locator('#status').innerText()).toBe('Stopped.');
      expect(await page.locator('#number').count()).toBe(0);
      await page.getByRole('tab', { name: 'DP-SGD' }).click();
      await page.getByLabel('epochs').fill('1');
      await page.locator('#answer', { hasText: '235 steps (1 epoch)' }).waitFor();
      expect(page.url()).toContain('epochs=1&');
    });
  });

  it('makes the fix of a refusal', async () => {
    await using(asked([{ type: 'dp', epsilon: '0.1' }], { adaptivity: 'parameters' }), async (page) => {
      await page.getByRole('heading', { name: 'No theorem covers this' }).waitFor();
      await page.getByRole('button', { name: /"adaptivity" to "adaptive"/ }).click();
      await page.locator('#number').waitFor();
      expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('document')).toContain('"adaptive"');
    });
  });

  it('says what is wrong with a document, and where', async () => {
    await using('', async (page) => {
      await page.locator('#number').waitFor();
      await page.getByRole('tab', { name: 'Document' }).click();
      await page.getByLabel('Specification').fill('{"dpcompose": 1,\n "mechanisms": [{"type": "gdp", "mu": -1}]}');
      await page.getByRole('button', { name: 'line 2, column 39: mechanisms[0].mu' }).click();
      expect(await page.locator('#lines .wrong').allInnerTexts()).toEqual(['2']);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('text');
    });
  });

  it('marks the input of a mistake, and leads to it', async () => {
    await using('', async (page) => {
      await page.getByLabel('count').fill('0.5');
      await page.getByRole('button', { name: 'mechanisms[0].count' }).click();
      expect(await page.getByLabel('count').getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    });
  });

  it('shows what has parts as a document', async () => {
    const text = readFileSync('fixtures/live-dashboard.json', 'utf8');
    await using(`#${new URLSearchParams({ document: text }).toString()}`, async (page) => {
      await page.locator('#number').waitFor();
      expect(await page.getByLabel('Specification').inputValue()).toBe(text);
      const { stdout } = await run(['compose', 'fixtures/live-dashboard.json']);
      expect(stdout).toContain(await number(page));
    });
  });

  it('shows nothing where the browser computes less precisely than is assumed', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      const Real = Blob;
      globalThis.Blob = class extends Real {
        constructor(parts: BlobPart[] = [], options: BlobPropertyBag = {}) {
          const wrong = '{ const { exp } = Math; Math.exp = (x) => exp(x) * (1 + 1e-12); }\n';
          super(options.type === 'text/javascript' ? [wrong, ...parts] : parts, options);
        }
      };
    });
    await page.goto(PAGE);
    await page.locator('#distrust').waitFor();
    expect(await page.locator('#number').count()).toBe(0);
    expect(await page.locator('#self-test').innerText()).toContain('not certified');
    await context.close();
  });

  const WINDOWS: Readonly<Record<string, BrowserContextOptions>> = {
    light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
    phone: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  };
  const STATES: Readonly<Record<string, string>> = {
    rows: asked([
      { type: 'gaussian', sigma: '4', count: 3, label: 'a' },
      { type: 'laplace', scale: 10 },
    ]),
    training: '#examples=600&batch=60&epochs=2&noise-multiplier=1.1&scheme=poisson&delta=1e-4',
    refusal: asked([{ type: 'dp', epsilon: '0.1' }], { adaptivity: 'parameters' }),
    mistakes: asked([{ type: 'dp', epsilon: -1 }, { typ: 'dp' }]),
  };
  const cases = Object.keys(WINDOWS).flatMap((window) => Object.keys(STATES).map((state) => [window, state] as const));

  it.each(cases)('is accessible and no wider than its window: %s, %s', async (window, state) => {
    const use = async (page: Page): Promise<void> => {
      await untilDone(page);
      await page.locator('details').evaluateAll((all) => {
        for (const one of all) (one as HTMLDetailsElement).open = true;
      });
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(widths[0]).toBeLessThanOrEqual(widths[1]!);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        'axe.run()',
      );
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    await using(STATES[state]!, use, { ...WINDOWS[window], bypassCSP: true });
  });

  it('copies the command, and shows it where it may not', async () => {
    const command = 'dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6';
    const copy = async (page: Page): Promise<void> => {
      await page.locator('#number').waitFor();
      await page.getByRole('button', { name: 'command' }).click();
    };
    const use = async (page: Page): Promise<void> => {
      await copy(page);
      await page.locator('#status', { hasText: 'The command is copied.' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    };
    await using('', use, { permissions: ['clipboard-read', 'clipboard-write'] });
    await using('', async (page) => {
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
      });
      await copy(page);
      expect(await page.locator('.copies pre').innerText()).toBe(command);
    });
  });

  it('is used by the keyboard alone', async () => {
    await using('', async (page) => {
      await page.locator('#number').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      expect(await page.getByRole('tab', { name: 'DP-SGD' }).getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('50000');
      await page.locator('#answer', { hasText: '50,000 examples' }).waitFor();
    });
  });
});
