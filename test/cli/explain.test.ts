import { describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../src/bounds/core/bound.ts';
import { ALL_THEOREMS } from '../../src/composition/theorems/all.ts';
import { MECHANISM_TYPES } from '../../src/document/mechanism/entry-schema.ts';
import { RULE_IDS } from '../../src/ledger/rules/terms.ts';
import { codeFacts } from '../../src/output/codes.ts';
import { violations } from '../output/schema.ts';
import { mistakes, run, type } from './run.ts';

const IDS = [...BOUND_IDS, ...ALL_THEOREMS.map(({ id }) => id)];
/** Some rules go by the name of a bound. */
const LISTED = [...IDS, ...RULE_IDS];

const answered = async (line: string): Promise<string> => (await type(`compose ${line} --json`)).stdout;
const explained = (stdin: string, ...more: string[]): ReturnType<typeof run> =>
  run(['explain', '-', ...more], { stdin });

interface Explained {
  readonly answer: { readonly bound: string; readonly why: string };
  readonly others: readonly { id: string; outcome: string; upper?: number; excess?: number; why: string }[];
}

describe('dpcompose theorems', () => {
  it('lists all of them', async () => {
    const { code, stdout, stderr } = await type('theorems');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const ids = [...stdout.matchAll(/^([a-z][\w-]*) {2,}\S/gm)].map(([, id]) => id);
    expect(ids.filter((id) => id !== 'id')).toEqual(LISTED);
  });

  it('tells programs the same in full', async () => {
    const { stdout } = await type('theorems --json');
    expect(violations('theorems', stdout)).toEqual([]);
    expect((JSON.parse(stdout) as { theorems: { id: string }[] }).theorems.map(({ id }) => id)).toEqual(LISTED);
  });

  it('price a type of mechanism, which is explained by its name', async () => {
    const { code, stdout } = await type('explain shuffled-reports');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^shuffled reports; shuffle model +shuffled-reports:\S+ .* loss-distribution +loss-distribution$/m,
    );
    const { theorems, mechanisms } = JSON.parse((await type('explain sparse-vector --json')).stdout) as {
      theorems: { id: string }[];
      mechanisms: { type: string }[];
    };
    expect(theorems.map(({ id }) => id)).toEqual(['dp-optimal']);
    expect(mechanisms.map(({ type: its }) => its)).toEqual(['sparse-vector', 'sparse-vector']);
  });

  it('cite the places in which the sources have them', async () => {
    const facts = async (id: string): Promise<string> => (await type(`explain ${id}`)).stdout.replaceAll(/\s+/g, ' ');
    expect(await facts('br-adaptive')).toContain('Dong, Durfee, Rogers 2020, Lemma 3.2 and 6.1');
    expect(await facts('mixed')).toContain('Dong, Durfee, Rogers 2020, Lemma 6.1');
    expect(await facts('br-nonadaptive')).toContain('Lemma 3.1; Thm 3 for equal parameters');
    expect(await facts('br-optkl')).not.toContain('cut off');
    expect(await facts('families')).toContain('lets the adversary create any mechanisms (Definition 5.1)');
    for (const [ids, place, assumed] of [
      [['pure', 'basic', 'approximate-dp'], 'Thm 12.4', 'adaptive adversaries, discrete answers'],
      [['zcdp', 'rdp', 'rdp-curve', 'zcdp-optimal'], 'Cor 13.8', 'adaptive adversaries'],
      [['gdp'], 'Cor 14.10', 'adaptive adversaries, finite communication'],
    ] as const) {
      for (const id of ids) {
        const text = await facts(id);
        expect(text).toContain(`Henzinger, Safavi, Vadhan 2025, ${place}`);
        expect(text).toContain(`assumed of interactive and continual mechanisms: ${assumed}`);
      }
    }
  });

  it('is a Markdown document with a section for each', async () => {
    const { stdout } = await type('theorems --format markdown');
    expect([...stdout.matchAll(/^## `([\w-]+)`/gm)].map(([, id]) => id)).toEqual(LISTED);
  });

  it('lists mechanisms by their names, of every type that can be written', async () => {
    const { stdout } = await type('theorems --mechanisms --json');
    expect(violations('theorems', stdout)).toEqual([]);
    const { mechanisms, otherNames } = JSON.parse(stdout) as {
      mechanisms: { names: string[]; type: string; composedAs: string; one: string; ten: string; bounds: string[] }[];
      otherNames: { names: string[] }[];
    };
    // A selection is listed as the mechanism of a run with best-of.
    expect(new Set([...mechanisms.map((facts) => facts.type), 'selection'])).toEqual(new Set(MECHANISM_TYPES));
    expect(otherNames.flatMap(({ names }) => names)).toEqual(expect.arrayContaining(['svt', 'dp-sgd', 'prv']));
    const factsOf = (name: string) => mechanisms.find(({ names }) => names.includes(name));
    expect(factsOf('exponential mechanism')).toMatchObject({ one: 'br-nonadaptive', ten: 'br-adaptive' });
    expect(factsOf('report-noisy-max, Gumbel noise')).toMatchObject({ composedAs: '0.1-bounded range' });
    expect(factsOf('permute-and-flip')).toMatchObject({ composedAs: '(0.1, 0)-DP', ten: 'dp-optimal' });
    expect(factsOf('sparse vector technique (SVT)')).toMatchObject({ composedAs: 'interactive (0.1, 0)-DP' });
    expect(factsOf('private selection')).toMatchObject({ one: 'selection-profile', ten: 'selection-rdp' });
    for (const { ten, bounds } of mechanisms) expect(bounds[0]).toBe(ten);

    const { stdout: text } = await type('theorems --mechanisms');
    for (const { names } of mechanisms) expect(text).toContain(names.join('; '));
  });

  it('fits into narrow terminals', async () => {
    const { stdout } = await run(['theorems'], { terminal: true, columns: 40, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('basic');
  });
});

describe('dpcompose explain', () => {
  it.each([...new Set(LISTED)])('says what %s is', async (id) => {
    for (const format of ['table', 'markdown']) {
      const { code, stdout, stderr } = await type(`explain ${id} --format ${format}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/Holds for|design/);
      expect(stdout).toContain('Source');
    }
    expect(violations('explain', (await type(`explain ${id} --json`)).stdout)).toEqual([]);
  });

  it('says why an answer is what it is, with numbers', async () => {
    const answer = await answered('-m exponential:epsilon=0.1,count=100 --delta 1e-6 --nonadaptive');
    const { code, stdout, stderr } = await explained(answer);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Certified epsilon at delta 1e-6: 2\.246026213, by br-nonadaptive\.\n/);
    expect(stdout).toMatch(/^br-rdp +2\.400198791 +\+6\.865% +one moment of the loss/m);
    expect(stdout).toMatch(/^basic +10 +\+345\.3% +it adds up the worst cases/m);
    expect(stdout).toMatch(/^gaussian +holds for gaussian or gdp mechanisms only; the list has bounded-range/m);
  });

  it('prints the digits that compose prints', async () => {
    for (const line of [
      '-m dp:epsilon=0.1,count=3 --delta 0',
      '-m dp:epsilon=0.1,delta=1e-7 --epsilon 0.1',
      '-m laplace:scale=3,count=3 --delta 0',
      '-m dp:epsilon=0.1,count=100 --delta 1e-6',
      '-m gaussian:sigma=10,count=10 --epsilon 1',
      '-m dp:epsilon=0.1,delta=0.1 --delta 0.01',
    ]) {
      const solved = line.includes('--delta') ? 'epsilon' : 'delta';
      const composed = (await type(`compose ${line} --all`)).stdout;
      const [, printed] = /^\* [\w-]+ +(\S+)/m.exec(composed)!;
      const { stdout } = await explained(await answered(line));
      expect(stdout).toContain(`Certified ${solved} at `);
      expect(stdout).toContain(`: ${printed}, by `);
      const rows = (text: string): string[] =>
        [...text.matchAll(/^[ *] ?([\w-]+ +[\d.e-]+)(?= |$)/gm)].map(([, row]) => row!.replace(/ +/, ' '));
      const others = [...stdout.matchAll(/^([\w-]+ +[\d.e-]+)(?= )/gm)].map(([, row]) => row!.replace(/ +/, ' '));
      for (const other of others) expect(rows(composed)).toContain(other);
      if (printed === 'infinity') continue;
      const smallest = new RegExp(`no smaller ${solved} holds`, 'i');
      expect(smallest.test(stdout.replaceAll(/\s+/g, ' '))).toBe(smallest.test(composed.replaceAll(/\s+/g, ' ')));
    }
  });

  it('says of every other bound of the answer what became of it', async () => {
    for (const line of [
      '-m dp:epsilon=0.1,count=100 --delta 1e-6',
      '-m dp:epsilon=0.1,delta=0.1 --delta 1e-6',
      '-m gaussian:sigma=4 --epsilon 1',
      '-m dp:epsilon=0 --epsilon 1',
      '-m laplace:scale=3 -m exponential:epsilon=0.3 --epsilon 0.5 --tolerance 0.1',
    ]) {
      const answer = await answered(line);
      const { bounds, answer: claim } = JSON.parse(answer) as { bounds: { id: string }[]; answer: { bound: string } };
      const { stdout } = await explained(answer, '--json');
      expect(violations('explain', stdout)).toEqual([]);
      const { answer: own, others } = JSON.parse(stdout) as Explained;
      expect(own.bound).toBe(claim.bound);
      expect(others.map(({ id }) => id)).toEqual(bounds.map(({ id }) => id).filter((id) => id !== claim.bound));
      expect((await explained(answer, '--format', 'markdown')).stdout).toMatch(/^# Certified /);
    }
  });

  it('is read from a pipe, and refuses what is no answer', async () => {
    expect(mistakes(await explained('{}', '--json'))).toEqual(['schema: not-an-answer']);
    expect(mistakes(await explained('nonsense', '--json'))).toEqual(['document: not-an-answer']);
    expect(mistakes(await type('explain --json'))).toEqual(['WHAT: no-input']);
    expect(mistakes(await type('explain nowhere.json --json'))).toEqual(['nowhere.json: no-such-file']);
  });

  it('says what every code means, and what to do about it', async () => {
    for (const { code, kind, meaning, remedy } of codeFacts()) {
      const asJson = await type(`explain ${code} --json`);
      expect({ code, exit: asJson.code, violations: violations('explain', asJson.stdout) }).toEqual({
        code,
        exit: 0,
        violations: [],
      });
      const { codes } = JSON.parse(asJson.stdout) as { codes: object[] };
      expect(codes).toContainEqual(expect.objectContaining({ code, kind, meaning, remedy }));
    }
    expect((await type('explain insufficient-budget')).stdout).toMatch(
      /^insufficient-budget: denied by a ledger \(exit code 1\)\n[^]*\.\n[^]*ledger\s+status/,
    );
    expect((await type('explain fork --format markdown')).stdout).toMatch(/^# `fork`: [^]*\(exit code 4\)\n\n/);
  });

  it('says of a name that stands for several things all of them', async () => {
    const { stdout } = await type('explain zcdp');
    expect(stdout).toMatch(
      /^zcdp: zCDP composition, optimal conversion\n[^]*\nzcdp: zero-concentrated differential privacy\n/,
    );
    expect((await type('explain no-finite-epsilon')).stdout.match(/^no-finite-epsilon: /gm)).toHaveLength(3);
  });

  it('suggests what may be meant', async () => {
    const { code, stderr } = await type('explain br-adaptve');
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "br-adaptive"?');
    expect(mistakes(await type('explain something --json'))).toEqual(['WHAT: unknown-theorem']);
  });
});
