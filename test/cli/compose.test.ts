import { describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { run, type } from './run.ts';

const HUNDRED = 'compose -m dp:epsilon=0.1,count=100 --delta 1e-6';

interface Composed {
  readonly query: object;
  readonly answer: { epsilon: { lower: number; upper: number }; delta: { upper: number }; bound: string };
  readonly input: { name?: string; adaptivity: string; order: string; target: object; mechanisms: object[] };
  readonly bounds: { id: string; applies: boolean }[];
  readonly warnings: { code: string }[];
}

async function composed(line: string, stdin = ''): Promise<Composed> {
  const { code, stdout, stderr } = await type(`${line} --json`, { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('compose', stdout)).toEqual([]);
  return JSON.parse(stdout) as Composed;
}

describe('dpcompose compose', () => {
  it('tells a person what mechanisms cost together', async () => {
    const { code, stdout, stderr } = await type(HUNDRED);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('* dp-optimal');
    expect(stdout).toContain(
      'The composition of these 100 mechanisms, adaptively chosen with parameters fixed in advance, is (4.774567589, 1e-6)-differentially private',
    );
  });

  it('tells a program the same as one JSON document', async () => {
    const { query, answer, input, bounds } = await composed(HUNDRED);
    expect(query).toEqual({ solveFor: 'epsilon', delta: 1e-6 });
    expect(answer.epsilon.upper).toBeCloseTo(4.774567588107986, 9);
    expect(answer.epsilon.lower).toBeLessThanOrEqual(answer.epsilon.upper);
    expect(answer.bound).toBe('dp-optimal');
    expect(bounds[0]).toMatchObject({ id: 'dp-optimal', applies: true });
    expect(input).toMatchObject({ adaptivity: 'adaptive', mechanisms: [{ type: 'dp', epsilon: 0.1, count: 100 }] });
  });

  it('takes --format json for --json', async () => {
    expect((await type(`${HUNDRED} --format json`)).stdout).toBe((await type(`${HUNDRED} --json`)).stdout);
  });

  it('takes noise and finite pairs as flags, and echoes them in normal form', async () => {
    const { answer, input, warnings } = await composed(
      'compose -m finite-pair:p=0.9;0.1,q=0.1;0.9 -m discrete-laplace:scale=10 -m laplace:epsilon=0.5 --epsilon 2',
    );
    expect(answer.bound).toBe('loss-distribution');
    expect(warnings).toEqual([]);
    expect(input.mechanisms).toMatchObject([
      { type: 'finite-pair', p: [0.9, 0.1], q: [0.1, 0.9], direction: 'either' },
      { type: 'discrete-laplace', scale: 10, sensitivity: 1 },
      { type: 'laplace', epsilon: 0.5 },
    ]);
  });

  it('takes the exponential mechanism as it samples, and echoes its epsilon', async () => {
    const { input, answer } = await composed(
      'compose -m exponential:coefficient=0.1,sensitivity=1,monotonic=true,count=100 --nonadaptive --delta 1e-6',
    );
    expect(input.mechanisms).toMatchObject([{ type: 'bounded-range', epsilon: 0.1, count: 100 }]);
    expect(answer.bound).toBe('br-nonadaptive');
    expect(answer.epsilon.upper).toBeCloseTo(2.246026213, 8);
  });

  it('takes the mechanisms in the declared order', async () => {
    const line = 'compose -m dp:epsilon=0.1 -m dp:epsilon=0.2 -m dp:epsilon=0.1 --delta 1e-6 --order declared';
    const { input, answer } = await composed(line);
    expect(input.order).toBe('declared');
    const ofPure = `${line} --bounds dp-optimal`;
    const inAnyOrder = (await composed(ofPure.replace(' --order declared', ''))).answer;
    expect((await composed(ofPure)).answer.epsilon).toEqual(inAnyOrder.epsilon);
    expect(answer.epsilon.upper).toBeLessThanOrEqual(inAnyOrder.epsilon.upper);
    expect((await type(line)).stdout).toContain('adaptively chosen in the declared order with parameters fixed');
    expect((await type(`${line} --nonadaptive`)).stdout).not.toContain('order');
  });

  it('says that nothing smaller can be claimed only where more work could not claim it', async () => {
    const trained = '-m gaussian:noise-multiplier=1.1,count=200,sampling=poisson,rate=256/60000 --delta 1e-5';
    const { stdout } = await type(`compose ${trained} --tolerance 1e-4`);
    expect(stdout).toMatch(/-differentially private\. No epsilon below [\d.]+ holds for this class of mechanisms\./);
    for (const command of ['compose', 'statement']) {
      const { stdout: usual } = await type(`${command} ${trained}`);
      expect(usual.replaceAll(/\s+/g, ' ')).toContain('holds for this class of mechanisms');
      expect(usual).not.toContain('no smaller');
    }
    const { stdout: exact } = await type('compose -m dp:epsilon=0.5,count=3 --delta 0');
    expect(exact).toContain(
      '(1.5, 0)-differentially private, and no smaller epsilon holds for this class of mechanisms.',
    );
  });

  it('solves for delta, also at a negative epsilon', async () => {
    const { query, answer } = await composed('compose -m dp:epsilon=0.1,count=10 --epsilon 0.5');
    expect(query).toEqual({ solveFor: 'delta', epsilon: 0.5 });
    expect(answer.delta.upper).toBeCloseTo(9.929626917388853e-3, 12);
    const negative = await composed('compose -m dp:epsilon=0.1,count=10 --epsilon -0.5');
    expect(negative.query).toEqual({ solveFor: 'delta', epsilon: -0.5 });
    expect(negative.answer.delta.upper).toBeGreaterThan(0.39);
  });

  it('reads a file and standard input alike', async () => {
    const document = '{"dpcompose":1,"name":"x","target":{"delta":1e-6},"mechanisms":[{"type":"dp","epsilon":0.1}]}';
    expect((await composed('compose -', document)).input).toMatchObject({ name: 'x', target: { delta: 1e-6 } });
    expect((await composed('compose fixtures/dashboard.json')).input.name).toBe('quarterly dashboard');
  });

  it('lets the command line win over the target in the document, and echoes what was asked', async () => {
    const { query, input } = await composed('compose fixtures/dashboard.json --delta 1e-7');
    expect(query).toEqual({ solveFor: 'epsilon', delta: 1e-7 });
    expect(input.target).toEqual({ delta: 1e-7 });
  });

  it('adds the mechanisms of the command line to those of the document', async () => {
    const { input } = await composed('compose fixtures/dashboard.json -m dp:epsilon=1 -m dp:epsilon=0.2');
    expect(input.mechanisms).toHaveLength(6);
  });

  it('keeps numbers as they were typed', async () => {
    const { stdout } = await type('compose -m dp:epsilon=0.1000000000000000000000000001 --delta 1e-6 --json');
    expect(stdout).toContain('"epsilon": 0.1000000000000000000000000001,');
  });

  it('uses only the bounds asked for', async () => {
    const { bounds } = await composed(`${HUNDRED} --bounds basic,zcdp`);
    expect(bounds.map(({ id }) => id).sort()).toEqual(['basic', 'zcdp']);
  });

  it('says with --all why the other bounds do not apply', async () => {
    expect((await type(HUNDRED)).stdout).toContain('Add --all to show them');
    expect((await type(`${HUNDRED} --all`)).stdout).toContain('does not apply');
  });

  it('says that mechanisms are fixed in advance when they are', async () => {
    const { stdout } = await type(`${HUNDRED} --nonadaptive`);
    expect(stdout).toContain('The composition of these 100 mechanisms, all fixed in advance, is');
  });

  it('fits a terminal of 40 columns', async () => {
    const { stdout } = await type(`${HUNDRED} --all`, { terminal: true, columns: 40, env: { NO_COLOR: '1' } });
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  it('does not wrap for a terminal that does not know its width', async () => {
    const world = { terminal: true, columns: 0, env: { NO_COLOR: '1' } };
    expect(await type(HUNDRED, world)).toEqual(await type(HUNDRED));
  });

  it('warns on standard error, and counts warnings as a no under --strict', async () => {
    const line = 'compose fixtures/infeasible.json';
    const { code, stdout, stderr } = await type(line);
    expect(code).toBe(0);
    expect(stdout).toContain('no finite epsilon at delta 0.02');
    expect(stderr).toMatch(/^warning: The total delta of these mechanisms is at least 0\.0295/);
    expect((await type(`${line} --strict`)).code).toBe(1);
    expect((await type(`${HUNDRED} --strict`)).code).toBe(0);
  });

  it('has its warnings in the JSON too', async () => {
    const { stdout } = await type('compose fixtures/infeasible.json --json');
    expect(JSON.parse(stdout)).toMatchObject({
      answer: { epsilon: { upper: 'Infinity' } },
      warnings: [{ code: 'delta-infeasible' }],
    });
  });

  it('prints nothing with --quiet, but still tells by its exit code', async () => {
    expect(await type('compose fixtures/infeasible.json --quiet --strict')).toEqual({
      code: 1,
      stdout: '',
      stderr: '',
    });
    expect(await type(`${HUNDRED} -q`)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('refuses what no theorem covers', async () => {
    const { code, stdout, stderr } = await type('compose fixtures/adaptive-parameters.json');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^refused: The privacy parameters are adaptively chosen/);
    expect(stderr).toContain('See Rogers');
    const json = await type('compose fixtures/adaptive-parameters.json --json');
    expect(json).toMatchObject({ code: 3, stderr: '' });
    expect(violations('refusal', json.stdout)).toEqual([]);
  });

  it('refuses by name what is known elsewhere and not offered here', async () => {
    const { code, stderr } = await type('compose -m subsampled-gaussian:sigma=1 --delta 1e-6');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^refused: -m #1.*: subsampled-gaussian is not supported/);
  });

  it('refuses bounds that do not apply when they are the only ones asked for', async () => {
    const json = await type(`${HUNDRED} --bounds br-mgf --json`);
    expect(json.code).toBe(3);
    expect(violations('refusal', json.stdout)).toEqual([]);
    expect(JSON.parse(json.stdout)).toMatchObject({ code: 'no-bound', bounds: [{ id: 'br-mgf', applies: false }] });
  });

  it('refuses what no bound covers, and names the nearest and what is in its way', async () => {
    const line = 'compose -m zcdp:rho=1,label=sure -m dp:epsilon=1 --delta 1e-6 --bounds dp-optimal';
    const { code, stdout, stderr } = await type(line);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^refused: None of the bounds in --bounds covers these mechanisms: dp-optimal holds for/);
    expect(stderr).toContain('Remove --bounds');
    const json = await type(`${line} --json`);
    expect(violations('refusal', json.stdout)).toEqual([]);
  });

  it('takes finite pairs in conversations by their largest ratio', async () => {
    const line = '-m finite-pair:p=0.9;0.1,q=0.1;0.9,kind=interactive --delta 0 --json';
    const { code, stdout } = await type(`compose ${line}`);
    expect(code).toBe(0);
    const { answer } = JSON.parse(stdout) as { answer: { epsilon: { upper: number } } };
    expect(answer.epsilon.upper).toBeCloseTo(Math.log(9), 12);
  });

  it('does not let a label drive the terminal', async () => {
    const { stdout, stderr } = await run(['compose', '-m', 'laplace:scale=10,label=\u001b[2J', '--delta', '1e-6']);
    expect(stdout + stderr).not.toContain('\u001b');
  });
});
