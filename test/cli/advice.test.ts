import { describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { run, type } from './run.ts';

const FAILING = 'fixtures/designs/histogram-exact-output.json';

const capped = JSON.stringify({
  dpcompose: 1,
  target: { delta: '1e-6' },
  mechanisms: [
    {
      type: 'parallel',
      label: 'svt',
      sparsity: 1,
      deltaCap: '1e-9',
      of: { type: 'dp', epsilon: '0.1', delta: '1e-8', kind: 'continual' },
    },
  ],
});

describe('a document with a design', () => {
  it.each(['plan', 'compose'])(
    'is composed by %s with a warning, and nothing is claimed of the whole',
    async (name) => {
      const { code, stdout, stderr } = await type(`${name} ${FAILING}`);
      expect(code).toBe(0);
      expect(stderr).toMatch(/^warning: The "design" of this document was not checked/);
      expect(stdout).toContain('The composition of what the design runs, without the design itself,');
      expect(stdout).not.toMatch(/This mechanism is|Everything in this plan/);
      const json = await type(`${name} ${FAILING} --json`);
      expect(JSON.parse(json.stdout)).toMatchObject({ warnings: [{ code: 'design-not-checked' }] });
      expect((await type(`${name} ${FAILING} -q --strict`)).code).toBe(1);
    },
  );

  it('is valid, which says nothing of its design', async () => {
    const { code, stdout } = await type(`validate ${FAILING}`);
    expect(code).toBe(0);
    expect(stdout).toContain('Its "design" is well formed but not checked');
    expect((await type(`validate ${FAILING} -q --strict`)).code).toBe(1);
    const json = await type(`validate ${FAILING} --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({ warnings: [{ code: 'design-not-checked' }] });
    expect(violations('validate', json.stdout)).toEqual([]);
  });

  it('is checked by design, without that warning', async () => {
    const { code, stderr } = await type('design fixtures/designs/histogram.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('a cap on delta', () => {
  it.each(['plan', 'compose'])('that not one instance keeps is told by %s', async (name) => {
    const { code, stderr } = await run([name, '-'], { stdin: capped });
    expect(code).toBe(0);
    expect(stderr).toContain('mechanisms[0] ("svt") has "deltaCap": 1e-9');
    expect(stderr).toContain('no instance fits under the cap');
  });
});

describe('a refusal', () => {
  const document = capped.replace('"deltaCap":"1e-9",', '');

  it('fits the width of a terminal, its fixes one after the other', async () => {
    const { code, stderr } = await run(['plan', '-', '--no-color'], { stdin: document, columns: 60 });
    expect(code).toBe(3);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.every(({ length }) => length <= 60)).toBe(true);
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(5);
  });

  it('has its fixes as keys for a program', async () => {
    const { stdout } = await run(['plan', '-', '--json'], { stdin: document });
    expect(violations('refusal', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      mends: [
        { changes: [{ path: 'mechanisms[0]', key: 'instances', value: 1000 }] },
        { changes: [{ path: 'mechanisms[0]', key: 'deltaCap', value: 1e-5 }] },
        { changes: [{ path: 'mechanisms[0].of', key: 'delta', value: 0 }] },
        { changes: [{ path: 'mechanisms[0].of', key: 'kind', value: 'interactive' }] },
        { changes: [{ path: 'mechanisms[0]', key: 'firstPairConsistent', value: true }] },
      ],
    });
  });

  it('of a design has its limits as numbers', async () => {
    const { stdout } = await type('design fixtures/designs/histogram-doubled-sums.json --json');
    expect(violations('refusal', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ violations: [{ limits: { found: 2, covered: 1 } }] });
  });

  it('of parameters says where they stand', async () => {
    const stdin = document.replace('{', '{"adaptivity":"parameters",');
    const { stdout } = await run(['compose', '-', '--json'], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({ code: 'adaptive-parameters-in-parallel', path: 'adaptivity' });
  });
});

describe('a command that was removed', () => {
  it.each([
    ['lazy simulate --losses coins --rounds 1e4', 'simulate: lazy simulate was removed.', 'dpcompose lazy run --help'],
    ['lazy lower-bound --rounds 1e6', 'lower-bound: lazy lower-bound was removed.', 'dpcompose lazy rates --help'],
    ['lazy run a.run --init --p 0.1', '--p: lazy run --p was removed.', 'dpcompose lazy run --help'],
    ['lazy switches --delta1 1e-9', '--delta1: lazy switches --delta1 was removed.', 'dpcompose lazy audit --help'],
    ['help lazy simulate', 'simulate: lazy simulate was removed.', 'dpcompose lazy run --help'],
    ['attack verify --example m-delta', 'verify: attack verify was removed.', 'dpcompose attack --help'],
  ])('names what to use instead: %s', async (line, what, instead) => {
    const { code, stdout, stderr } = await type(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`error: ${what}`);
    expect(stderr).toContain(instead);
    expect((await type(instead.replace('dpcompose ', ''))).code).toBe(0);
  });
});

describe('attack', () => {
  it('parallel takes no epsilon', async () => {
    const { code, stderr } = await type('attack parallel --epsilon 1 --delta 0.1');
    expect(code).toBe(2);
    expect(stderr).toContain('--epsilon: instances here are (0, delta)-DP: only --delta is taken.');
  });

  it('says to lower the runs only where fewer are possible', async () => {
    expect((await type('attack parallel --delta 1e-9 --runs 10')).stderr).not.toContain('Lower it');
    expect((await type('attack parallel --delta 1e-4 --runs 1000000')).stderr).toContain('Lower it, limit --instances');
  });
});
