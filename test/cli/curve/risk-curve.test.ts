import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { readXml } from '../../output/xml.ts';
import { mistakes, type } from '../run.ts';

const FILES = 'fixtures/noise.json fixtures/dashboard.json';

interface Line {
  readonly name: string;
  readonly bound: string | null;
  readonly code?: string;
  readonly points: readonly {
    readonly alpha?: number;
    readonly beta?: { readonly lower: number; readonly upper: number | null };
    readonly epsilon?: number;
    readonly delta?: { readonly lower: number | null; readonly upper: number };
  }[];
}

async function linesOf(line: string): Promise<readonly Line[]> {
  const { code, stdout, stderr } = await type(`curve ${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('risk-curve', stdout)).toEqual([]);
  return (JSON.parse(stdout) as { lines: Line[] }).lines;
}

describe('dpcompose curve --of tradeoff', () => {
  it('tells a person the smallest false-negative rates', async () => {
    const { code, stdout } = await type('curve --of tradeoff -m gaussian:sigma=1 --fpr 0.01,0.1');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Trade-off function of Gaussian noise of sigma 1\n\nalpha {2}beta\n0\.01 {3}0\.907637751\d\n/,
    );
  });

  it('has a line for each document, by its name', async () => {
    const lines = await linesOf(`--of tradeoff ${FILES} --fpr 0:1/5`);
    expect(lines.map(({ name }) => name)).toEqual(['weekly report', 'quarterly dashboard']);
    const [first, second] = lines;
    first!.points.slice(1, -1).forEach(({ alpha, beta }, at) => {
      expect(beta!.lower).toBeGreaterThan(second!.points[at + 1]!.beta!.upper!);
      expect(beta!.upper!).toBeLessThanOrEqual(1 - alpha!);
    });
  });

  it('has a line for each bound, none of which is above the claim, and says which does not apply', async () => {
    const question = '-m dp:epsilon=0.1,count=100 --fpr 0:1/9';
    const [claim] = await linesOf(`--of tradeoff ${question}`);
    const lines = await linesOf(`--of tradeoff ${question} --bounds dp-optimal,rdp,gaussian`);
    expect(lines.map(({ bound }) => bound)).toEqual(['dp-optimal', 'rdp', 'gaussian']);
    for (const { points } of lines) {
      points.forEach(({ beta }, at) => {
        expect(beta!.lower).toBeLessThanOrEqual(claim!.points[at]!.beta!.upper! + 1e-9);
        expect(beta!.upper).toBe(at === points.length - 1 ? 0 : null);
      });
    }
    expect(lines[2]).toMatchObject({ points: [], code: 'needs-types' });
  });

  it('draws lines, their bands and the line of no information, also on logarithmic axes', async () => {
    const { stdout } = await type('curve --of tradeoff -m exponential:epsilon=0.5,count=3 --fpr 0:1/9 --format svg');
    const svg = readXml(stdout);
    expect(svg).toBeDefined();
    expect(stdout).toContain('no information');
    expect(stdout.match(/class="line c\d"/g)).toHaveLength(2);
    const log = await type(
      `curve --of tradeoff ${FILES} --fpr 1e-6,1e-4,0.01,0.1,0.5 --x-axis log --y-axis log --format plot`,
    );
    expect(log.code).toBe(0);
    expect(log.stdout).toContain('1e-6');
  });

  it.each(['svg', 'plot'])(
    'draws axes only (%s) where the one rate is 0 and the axis is logarithmic',
    async (format) => {
      const { code, stdout } = await type(
        `curve --of tradeoff -m gaussian:sigma=1 --fpr 0 --x-axis log --format ${format}`,
      );
      expect(code).toBe(0);
      expect(stdout).toContain('What is at 0 is not on the logarithmic axis.');
    },
  );

  it('tells of bands only beside a picture of them', async () => {
    const line = 'curve --of tradeoff -m zcdp:rho=0.5 --fpr 0.1,0.2';
    expect((await type(`${line} --format plot`)).stdout).toMatch(/A band\s+reaches/);
    expect((await type(line)).stdout).not.toContain('band');
  });

  it('puts no control characters of names into a header', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
    const document = { dpcompose: 1, name: '\u001b[31mred', mechanisms: [{ type: 'laplace', scale: 2 }] };
    await writeFile(join(folder, 'red.json'), JSON.stringify(document));
    const { stdout } = await type(
      `curve --of tradeoff ${join(folder, 'red.json')} fixtures/noise.json --fpr 0.1 --format csv`,
    );
    await rm(folder, { recursive: true });
    expect(stdout.split(',')[1]).toBe('\\u001b[31mred.lower');
  });

  it('writes both ends as comma-separated values', async () => {
    const { stdout } = await type('curve --of tradeoff -m dp:epsilon=1 --fpr 0.1,0.5 --format csv');
    const [head, ...rows] = stdout.trimEnd().split('\r\n');
    expect(head).toBe('alpha,beta.lower,beta.upper');
    expect(rows.map((row) => Number(row.split(',')[0]))).toEqual([0.1, 0.5]);
  });
});

describe('dpcompose curve --of profile', () => {
  it('has the deltas of compose', async () => {
    const [line] = await linesOf('--of profile -m laplace:scale=2,count=3 --epsilon 0,0.5,1');
    for (const { epsilon, delta } of line!.points) {
      const { stdout } = await type(`compose -m laplace:scale=2,count=3 --epsilon ${epsilon} --json`);
      const { answer } = JSON.parse(stdout) as { answer: { delta: { upper: number } } };
      expect(delta!.upper).toBeCloseTo(answer.delta.upper, 6);
    }
  });

  it('does not rise where epsilons are so large that a theorem says nothing', async () => {
    const [line] = await linesOf('--of profile fixtures/noise.json --epsilon 10,300000');
    expect(line!.points[1]!.delta!.upper).toBeLessThan(1e-300);
  });

  it('ends where all deltas are small, and its picture at 1e-12', async () => {
    const { stdout } = await type(`curve --of profile ${FILES} --format svg`);
    expect(stdout).toContain('>1e-12<');
    expect(stdout).not.toMatch(/>1e-\d{3}</);
  });
});

describe('what does not go together is told', () => {
  it.each([
    [`curve ${FILES} --delta 1e-6,1e-5`, 'fixtures/dashboard.json', 'conflicting-options'],
    ['curve -m dp:epsilon=1 --delta 1e-6,1e-5 --fpr 0.1', '--fpr', 'conflicting-options'],
    ['curve --of tradeoff -m dp:epsilon=1 --count 1:3', '--count', 'conflicting-options'],
    ['curve --of profile -m dp:epsilon=1 --delta 1e-6', '--delta', 'conflicting-options'],
    ['curve --of tradeoff -m dp:epsilon=1 --fpr 2', '--fpr', 'out-of-range'],
    ['curve --of roc -m dp:epsilon=1', '--of', 'unknown-value'],
    ['curve --of tradeoff - -', '-', 'conflicting-options'],
  ])('%s', async (line, path, code) => {
    expect(mistakes(await type(`${line} --json`))).toContain(`${path}: ${code}`);
  });
});
