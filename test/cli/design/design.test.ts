import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type, type Run } from '../run.ts';

interface Enclosed {
  readonly lower: number | null;
  readonly upper: number;
}

interface Node {
  readonly label?: string;
  readonly theorems: { number: string }[];
  readonly price: { value: Enclosed } | null;
  readonly children: Node[];
}

interface Report {
  readonly properties: Record<string, string>;
  readonly variables: { name: string; tainted: boolean; chain?: { from: string }[] }[];
  readonly submechanisms: {
    mechanism: string;
    instances: number | string;
    differing: object;
    noise: { on: string; distribution: string; scale: number }[];
  }[];
  readonly input: { mechanisms: { mechanisms?: { epsilon: number; delta: number; count: number }[] }[] };
  readonly answer: { epsilon: Enclosed; delta: Enclosed };
  readonly plan?: { flattened: Enclosed; grouped: Enclosed | null; theorems: { number: string }[] };
  readonly tree: Node;
  readonly errorShape: { order: string; value: number | null } | null;
}

const fixture = (name: string): string => `fixtures/designs/${name}.json`;

async function report(line: string): Promise<Report> {
  const { code, stdout, stderr } = await type(`design ${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('design', stdout)).toEqual([]);
  return JSON.parse(stdout) as Report;
}

interface Refused {
  readonly code: string;
  readonly lowerBound: { delta: number; instances: number } | null;
  readonly violations?: {
    code: string;
    property: string;
    path: string;
    variable?: string;
    variables?: { name: string }[];
  }[];
}

async function refusal(line: string): Promise<Refused> {
  const { code, stdout } = await type(`design ${line} --json`);
  expect(code).toBe(3);
  expect(violations('refusal', stdout)).toEqual([]);
  return JSON.parse(stdout) as Refused;
}

const HISTOGRAM = '--example histogram --total-epsilon 1 --dimension 4';

describe('TC-31: the continual monotone histogram with epsilon 1 and 4 counters', () => {
  const noises = ({ submechanisms }: Report): unknown[] =>
    submechanisms.flatMap(({ mechanism, noise }) =>
      noise.map(({ distribution, scale }) => [mechanism, distribution, scale]),
    );

  it('draws Laplace noise of scale 6 on thresholds, 12 on comparisons and 3 on checks', async () => {
    expect(noises(await report(HISTOGRAM))).toEqual([
      ['svt', 'laplace', 6],
      ['svt', 'laplace', 12],
      ['check', 'laplace', 3],
    ]);
  });

  it('gives each counter a twelfth of epsilon, rounded down, and a quarter of delta', async () => {
    const [counters] = (await report(`${HISTOGRAM} --counter-delta 1e-6`)).input.mechanisms;
    expect(counters?.mechanisms).toMatchObject([{ epsilon: 0.08333333333333333, delta: 2.5e-7, count: 4 }]);
  });

  it('is (1, 0)-DP with pure counters', async () => {
    const { answer, plan } = await report(HISTOGRAM);
    expect(answer).toMatchObject({ epsilon: { upper: 1 }, delta: { lower: 0, upper: 0 } });
    expect(plan?.theorems.map(({ number }) => number)).toContain('Cor 5.5');
  });

  it('is (1, 9.99999625000062e-7)-DP with counters that are approximate', async () => {
    const { answer } = await report(`${HISTOGRAM} --counter-delta 1e-6`);
    expect(answer.epsilon.upper).toBe(1);
    expect(answer.delta.upper).toBeCloseTo(9.99999625000062e-7, 20);
    expect(answer.delta.upper).toBeGreaterThanOrEqual(9.99999625000062e-7);
  });

  it('has the three properties, with the untainted variables of its authors', async () => {
    const { properties, variables, submechanisms } = await report(HISTOGRAM);
    expect(properties).toEqual({ destination: 'holds', response: 'holds', 'neighbouring-mapping': 'holds' });
    expect(variables.filter(({ tainted }) => tainted).map(({ name }) => name)).toEqual(['x', 'c', 'value']);
    expect(submechanisms.map(({ mechanism, instances, differing }) => ({ mechanism, instances, differing }))).toEqual([
      { mechanism: 'd-counter', instances: 1, differing: { messages: 1, instances: 1 } },
      { mechanism: 'svt', instances: 'unbounded', differing: { messages: 1, instances: 1 } },
      { mechanism: 'check', instances: 'unbounded', differing: { messages: 1, instances: 1 } },
    ]);
  });

  it('is told as a tree of theorems from the mechanism to its sub-mechanisms', async () => {
    const { tree } = await report(HISTOGRAM);
    expect(tree.theorems.map(({ number }) => number)).toEqual(expect.arrayContaining(['Cor 6.6', 'Thm 4.12']));
    expect(tree.children.map(({ label, theorems }) => [label, ...theorems.map(({ number }) => number)])).toEqual([
      ['d-counter'],
      ['svt', 'Cor 5.5'],
      ['check', 'Cor 5.15'],
    ]);
  });
});

describe('TC-32: the histogram with all parts in one list, and part by part', () => {
  it('costs less in one list at delta 1e-6', async () => {
    const { plan, answer } = await report(`${HISTOGRAM} --delta 1e-6`);
    expect(plan?.flattened.upper).toBeCloseTo(0.999959954174, 11);
    expect(plan?.grouped?.upper).toBeCloseTo(0.999994942262, 11);
    expect(answer.epsilon.upper).toBe(plan?.flattened.upper);
  });

  it('costs less in one list at epsilon 0.9', async () => {
    const { plan } = await report(`${HISTOGRAM} --epsilon 0.9`);
    expect(plan?.flattened.upper).toBeCloseTo(0.00237638968049, 13);
    expect(plan?.grouped?.upper).toBeCloseTo(0.0188152948301, 12);
  });

  it('costs 0.809314930725 with 64 counters at delta 1e-6', async () => {
    const { plan, answer } = await report('--example histogram --dimension 64 --delta 1e-6');
    expect(plan?.flattened.upper).toBeCloseTo(0.809314930725, 11);
    expect(answer.epsilon.upper).toBe(plan?.flattened.upper);
  });
});

describe('TC-33: the histogram with approximate tests of intervals', () => {
  const approximate = `${HISTOGRAM} --counter-delta 1e-6 --interval-delta 1e-8`;

  it('is refused for any number of intervals, with what no claim could go below', async () => {
    expect(await refusal(approximate)).toMatchObject({
      code: 'unbounded-approximate',
      lowerBound: { instances: 1_000_000, delta: expect.closeTo(0.0099501663, 8) as number },
    });
  });

  it('is (1, 1.19999940600016e-6)-DP with at most 20 intervals', async () => {
    const { answer, submechanisms } = await report(`${approximate} --intervals 20`);
    expect(submechanisms[1]).toMatchObject({ mechanism: 'svt', instances: 20 });
    // 1 - (1 - 2.5e-7)^4 (1 - 1e-8)^20, exactly 1.19999940600015763997...e-6.
    expect(answer.delta.upper).toBeCloseTo(1.199999406000157e-6, 20);
  });
});

describe('TC-34: the histogram with Gaussian checks', () => {
  it('pays for one of any number of checks', async () => {
    const { answer, submechanisms } = await report(`${HISTOGRAM} --counter-delta 1e-6 --check-delta 1e-7`);
    expect(answer.epsilon.upper).toBe(1);
    // 1 - (1 - 2.5e-7)^4 (1 - 1e-7), exactly 1.09999952500009999998...e-6.
    expect(answer.delta.upper).toBeCloseTo(1.0999995250001e-6, 20);
    expect(submechanisms[2]).toMatchObject({ instances: 'unbounded', noise: [{ distribution: 'gaussian' }] });
  });
});

describe('TC-35: a histogram that is refused', () => {
  it.each([
    ['exact-interval', 'destination', 'tainted-condition', 'exact <- c <- x'],
    ['exact-output', 'response', 'tainted-output', 'now <- c <- x'],
    ['doubled-sums', 'neighbouring-mapping', 'larger-change', 'twice'],
  ])('with %s lacks the %s property', async (name, property, code, told) => {
    const { violations: found, ...rest } = await refusal(fixture(`histogram-${name}`));
    expect(rest).toMatchObject({ code: 'design-fails', lowerBound: null });
    expect(found).toMatchObject([{ property, code }]);
    const { code: exit, stdout, stderr } = await type(`design ${fixture(`histogram-${name}`)}`);
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' });
    expect(stderr).toContain(told);
    expect(stderr).toContain('\nTo fix it: ');
  });
});

describe('TC-36 and TC-37: core decomposition in the local model', () => {
  it('gives each user half of epsilon, with noise of scale 4 and 8', async () => {
    const { answer, submechanisms, plan } = await report('--example core-decomposition --total-epsilon 1');
    expect(answer).toMatchObject({ epsilon: { upper: 1 }, delta: { upper: 0 } });
    expect(submechanisms).toMatchObject([{ mechanism: 'users', noise: [{ scale: 4 }, { scale: 8 }] }]);
    expect(plan?.theorems.map(({ number }) => number)).toEqual(expect.arrayContaining(['Cor 8.8', 'Cor 5.15']));
  });

  it('does not depend on the number of users', async () => {
    const ask = async (more: string): Promise<number> =>
      (await report(`--example core-decomposition --epsilon 0.5${more}`)).answer.delta.upper;
    expect(await ask('')).toBeCloseTo(0.152451906799, 11);
    expect(await ask(' --vertices 10000')).toBe(await ask(''));
  });

  it('pays for two users who may fail', async () => {
    const text = await readFile(fixture('core-decomposition'), 'utf8');
    const stdin = text.replace('"epsilon": "0.5"', '"epsilon": "0.5", "delta": "1e-6"');
    const { stdout } = await type('design - --json', { stdin });
    const { answer } = JSON.parse(stdout) as Report;
    expect(answer.delta.upper).toBeCloseTo(1.999999e-6, 20);
  });

  it('grows in the order of log n log Delta', async () => {
    const { errorShape } = await report('--example core-decomposition --vertices 10000 --largest-degree 100');
    expect(errorShape).toMatchObject({ order: 'log n log Delta', value: expect.closeTo(42.4151848838, 9) as number });
    expect((await report('--example core-decomposition')).errorShape?.value).toBeNull();
  });
});

describe('TC-38: the order of the error of the histogram', () => {
  const size = '--largest-query 1000 --beta 0.05 --horizon 1e6';

  it.each([
    ['pure', '', 523.65221319],
    ['approximate', ' --counter-delta 1e-6', 2287.17714155],
  ])('is given for %s counters, up to constants', async (_, delta, value) => {
    const { errorShape } = await report(`${HISTOGRAM}${delta} ${size}`);
    expect(errorShape?.value).toBeCloseTo(value, 7);
  });

  it('is never a guarantee', async () => {
    const { stdout } = await type(`design ${HISTOGRAM} ${size}`);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'up to constants that are not known: no bound on the error is claimed.',
    );
  });
});

describe('dpcompose design', () => {
  it.each([
    ['histogram', ''],
    ['histogram-approximate', ' --counter-delta 1e-6'],
    ['histogram-interval-cap', ' --counter-delta 1e-6 --interval-delta 1e-8 --intervals 20'],
    ['histogram-gaussian-check', ' --counter-delta 1e-6 --check-delta 1e-7'],
    ['histogram-approximate-intervals', ' --counter-delta 1e-6 --interval-delta 1e-8'],
  ])('prints the document %s of a ready design', async (name, flags) => {
    const { stdout } = await type(`design ${HISTOGRAM}${flags} --spec`);
    expect(stdout).toBe(await readFile(fixture(name), 'utf8'));
  });

  it('prints that of the core decomposition, with the target that is asked', async () => {
    expect((await type('design --example core-decomposition --spec')).stdout).toBe(
      await readFile(fixture('core-decomposition'), 'utf8'),
    );
    const { stdout } = await type('design --example core-decomposition --delta 1e-6 --spec');
    expect(JSON.parse(stdout)).toMatchObject({ target: { delta: '1e-6' } });
    const piped = await type('design - --json', { stdin: stdout });
    expect((JSON.parse(piped.stdout) as Report).answer.epsilon.upper).toBeLessThan(1);
  });

  it.each(['0.7', '3', '1e-3', '0.123456789012345678901234567', '1e100', '1e-100'])(
    'never spends more than an epsilon of %s',
    async (epsilon) => {
      const { answer } = await report(`--example histogram --total-epsilon ${epsilon} --dimension 3`);
      expect(answer.delta.upper).toBe(0);
    },
  );

  it('answers the target of the command line before that of the document', async () => {
    const { answer } = await report(`${fixture('histogram')} --delta 1e-6`);
    expect(answer.epsilon.upper).toBeCloseTo(0.999959954174, 11);
  });

  it('tells a person why the design is private and what it costs', async () => {
    const { code, stdout, stderr } = await type(`design ${fixture('histogram-approximate')}`, {
      columns: 80,
      env: { LC_ALL: 'C.UTF-8' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^continual monotone histogram of 4 counters\n\nproperty +because\ndestination +holds +what/,
    );
    expect(stdout).toContain('\nTainted: x (an input); c <- x; value <- c <- x; nothing else.\n');
    expect(stdout).toMatch(/\nsvt +any number +1 message to 1 instance +row 1 \(1\), threshold 0 \(0\)\n/);
    expect(stdout).toContain('│  Cor 6.6: a mechanism made of sub-mechanisms\n');
    expect(stdout).toContain('The mechanism is (1, 9.999996251e-7)-differentially private');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('fits in a narrow terminal', async () => {
    const { stdout } = await type(`design ${fixture('histogram')}`, { columns: 46 });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(46);
  });

  it('is a Markdown document', async () => {
    const { code, stdout } = await type(`design ${fixture('histogram')} --format markdown`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# continual monotone histogram of 4 counters\n\nThe mechanism is \(1, 0\)-differentially/);
    expect(stdout).toContain('\n| svt | any number | 1 message to 1 instance | row 1 (1), threshold 0 (0) |\n');
    expect(stdout).toContain("\n| f -\\> f' | holds | ");
  });

  it('writes to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpcompose-design-'));
    try {
      const file = join(folder, 'mechanism.json');
      const { stdout } = await run(['design', '--example', 'histogram', '--spec', '-o', file]);
      expect(stdout).toBe('');
      expect(await readFile(file, 'utf8')).toBe(await readFile(fixture('histogram'), 'utf8'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('prints nothing when asked to be quiet', async () => {
    expect(await type('design --example histogram --quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('refuses parameters that are adaptively chosen', async () => {
    const text = await readFile(fixture('histogram'), 'utf8');
    const stdin = text.replace('"dpcompose": 1,', '"dpcompose": 1, "adaptivity": "parameters",');
    const { code, stdout } = await type('design - --json', { stdin });
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'adaptive-parameters-in-parallel' });
  });
});

describe('a mistake in a command line of design', () => {
  const errors = async (line: string): Promise<string[]> => {
    const result: Run = await type(`design ${line} --json`);
    expect(result.code).toBe(2);
    return mistakes(result);
  };

  it.each([
    ['--no-color', ['SPEC: no-input']],
    ['--spec', ['--spec: missing-option', 'SPEC: no-input']],
    ['--example hist', ['--example: unknown-value']],
    [`${fixture('histogram')} --example histogram`, ['--example: conflicting-options']],
    [
      `${fixture('histogram')} --dimension 4 --counter-delta 0`,
      ['--dimension: conflicting-options', '--counter-delta: conflicting-options'],
    ],
    ['--example core-decomposition --dimension 4', ['--dimension: conflicting-options']],
    ['--example histogram --dimension 0', ['--dimension: out-of-range']],
    ['--example histogram --intervals 1', ['--intervals: out-of-range']],
    ['--example histogram --counter-delta 1', ['--counter-delta: out-of-range']],
    ['--example histogram --total-epsilon 0', ['--total-epsilon: out-of-range']],
    ['--example histogram --set name=x', ['--set: conflicting-options']],
    ['--example histogram --delta 2', ['--delta: out-of-range']],
    ['--example histogram --delta 0 --epsilon 1', ['--epsilon: two-targets']],
    ['fixtures/noise.json', ['design: missing-key']],
    ['--example histogram --format csv', ['--format: unknown-value']],
  ])('such as %s has a stable code', async (line, expected) => {
    expect(await errors(line)).toEqual(expected);
  });
});
