import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { mistakes, run, type Run } from './run.ts';

const statement = (document: object, ...words: readonly string[]): Promise<Run> =>
  run(['statement', '-', ...words], { stdin: JSON.stringify({ dpcompose: 1, ...document }) });

const release = {
  name: 'release',
  neighbours: 'one person added or removed',
  target: { delta: '1e-6' },
  mechanisms: [
    { type: 'laplace', scale: 10, count: 3, label: 'counts' },
    { type: 'exponential', epsilon: '0.1', count: 2 },
  ],
};

interface Document {
  readonly answer: { epsilon: { upper: number } };
  readonly risk: {
    advantage: { lower: number; upper: number };
    guess: { prior: number; success: { lower: number; upper: number } };
    tests: { falsePositiveRate: number; truePositiveRate: { lower: number | null; upper: number } }[];
  };
  readonly group: { distance: number; claim: { upper: number } | null; method: string } | null;
  readonly sections: { id: string; paragraphs: string[]; items: string[] }[];
}

async function told(document: object, ...words: readonly string[]): Promise<Document> {
  const { code, stdout } = await statement(document, '--json', ...words);
  expect([code, violations('statement', stdout)]).toEqual([0, []]);
  return JSON.parse(stdout) as Document;
}

const section = ({ sections }: Document, id: string): string => {
  const found = sections.find((each) => each.id === id);
  return found === undefined ? '' : [...found.paragraphs, ...found.items].join('\n');
};

describe('dpcompose statement', () => {
  it('says what is protected, from whom, by which theorem, and what that takes for granted', async () => {
    const document = await told(release);
    expect(section(document, 'guarantee')).toMatch(/, 1e-6\)-differentially private/);
    expect(section(document, 'protected')).toContain('Neighbors: one person added or removed.');
    expect(section(document, 'against')).toContain('any computing power');
    expect(section(document, 'mechanisms')).toContain('3 x Laplace noise of scale 10 "counts"');
    expect(section(document, 'reasons')).toMatch(/Zhu, Dong, Wang 2022/);
    expect(section(document, 'assumptions')).toMatch(/is not checked[^]*all parameters are fixed in advance/);
    expect(section(document, 'not-covered')).toContain('other releases of the same data');
    expect(section(document, 'implementation')).toMatch(/Mironov 2012[^]*Ilvento 2020/);
    expect(document.group).toBeNull();
  });

  it('says the same to a person, within 80 columns, and as Markdown', async () => {
    const { stdout } = await statement(release);
    expect(stdout).toMatch(/^Privacy statement: release\n\nGuarantee\n/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const markdown = (await statement(release, '--format', 'markdown')).stdout;
    expect(markdown.match(/^## .*$/gm)).toHaveLength(9);
  });

  it('bounds what a guess and a test can do, by the profile, rounded up', async () => {
    const pure = { target: { delta: 0 }, mechanisms: [{ type: 'dp', epsilon: 1 }] };
    const one = await told(pure);
    // e = 2.71828..., e / (1 + e) = 0.731058..., 0.1 e = 0.271828..., 0.01 e = 0.0271828...
    expect(section(one, 'meaning')).toMatch(/at most 2\.72 times .*\n.*a probability of at most 73\.11%/);
    expect(section(one, 'meaning')).toContain('at most 27.2% (at 1%: at most 2.72%)');
    expect(one.risk.guess.prior).toBe(0.5);
    expect(one.risk.guess.success.upper).toBeCloseTo(Math.E / (1 + Math.E), 12);
    expect(one.risk.advantage.upper).toBeCloseTo((Math.E - 1) / (Math.E + 1), 12);
    expect(one.risk.tests.map(({ truePositiveRate: { upper } }) => upper.toFixed(6))).toEqual(['0.271828', '0.027183']);
  });

  it('speaks of being in the data, of one value or another, or of neighbouring sets as such', async () => {
    const meaning = async (neighbours?: string): Promise<string> =>
      section(await told({ ...release, neighbours }), 'meaning');
    expect(await meaning('add-remove')).toMatch(
      /except whether one record is included.*\n.*although it is not in the data/,
    );
    expect(await meaning('replace-one')).toMatch(
      /which of two values one record has.*\n.*although the record has the first/,
    );
    expect(await meaning()).toMatch(/one of two neighbors.*\n.*although the data are the first/);
    expect(await meaning('one person added or removed')).toBe(await meaning());
  });

  it('says the more of what can be told the less (epsilon, delta) says', async () => {
    const meaning = async (mechanism: object, ...words: string[]): Promise<string> =>
      section(await told({ target: { delta: 0 }, mechanisms: [{ type: 'dp', ...mechanism }] }, ...words), 'meaning');
    // (0.1 + 1) / 2 + 0.9 (e / (1 + e) - 1 / 2) = 0.757952...
    expect(await meaning({ epsilon: 1, delta: '0.1' })).toMatch(
      /^This guarantee alone[^]* a probability of at most 75\.8%;/,
    );
    expect(await meaning({ epsilon: 1, delta: 1 })).toBe(
      'This is no guarantee at all: the results may reveal everything about the difference between two neighboring data sets.',
    );
    expect(await meaning({ epsilon: 40 })).toMatch(/^The probability .* e\^40 times .*\n.*almost no guarantee/);
    expect(await meaning({ epsilon: 14 })).toContain('at most 99.99992%');
    expect(await meaning({ epsilon: '1e-9' })).toContain('at most 50.01%');
    expect(await meaning({ epsilon: 0 })).toContain('at most 50%');
    expect(await meaning({ epsilon: 1 }, '--epsilon', '-3')).toMatch(/^Suppose an attacker/);
  });

  it('is as sharp where a game or a plan is solved, and true where time is up', async () => {
    const range = { target: { delta: '1e-6' }, mechanisms: [{ type: 'exponential', epsilon: '0.1', count: 100 }] };
    const [full, hurried] = [await told(range), await told(range, '--max-seconds', '0.000001')];
    const rates = ({ risk: { tests } }: Document): number[] =>
      tests.map(({ truePositiveRate }) => truePositiveRate.upper);
    // Both ends of the whole search: 0.2168 to 0.21786, and 0.0337 to 0.034022.
    expect([rates(full)[0]! < 0.2179, rates(full)[1]! < 0.0341]).toEqual([true, true]);
    expect([rates(hurried)[0]! >= 0.2168, rates(hurried)[1]! >= 0.0337]).toEqual([true, true]);
    expect(full.risk.advantage.upper).toBeLessThan(0.1983);
    expect(hurried.risk.advantage.upper).toBeGreaterThanOrEqual(full.risk.advantage.lower);
    const cwd = join(import.meta.dirname, '../..');
    const { stdout } = await run(['statement', 'fixtures/live-dashboard.json', '--json'], { cwd });
    const { guess } = (JSON.parse(stdout) as Document).risk;
    // (1.148845691, 1e-6) alone proves 0.7593.
    expect(guess.success.upper).toBeLessThan(0.594);
  });

  it('gives the rates that risk gives', async () => {
    const parts = {
      target: { delta: '1e-6' },
      mechanisms: [
        {
          type: 'partition',
          of: [
            { type: 'dp', epsilon: '0.5' },
            { type: 'laplace', scale: 4 },
          ],
        },
      ],
    };
    const { risk } = await told(parts);
    // e^0.5 0.01, where the loss is largest.
    expect(risk.tests[1]!.truePositiveRate.upper).toBeCloseTo(Math.exp(0.5) / 100, 12);
    const { stdout } = await run(['risk', '-', '--json'], {
      stdin: JSON.stringify({ dpcompose: 1, ...parts }),
    });
    const { tests } = JSON.parse(stdout) as Document['risk'];
    expect(tests.slice(0, 2).map(({ truePositiveRate }) => truePositiveRate.upper)).toEqual(
      risk.tests.map(({ truePositiveRate }) => truePositiveRate.upper),
    );
  });

  it('tells what is promised to groups', async () => {
    const pure = { target: { delta: 0 }, mechanisms: [{ type: 'dp', epsilon: '0.1', count: 3 }] };
    const document = await told(pure, '--distance', '4');
    expect(document.group).toMatchObject({ distance: 4, method: 'mechanisms' });
    expect(document.group?.claim?.upper).toBeCloseTo(1.2, 12);
    expect(section(document, 'group')).toContain('(1.2, 0)');
    const far = await told(release, '--distance', '1000000');
    expect(far.group?.claim?.upper ?? Infinity).toBeGreaterThan(1000);
    expect(mistakes(await statement(release, '--distance', '0', '--json'))).toEqual(['--distance: out-of-range']);
  });

  it('works for plans, with interactive and continual mechanisms', async () => {
    const cwd = join(import.meta.dirname, '../..');
    const { code, stdout } = await run(['statement', 'fixtures/live-dashboard.json', '--json'], { cwd });
    expect([code, violations('statement', stdout)]).toEqual([0, []]);
    const document = JSON.parse(stdout) as Document;
    expect(section(document, 'against')).toContain('future data may depend on earlier answers');
    expect(section(document, 'assumptions')).toContain(
      'answers of interactive and continual mechanisms are discrete (not declared; assumed)',
    );
    expect(section(document, 'reasons')).toContain('Henzinger, Safavi, Vadhan 2025, Thm 4.12');
  });

  it('refuses what no theorem covers, and designs that fail', async () => {
    const chosen = { ...release, adaptivity: 'parameters' };
    expect(await statement(chosen)).toMatchObject({ code: 3, stdout: '' });
    const cwd = join(import.meta.dirname, '../../fixtures/designs');
    const design = await run(['statement', 'histogram-exact-output.json', '--delta', '1e-6', '--json'], { cwd });
    expect([design.code, violations('refusal', design.stdout)]).toEqual([3, []]);
    const covered = await run(['statement', 'histogram.json', '--delta', '1e-6'], { cwd });
    expect(covered.code).toBe(0);
    expect(covered.stdout).toContain('Thm 6.1');
  });

  it('says what to use in place of the record for a registry', async () => {
    const { code, stderr } = await statement(release, '--format', 'registry');
    expect(code).toBe(2);
    expect(stderr).toMatch(/must be text, json or markdown, got "registry".*--json has the numbers/s);
  });

  it('keeps labels from driving a terminal', async () => {
    const label = '\u001b[31m\u202e';
    const { stdout } = await statement({ ...release, name: label, neighbours: label });
    expect(stdout).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
  });
});

describe('a statement of a selection', () => {
  const run3 = {
    type: 'gaussian',
    sigma: 4,
    sampling: { scheme: 'poisson', rate: '0.01', records: 3 },
    'best-of': { law: 'poisson', mean: 2 },
  };
  const best = { target: { delta: '1e-6' }, mechanisms: [run3] };

  it('names the people whose records its runs are for, and what theorems on selections suppose', async () => {
    const document = await told(best);
    expect(section(document, 'protected')).toContain('all records of one person (at most 3)');
    expect(section(document, 'assumptions')).toContain('only the best is released');
    expect(section(document, 'assumptions')).toContain('samples are drawn as declared');
  });

  it('on parts of the data loses more where several records may be in several parts', async () => {
    const epsilonOf = async (records: number): Promise<number> => {
      const one = { ...run3, sampling: { ...run3.sampling, records } };
      const parts = { ...best, mechanisms: [{ type: 'partition', parts: 5, of: [one] }] };
      return (await told(parts)).answer.epsilon.upper;
    };
    const alone = (await told(best)).answer.epsilon.upper;
    expect(await epsilonOf(3)).toBeGreaterThan(alone);
    expect(await epsilonOf(1)).toBeLessThan(alone);
  });
});
