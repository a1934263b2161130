import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { run, type } from './run.ts';

const SYSTEM = 'fixtures/live-dashboard.json';
const ENDLESS = 'fixtures/endless-alarms.json';

interface Node {
  readonly node: string;
  readonly path: string;
  readonly label?: string;
  readonly theorems: readonly { readonly id: string }[];
  readonly conditions: readonly { readonly id: string; readonly state: string }[];
  readonly price: { readonly value: { readonly lower: number | null; readonly upper: number } } | null;
  readonly room?: { readonly instances: number; readonly remaining: number };
  readonly children: readonly Node[];
}

const treeOf = (stdout: string): Node => (JSON.parse(stdout) as { tree: Node }).tree;

const documentWith = (...elements: object[]): string =>
  JSON.stringify({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms: elements });

describe('dpcompose plan', () => {
  it('shows the theorem, what it takes for granted and the price of every part, in a terminal of 80 columns', async () => {
    const { code, stdout } = await run(['plan', SYSTEM, '--no-color'], {
      terminal: true,
      columns: 80,
      env: { LANG: 'C.UTF-8' },
    });
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "live dashboard

      epsilon at delta 1e-6
      1.148845014   the whole plan
                    │  Thm 4.12: concurrent composition with fixed parameters
                    │  Zhu, Dong, Wang 2022, Thm 10: adaptive composition of
                    │  noninteractive mechanisms
                    │  assumed: adaptive adversaries, discrete answers
                    │  met: parameters fixed, one answer each
      0.3998066713  ├─ group "counters"
      0.3998066713  │  └─ 8 x continual (0.05, 1e-8)-DP
                    │        Thm 4.12: concurrent composition with fixed parameters
                    │        assumed: adaptive adversaries, discrete answers
                    │        met: parameters fixed
      0.2999982592  ├─ parallel "alarms": any number of instances, neighbors differ
                    │  in at most 1
                    │  │  Cor 5.5: k-sparse parallel composition of pure continual
                    │  │  mechanisms
                    │  │  assumed: discrete answers
                    │  │  met: sparse, delta 0
      0.2999982592  │  └─ continual (0.3, 0)-DP "sparse vector"
      0.1999982759  ├─ parallel "weekly models": 52 instances, neighbors differ in
                    │  at most 1
                    │  │  Thm 5.4: k-sparse parallel composition of a limited number
                    │  │  assumed: symmetric neighbors, adaptive adversaries, discrete
                    │  │  answers
                    │  │  met: sparse, limited number
      0.1999981831  │  └─ continual (0.2, 1e-9)-DP
      0.249998      └─ partition "regions": 2 parts, neighbors differ in at most 1
                       │  McSherry 2009, Thm 4: disjoint parts: the largest
                       │  Cor 5.15: k-sparse parallel composition of (non)interactive
                       │  mechanisms
                       │  derived: k-sparse parallel composition of noninteractive
                       │  mechanisms
                       │  assumed: equal data are neighbors
                       │  met: disjoint parts, sparse, one answer each
      0.1999963716     ├─ 2 x (0.1, 0)-DP "north"
                       │     Zhu, Dong, Wang 2022, Thm 10: adaptive composition of
                       │     noninteractive mechanisms
                       │     met: parameters fixed, one answer each
      0.249998         └─ Laplace noise of scale 4 "south"

      This whole plan, run concurrently with parameters fixed in advance, is
      (1.148845014, 1e-6)-differentially private. No epsilon below 1.148844764 holds
      for this class of mechanisms. Neighbors: streams that differ in one event.

      With all parts in one list, epsilon is 1.148845014; with each part as one
      (epsilon, delta), it is 1.149991835.

      Assumed by default: guarantees hold against adaptive adversaries
      ("adaptiveAdversary"); answers of interactive and continual mechanisms are
      discrete ("discrete"); the neighboring relation is symmetric ("symmetric");
      equal data sets count as neighbors.

      Theorems without a source are those of Henzinger, Safavi, Vadhan 2025.
      "
    `);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('fits a narrow terminal, and has no marks where there is no colour', async () => {
    const { stdout } = await run(['plan', SYSTEM, '--no-color'], { terminal: true, columns: 44 });
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(44);
    const colored = await run(['plan', SYSTEM], { terminal: true, columns: 44, env: { FORCE_COLOR: '1' } });
    expect(colored.stdout).not.toBe(stdout);
    // eslint-disable-next-line no-control-regex
    expect(colored.stdout.replace(/\u001b\[\d+m/g, '')).toBe(stdout);
  });

  it('is one JSON document, as its schema says, whose prices are those of the parts alone', async () => {
    const { code, stdout } = await type(`plan ${SYSTEM} --json`);
    expect([code, violations('plan', stdout)]).toEqual([0, []]);
    const tree = treeOf(stdout);
    expect(tree.children.map(({ path, label, theorems }) => [path, label, theorems.map(({ id }) => id)])).toEqual([
      ['mechanisms[0]', 'counters', []],
      ['mechanisms[1]', 'alarms', ['parallel-pure']],
      ['mechanisms[2]', 'weekly models', ['parallel-delta-cap']],
      ['mechanisms[3]', 'regions', ['disjoint-parts', 'parallel-interactive', 'parallel-noninteractive']],
    ]);
    const { mechanisms, ...rest } = JSON.parse(await readFile(SYSTEM, 'utf8')) as { mechanisms: object[] };
    for (const [index, element] of mechanisms.entries()) {
      const alone = await run(['compose', '-', '--json'], {
        stdin: JSON.stringify({ ...rest, mechanisms: [element] }),
      });
      const { answer } = JSON.parse(alone.stdout) as { answer: { epsilon: object } };
      expect(tree.children[index]?.price?.value).toEqual(answer.epsilon);
    }
    const whole = JSON.parse((await type(`compose ${SYSTEM} --json`)).stdout) as { answer: { epsilon: object } };
    expect(tree.price?.value).toEqual(whole.answer.epsilon);
  });

  it('is a document in Markdown', async () => {
    const { code, stdout } = await type(`plan ${SYSTEM} --format markdown --epsilon 0.8`);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "# live dashboard

      This whole plan, run concurrently with parameters fixed in advance, is (0.8, 0.006126254917)-differentially private. No delta below 0.006126237682 holds for this class of mechanisms. Neighbors: streams that differ in one event.

      With all parts in one list, delta is 0.006126254917; with each part as one (epsilon, delta), it is 0.03139307752.

      The number of each part is its delta at epsilon 0.8 alone.

      - \`0.006126254917\` the whole plan
        - **concurrent composition with fixed parameters** (Henzinger, Safavi, Vadhan 2025, Thm 4.12)
        - **adaptive composition of noninteractive mechanisms** (Zhu, Dong, Wang 2022, Thm 10)
        - assumed: adaptive adversaries, discrete answers
        - met: parameters fixed, one answer each
        - \`7.999999721e-8\` group "counters"
          - \`7.999999721e-8\` 8 x continual (0.05, 1e-8)-DP
            - **concurrent composition with fixed parameters** (Henzinger, Safavi, Vadhan 2025, Thm 4.12)
            - assumed: adaptive adversaries, discrete answers
            - met: parameters fixed
        - \`0\` parallel "alarms": any number of instances, neighbors differ in at most 1
          - **k-sparse parallel composition of pure continual mechanisms** (Henzinger, Safavi, Vadhan 2025, Cor 5.5)
          - assumed: discrete answers
          - met: sparse, delta 0
          - \`0\` continual (0.3, 0)-DP "sparse vector"
        - \`5.199999868e-8\` parallel "weekly models": 52 instances, neighbors differ in at most 1
          - **k-sparse parallel composition of a limited number** (Henzinger, Safavi, Vadhan 2025, Thm 5.4 with Lemma 5.11)
          - assumed: symmetric neighbors, adaptive adversaries, discrete answers
          - met: sparse, limited number
          - \`1e-9\` continual (0.2, 1e-9)-DP
        - \`0\` partition "regions": 2 parts, neighbors differ in at most 1
          - **disjoint parts: the largest** (McSherry 2009, Thm 4; several differing parts and continual ones derived)
          - **k-sparse parallel composition of (non)interactive mechanisms** (Henzinger, Safavi, Vadhan 2025, Cor 5.15)
          - **k-sparse parallel composition of noninteractive mechanisms** (derived: an answer from data that do not differ is post-processing; (epsilon, delta): Henzinger, Safavi, Vadhan 2025, Sec 5.3.2)
          - assumed: equal data are neighbors
          - met: disjoint parts, sparse, one answer each
          - \`0\` 2 x (0.1, 0)-DP "north"
            - **adaptive composition of noninteractive mechanisms** (Zhu, Dong, Wang 2022, Thm 10)
            - met: parameters fixed, one answer each
          - \`0\` Laplace noise of scale 4 "south"
      "
    `);
  });

  it('says how many instances a cap leaves room for', async () => {
    const capped = {
      type: 'parallel',
      sparsity: 1,
      kind: 'continual',
      deltaCap: '1e-5',
      of: { type: 'dp', epsilon: 1, delta: '2e-6' },
    };
    const stdin = documentWith(capped);
    const { stdout } = await run(['plan', '-', '--delta', '1e-4', '--json'], { stdin });
    const { room } = treeOf(stdout).children[0] ?? {};
    expect(room?.instances).toBe(5);
    expect(room?.remaining).toBeCloseTo(4.000032000168e-11, 22);
    const text = await run(['plan', '-', '--delta', '1e-4'], { stdin });
    expect(text.stdout).toContain('room under the cap: 5 of delta 2e-6, then one of delta 4.000032');
  });

  it('takes a flat list too, in its declared order', async () => {
    const { code, stdout } = await type('plan fixtures/dashboard.json --json');
    const composed = JSON.parse((await type('compose fixtures/dashboard.json --json')).stdout) as {
      answer: { epsilon: object };
    };
    expect(code).toBe(0);
    expect(treeOf(stdout).price?.value).toEqual(composed.answer.epsilon);
    expect(violations('plan', stdout)).toEqual([]);
  });

  it('refuses what no theorem covers, with what would fix it', async () => {
    const { code, stdout, stderr } = await type(`plan ${ENDLESS}`);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^refused: mechanisms\[0\] \("alarms"\) has an unlimited number of continual instances/);
    const json = await type(`plan ${ENDLESS} --json`);
    expect([json.code, violations('refusal', json.stdout)]).toEqual([3, []]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      code: 'unbounded-approximate',
      path: 'mechanisms[0]',
      label: 'alarms',
      lowerBound: { instances: 1_000_000, epsilon: 'any', supremum: 1 },
    });
  });

  it('refuses parameters that are adaptively chosen', async () => {
    const stdin = JSON.stringify({
      dpcompose: 1,
      adaptivity: 'parameters',
      target: { delta: 0 },
      mechanisms: [{ type: 'group', mechanisms: [{ type: 'dp', epsilon: 1 }] }],
    });
    const { code, stdout } = await run(['plan', '-', '--json'], { stdin });
    expect([code, (JSON.parse(stdout) as { code: string }).code]).toEqual([3, 'adaptive-parameters-in-parallel']);
  });

  it('tells the mistakes of its input and of its options together', async () => {
    const { code, stderr } = await run(['plan', '-', '--format', 'tre', '--tolerance', '2'], {
      stdin: documentWith({ type: 'parallel', of: {} }),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--format: must be tree, json or markdown, got "tre". Did you mean "tree"?');
    expect(stderr).toContain('mechanisms[0].sparsity: sparsity is missing');
  });

  it('needs something to read', async () => {
    const { code, stderr } = await type('plan');
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: dpcompose plan SPEC');
  });

  it('does not let labels disturb a terminal or a document', async () => {
    const stdin = documentWith({ type: 'group', label: '\u001b[2J *x* <b>', mechanisms: [{ type: 'dp', epsilon: 1 }] });
    const tree = await run(['plan', '-'], { stdin });
    expect(tree.stdout).toContain('group "\\u001b[2J *x* <b>"');
    const markdown = await run(['plan', '-', '--format', 'markdown'], { stdin });
    expect(markdown.stdout).toContain('group "\\\\u001b\\[2J \\*x\\* \\<b\\>"');
  });
});

describe('dpcompose compose, of a plan', () => {
  it('answers with the better of the flattened and the grouped total, and names the theorems', async () => {
    const { code, stdout } = await type(`compose ${SYSTEM} --json`);
    expect([code, violations('compose', stdout)]).toEqual([0, []]);
    const { answer, plan, bounds } = JSON.parse(stdout) as {
      answer: { epsilon: { upper: number } };
      plan: { flattened: { upper: number }; grouped: { lower: null; upper: number }; theorems: { id: string }[] };
      bounds: { id: string }[];
    };
    expect(answer.epsilon.upper).toBe(Math.min(plan.flattened.upper, plan.grouped.upper));
    expect(plan.grouped.lower).toBeNull();
    expect(plan.theorems.map(({ id }) => id)).toContain('parallel-pure');
    expect(bounds.map(({ id }) => id)).toContain('grouped');
    const table = await type(`compose ${SYSTEM}`);
    expect(table.stdout).toContain('This whole plan, run concurrently with parameters fixed in advance,');
    expect(table.stdout).toContain('Neighbors: streams that differ in one event.');
    expect(table.stdout).toContain('Thm 4.12, Cor 5.5, Thm 5.4 and Cor 5.15 of Henzinger, Safavi, Vadhan 2025');
  });

  it('gives a second opinion on the list that pays for it', async () => {
    const system = JSON.parse(readFileSync(SYSTEM, 'utf8')) as { mechanisms: { type: string }[] };
    const mechanisms = system.mechanisms.filter(({ type }) => type !== 'partition');
    const { code, stdout } = await run(['compose', '--epsilon', '1.1', '--precision', '30', '--json'], {
      stdin: JSON.stringify({ ...system, mechanisms }),
    });
    expect([code, violations('compose', stdout)]).toEqual([0, []]);
    const { bounds } = JSON.parse(stdout) as { bounds: { id: string; decimal?: { delta?: string; code?: string } }[] };
    const decimals = new Map(bounds.map(({ id, decimal }) => [id, decimal]));
    expect(decimals.get('dp-optimal')?.delta).toMatch(/^\d\.\d{29}/);
    expect(decimals.get('grouped')).toMatchObject({ code: 'mechanism-not-covered' });
  });

  it('competes among the bounds that are asked for, then not grouped', async () => {
    const { code, stdout } = await type(`compose ${SYSTEM} --bounds basic --json`);
    const { answer, plan } = JSON.parse(stdout) as { answer: { bound: string }; plan: { grouped: null } };
    expect([code, answer.bound, plan.grouped]).toEqual([0, 'basic', null]);
  });

  it('takes mechanisms of the command line beside it', async () => {
    const more = JSON.parse((await type(`compose ${SYSTEM} -m dp:epsilon=0.5 --json`)).stdout) as {
      answer: { epsilon: { upper: number } };
    };
    expect(more.answer.epsilon.upper).toBeGreaterThan(1.6);
  });

  it('refuses what no theorem covers', async () => {
    expect((await type(`compose ${ENDLESS}`)).code).toBe(3);
  });
});

describe('dpcompose validate, of a plan', () => {
  it('says what it holds', async () => {
    const { code, stdout } = await type(`validate ${SYSTEM}`);
    expect([code, stdout]).toEqual([
      0,
      'fixtures/live-dashboard.json is valid: "live dashboard", a plan of 5 entries, 1 group, 2 parallel compositions and 1 partition, adaptively chosen, target delta 1e-6.\n',
    ]);
    const json = await type(`validate ${SYSTEM} --json`);
    expect(violations('validate', json.stdout)).toEqual([]);
  });
});
