import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyTally, LineAnswers } from '../../src/cli/batch/answer.ts';
import { listCommands } from '../../src/cli/commands.ts';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import { codeFacts } from '../../src/output/codes.ts';
import { OUTPUTS, type OutputName } from '../../src/output/schema/schemas.ts';
import { violations } from '../output/schema.ts';
import { run, type Run } from './run.ts';

type Kind = OutputName;

/** A command line, and what it prints with --json: of which kind, and with which exit code. */
interface Line {
  readonly words: string;
  readonly kind: Kind;
  readonly code: number;
  readonly stdin?: string;
}

const line = (kind: Kind, words: string, code = 0, stdin?: string): Line => ({
  kind,
  words,
  code,
  ...(stdin === undefined ? {} : { stdin }),
});

const fixture = (name: string): string => resolve('fixtures', name);
const ONE = '-m dp:epsilon=0.1234567890123456789,count=3 --delta 1e-6';
const DIGITS = '0.1000000000000000055';

/** In this order: the ledgers are made by the first ones. */
const LINES: readonly Line[] = [
  line('compose', `compose ${ONE}`),
  line('compose', `compose ${ONE} --precision 30`),
  line('compose', `compose -m dp:epsilon=0.1,delta=1e-6 --delta 1e-9`),
  line('compose', `compose ${fixture('mixed.json')} --bounds rdp`),
  line('refusal', `compose ${fixture('adaptive-parameters.json')}`, 3),
  line('refusal', 'compose -m subsampled-gaussian:sigma=1 --delta 1e-6', 3),
  line('refusal', `compose ${fixture('endless-alarms.json')} --delta 1e-6`, 3),
  line('refusal', 'compose -m zcdp:rho=0.1 -m rdp:alpha=2,epsilon=0.1 --bounds dp-optimal --delta 1e-6', 3),
  line('error', 'compose -m dp:epsilom=0.1', 2),
  line('error', `compose wrong.json --delta 1e-6`, 2),
  line('error', 'compose nowhere.json --delta 1e-6', 2),
  line('validate', `validate ${fixture('live-dashboard.json')}`),
  line('plan', `plan ${fixture('live-dashboard.json')}`),
  line('statement', `statement ${fixture('dashboard.json')} --distance 2`),
  line('design', `design ${fixture('designs/histogram.json')}`),
  line('refusal', `design ${fixture('designs/histogram-exact-output.json')}`, 3),
  line('refusal', `design ${fixture('designs/histogram-doubled-sums.json')}`, 3),
  line('solve', `solve -m dp:epsilon=0.1,count=7 --epsilon 1 --delta 1e-6 --find epsilon`),
  line('solve', `solve -m dp:epsilon=0.1,count=7 --delta 1e-6 --find total-epsilon`),
  line('solve', `solve -m dp:epsilon=0.1 --epsilon 1 --delta 1e-6 --find count`),
  line('sgd', 'sgd --examples 1000 --batch 10 --epochs 4 --noise-multiplier 1 --delta 1e-5 --scheme poisson'),
  line('sgd', 'sgd --examples 1000 --batch 10 --epochs 4 --target-epsilon 1 --delta 1e-5 --scheme poisson'),
  line(
    'sgd',
    'sgd --examples 1000 --batch 100 --epochs 2 --noise-multiplier 1 --delta 1e-5 --scheme random-allocation',
  ),
  line('sgd-schemes', 'sgd --examples 1000 --batch 100 --epochs 2 --noise-multiplier 1 --delta 1e-5 --compare-schemes'),
  line('sgd-batches', 'sgd --examples 1000 --batch 100 --batches sizes.txt'),
  line('refusal', 'sgd --examples 1000 --batch 100 --batches sizes.txt --scheme poisson', 3),
  line('risk', 'risk -m gaussian:sigma=1 --prior 0.5,0.1 --baseline 0.1 --divergence tv,kl,renyi:2 --gaussian'),
  line('risk', `risk ${fixture('designs/histogram.json')} --gaussian`),
  line('refusal', `risk ${fixture('adaptive-parameters.json')}`, 3),
  line('audit', `audit --scores ${fixture('scores.csv')} --method thresholds --ranks 1,10 --delta 1e-5`),
  line('audit', `audit ${ONE} --scores ${fixture('scores.csv')} --method thresholds --split`, 1),
  line('audit', 'audit -m dp:epsilon=0.5 --method one-run --canaries 1000 --guesses 100 --correct 75 --delta 0', 1),
  line('audit', 'audit --method one-run-f-dp --canaries 1000 --guesses 100 --correct 75'),
  line(
    'refusal',
    `audit ${fixture('adaptive-parameters.json')} --method one-run --canaries 9 --guesses 9 --correct 9`,
    3,
  ),
  line('diff', 'diff wide.json narrow.json --delta 1e-6'),
  line('gap', 'gap --each 0.1,0.25 --count 3 --delta 1e-6'),
  line('curve', 'curve -m dp:epsilon=0.1 --count 1:4 --delta 1e-6'),
  line('curve', 'curve -m dp:epsilon=0.1,count=4 --delta 1e-9:1e-6'),
  line('check', 'check wide.json narrow.json --epsilon 0.5 --delta 1e-6', 1),
  line('check', `check ${fixture('adaptive-parameters.json')} wrong.json --epsilon 0.5 --delta 1e-6`, 2),
  line('risk-curve', 'curve --of tradeoff -m dp:epsilon=0.1,count=4 --fpr 0:1/5'),
  line('risk-curve', 'curve --of profile -m gaussian:sigma=1 --bounds gaussian,basic'),
  line('compare', `compare ${fixture('noise.json')} ${fixture('dashboard.json')}`),
  line('figure', 'figure lazy-rates'),
  line('attack', 'attack parallel --delta 0.1,0.05 --runs 10'),
  line('attack', 'attack renyi --alpha 2 --epsilon 0.5 --runs 10'),
  line('attack', 'attack oblivious --delta 0.01 --runs 10'),
  line('lazy', 'lazy audit --rounds 1000 --batch 10 --eta 0.001 --p 0.1 --delta1 1e-9 --delta0 0'),
  line('lazy', 'lazy plan ope --rounds 10000 --experts 10 --epsilon 1 --delta 1e-6'),
  line('lazy', 'lazy plan oco --rounds 1000 --dimension 3 --lipschitz 1 --diameter 1 --epsilon 1 --delta 1e-6'),
  line('lazy', 'lazy rates ope --gamma 1'),
  line('lazy', 'lazy rates ope --rounds 10000 --experts 10 --epsilon 0.5,1'),
  line('lazy', 'lazy rates --lower-bound --rounds 1e6 --experts 100 --epsilon 0.1'),
  line('lazy', 'lazy switches --rounds 1000 --batch 10 --eta 0.001 --p 0.1 --epsilon 1 --delta 1e-6'),
  line('lazy', 'lazy run own.run --init --rounds 9 --names a,b --batch 1 --eta 1 --c 0.1 --delta 1e-6 --epsilon 100'),
  line('lazy-answer', 'lazy run own.run', 0, '0,1\n'),
  line('lazy', 'lazy run own.run --status'),
  line('theorems', 'theorems'),
  line('theorems', 'theorems --mechanisms'),
  line('explain', 'explain dp-optimal'),
  line('explain', 'explain answer.json'),
  line('explain', 'explain zcdp-optimal'),
  line('explain', 'explain no-finite-epsilon'),
  line('self-test', 'self-test'),
  line('schemas', 'schema'),
  line('complete', 'complete bash'),
  line('ledger-made', 'ledger init a.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal --terms delta-prime=5e-7'),
  line('ledger-decision', `ledger check a.jsonl -m dp:epsilon=${DIGITS},kind=interactive`),
  line('ledger-decision', `ledger spend a.jsonl -m dp:epsilon=${DIGITS},kind=interactive`),
  line('ledger-decision', 'ledger spend a.jsonl -m dp:epsilon=3', 1),
  line(
    'ledger-decisions',
    `ledger spend --budgets ${fixture('budgets.yaml')} --for analyst=ann --for day=1 -m dp:epsilon=0.4`,
  ),
  line(
    'ledger-decisions',
    `ledger check --budgets ${fixture('budgets.yaml')} --for analyst=bob --for day=1 -m dp:epsilon=0.2`,
    1,
  ),
  line('ledger-budgets', `ledger status --budgets ${fixture('budgets.yaml')}`),
  line('ledger-made', 'ledger init held.jsonl --epsilon 1 --terms refusals=recorded'),
  line('ledger-hold', 'ledger reserve held.jsonl -m dp:epsilon=0.1 --expires-in 1d'),
  line('ledger-hold', 'ledger release held.jsonl none', 1),
  line('ledger-decision', 'ledger commit held.jsonl none', 1),
  line('ledger-incurred', `ledger record held.jsonl --incurred -m dp:epsilon=${DIGITS}`),
  line('ledger-incurred', 'ledger record held.jsonl --incurred -m dp:epsilon=1.5'),
  line('ledger-remark', 'ledger annotate held.jsonl --void 2 --label crashed'),
  line('ledger-remark', 'ledger annotate held.jsonl --label seen'),
  line('ledger-status', 'ledger status held.jsonl'),
  line('ledger-replay', 'ledger verify held.jsonl --replay'),
  line('ledger-export', 'ledger export held.jsonl'),
  line('ledger-status', 'ledger status a.jsonl'),
  line('ledger-status', 'ledger status a.jsonl --at-delta 1e-8'),
  line('ledger-status', 'ledger status a.jsonl --at-epsilon 1 --distance 1'),
  line('ledger-status', 'ledger status a.jsonl --next laplace:sensitivity=2 --next zcdp -m dp:epsilon=0.01'),
  line('ledger-verify', 'ledger verify a.jsonl'),
  line('ledger-list', 'ledger status a.jsonl held.jsonl'),
  line('ledger-verify-all', 'ledger verify a.jsonl held.jsonl'),
  line('ledger-replay', 'ledger verify a.jsonl --replay'),
  line('ledger-export', 'ledger export a.jsonl'),
  line('ledger-store', 'ledger store init copies'),
  line('ledger-copy', 'ledger move a.jsonl --to copies --as kept --keep'),
  line('ledger-store', 'ledger store list copies'),
  line('ledger-remark', 'ledger adopt kept --store copies --label restored'),
  line('error', 'ledger recover a.jsonl', 2),
  line('ledger-decision', 'ledger nest a.jsonl b.jsonl --epsilon 0.1'),
  line('ledger-status', 'ledger status b.jsonl'),
  line('ledger-copy', 'ledger move b.jsonl --to copies --as b'),
  line('ledger-made', 'ledger init c.jsonl --mode odometer --rule rdp-curve --terms orders=2;8.5'),
  line('ledger-decision', 'ledger spend c.jsonl -m gaussian:sigma=3'),
  line('ledger-status', 'ledger status c.jsonl'),
  line('refusal', 'ledger status c.jsonl --at-delta 1e-6', 3),
  line('ledger-made', 'ledger convert c.jsonl d.jsonl --terms orders=2:1;8.5:2 --terms conversions=allowed'),
  line('ledger-status', 'ledger status d.jsonl'),
  line('ledger-made', 'ledger convert d.jsonl e.jsonl'),
  line(
    'ledger-made',
    'ledger init f.jsonl --terms alpha=8 --epsilon 1 --delta 1e-6 --terms concurrency=sequential --terms max-mechanisms=1',
  ),
  line('ledger-decision', 'ledger spend f.jsonl -m dp:epsilon=0.1,delta=1e-7,count=2', 1),
  line(
    'ledger-made',
    'ledger init g.jsonl --mode compositor --rule basic --epsilon 1 --delta 1e-6 -m dp:epsilon=0.1,count=9',
  ),
  line('ledger-decision', 'ledger spend g.jsonl -m dp:epsilon=0.1'),
  line('ledger-status', 'ledger status g.jsonl'),
  line('ledger-made', 'ledger init h.jsonl --mode odometer --rule basic'),
  line('ledger-decision', 'ledger spend h.jsonl -m dp:epsilon=0.1,delta=1e-7'),
  line('ledger-status', 'ledger status a.jsonl -m dp:epsilon=0'),
  line('refusal', 'ledger init z.jsonl --epsilon 1 --delta 1e-6 --rule dp-optimal', 3),
  line('error', 'ledger init z.jsonl --epsilon 1 --delta 1e-6', 2),
  line('error', 'ledger status nowhere.jsonl', 2),
  line('error', 'ledger status broken.jsonl', 4),
  line('ledger-verify', 'ledger verify broken.jsonl', 4),
  line('ledger-verify', 'ledger verify a.jsonl --contains abcdef012345', 4),
  line(
    'batch',
    'batch -',
    0,
    '{"dpcompose":1,"id":7,"target":{"delta":1e-6},"mechanisms":[{"type":"dp","epsilon":0.1}]}\n',
  ),
  line(
    'batch',
    'batch -',
    3,
    '{"dpcompose":1,"target":{"delta":1e-6},"mechanisms":[{"type":"subsampled-gaussian"}]}\n',
  ),
  line('batch', 'batch -', 2, '{"dpcompose":1,"mechanisms":[{"type":"dp"}]}\n'),
];

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-documents-'));
const told = new Map<Line, Run>();

/** What a thread of batch says of a line; that it does is tested with the built program. */
const batchLine = (text: string): string =>
  new LineAnswers({ flags: {}, work: {} }).answer(Buffer.from(text), 1, emptyTally());

beforeAll(async () => {
  const document = (epsilon: string): string =>
    JSON.stringify({ dpcompose: 1, mechanisms: [{ type: 'dp', epsilon, count: 9, label: 'counts' }] });
  writeFileSync(join(folder, 'wide.json'), document('0.2'));
  writeFileSync(join(folder, 'narrow.json'), document('0.01'));
  writeFileSync(join(folder, 'sizes.txt'), '100\n'.repeat(40));
  writeFileSync(join(folder, 'wrong.json'), '{"dpcompose":1,"mechanisms":[{"type":"dp","epsilon":-1}]}');
  const broken = join(folder, 'broken.jsonl');
  await run(['ledger', 'init', broken, '--epsilon', '1']);
  await run(['ledger', 'spend', broken, '-m', 'dp:epsilon=0.5']);
  writeFileSync(broken, readFileSync(broken, 'utf8').replace('"epsilon":"0.5"', '"epsilon":"0.4"'));
  writeFileSync(join(folder, 'answer.json'), (await run(['compose', ...ONE.split(' '), '--json'])).stdout);
  for (const each of LINES) {
    const { words, stdin = '' } = each;
    const ran =
      each.kind === 'batch'
        ? { code: each.code, stdout: batchLine(stdin), stderr: '' }
        : await run([...words.split(' '), '--json'], { cwd: folder, stdin });
    told.set(each, ran);
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Members = Readonly<Record<string, unknown>>;
const documentOf = (each: Line): Members => JSON.parse(told.get(each)!.stdout) as Members;

/** Every text in a value, with the keys and places that lead to it. */
function texts(value: unknown, path: readonly string[] = []): (readonly [path: readonly string[], text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => texts(each, [...path, key]));
}

const NUMERIC = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Where a text may be one of digits: beside the number that it says in full, and as the name of something. */
const isBesideNumber = (path: readonly string[]): boolean => path.includes('exact') || path.includes('decimal');
/** Mechanisms in normal form have all their digits. */
const isNormalForm = ([first, , second]: readonly string[]): boolean => first === 'holds' && second === 'mechanisms';
/** Random names in hexadecimal digits, which may all be decimal ones. */
const isName = (text: string, path: readonly string[]): boolean =>
  /^[0-9a-f]{12}$/.test(text) && ['hold', 'id'].includes(path.at(-1)!);

describe('every JSON document', () => {
  it.each(LINES.map((each) => [each.words, each] as const))('is what its schema says: %s', (_, each) => {
    const { code, stdout } = told.get(each)!;
    expect({ code, violations: violations(each.kind, stdout) }).toEqual({ code: each.code, violations: [] });
  });

  it.each(LINES.map((each) => [each.words, each] as const))(
    'says what it is, and from which version: %s',
    (_, each) => {
      const { schema, version } = documentOf(each);
      expect({ schema, version }).toEqual({
        schema: `dpcompose.${each.kind}/1`,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      });
    },
  );

  it.each(LINES.map((each) => [each.words, each] as const))('has numbers as numbers: %s', (_, each) => {
    const found = texts(documentOf(each)).filter(
      ([path, text]) => NUMERIC.test(text) && !isBesideNumber(path) && !isNormalForm(path) && !isName(text, path),
    );
    expect(found.map(([path, text]) => `${path.join('.')}: ${text}`)).toEqual([]);
  });

  it('says in words what is refused and what is wrong', () => {
    for (const each of LINES.filter(({ code }) => code > 1)) {
      const { message, refusal, ...more } = documentOf(each);
      const said =
        message ??
        (refusal as Members | undefined)?.message ??
        texts(more).find(([path]) => path.at(-1) === 'message')?.[1];
      expect({ line: each.words, said }).toEqual({
        line: each.words,
        said: expect.stringMatching(/\w+ \w+/) as string,
      });
    }
  });

  it('has no code that explain does not know', () => {
    const known = new Set<unknown>(codeFacts().map(({ code }) => code));
    const codes = LINES.flatMap((each) =>
      texts(documentOf(each)).flatMap(([path, text]) => (path.at(-1) === 'code' ? [text] : [])),
    );
    expect(new Set(codes).size).toBeGreaterThan(20);
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });

  it('says in words why a ledger does not grant something', () => {
    for (const each of LINES.filter(({ kind, code }) => kind === 'ledger-decision' && code === 1)) {
      expect(documentOf(each)).toMatchObject({ granted: false, message: expect.any(String) as string });
    }
  });

  it('is of a kind that is shown here', () => {
    expect([...new Set(LINES.map(({ kind }) => kind))].sort()).toEqual(Object.keys(OUTPUTS).sort());
  });
});

/** Every command with --json, by its words. */
async function withJson(): Promise<string[]> {
  const leaves = (command: Command, words: string): string[] => {
    const own = command.options.some(({ long }) => long === '--json') ? [words] : [];
    return [...own, ...command.commands.flatMap((each) => leaves(each, `${words} ${each.name()}`))];
  };
  const commands = await listCommands(() => true, {} as never);
  return commands.flatMap((command) => leaves(command, command.name()));
}

describe('every command with --json', () => {
  /** It prints a document that is read again rather than a result. */
  const WRITES_DOCUMENTS = ['convert'];

  it('is run here', async () => {
    for (const words of await withJson()) {
      if (WRITES_DOCUMENTS.includes(words)) continue;
      expect(
        LINES.some((each) => `${each.words} `.startsWith(`${words} `)),
        words,
      ).toBe(true);
    }
  });

  it('tells mistakes of the command line in a document', async () => {
    for (const words of await withJson()) {
      const { code, stdout } = await run([...words.split(' '), '--no-such-option', '--json'], { cwd: folder });
      expect({ words, code, violations: violations('error', stdout) }).toEqual({ words, code: 2, violations: [] });
    }
  });
});

/** Two neighbouring doubles are closer, relatively. */
const CLOSE = 1 + 2 ** -51;

describe('what is spent, left and guaranteed', () => {
  const find = (words: string): Members => documentOf(LINES.find((each) => each.words === words)!);
  interface Guarantee {
    readonly epsilon: number;
    readonly rho: number;
    readonly exact: { readonly epsilon: string; readonly rho: string };
  }

  it('can be compared by a program', () => {
    const { spent, guarantee, left } = find('ledger status a.jsonl') as unknown as Record<string, Guarantee>;
    expect(spent!.epsilon).toBeGreaterThan(0);
    expect(spent!.epsilon).toBeLessThan(guarantee!.epsilon);
    expect(guarantee!.epsilon).toBe(1);
    expect(left!.rho).toBeGreaterThan(0);
  });

  it('is rounded to the side on which it stays true, with the exact decimal beside it', () => {
    const { steps } = find('ledger verify a.jsonl --replay') as { steps: { totals: Guarantee; spent: Guarantee }[] };
    const { left } = find('ledger status a.jsonl') as unknown as { left: Guarantee };
    const asked = find('ledger status a.jsonl --next laplace:sensitivity=2 --next zcdp -m dp:epsilon=0.01');
    const { remaining } = asked as unknown as { remaining: { value: number; exact: string }[] };
    const short = (x: number, exact: string): boolean => new Decimal(exact).precision() <= 15 && x === Number(exact);
    const above = (x: number, exact: string): boolean =>
      short(x, exact) || (decimalFromDouble(x).gte(exact) && x <= Number(exact) * CLOSE);
    const below = (x: number, exact: string): boolean =>
      short(x, exact) || (decimalFromDouble(x).lte(exact) && x * CLOSE >= Number(exact));
    expect(steps).not.toEqual([]);
    for (const { totals, spent } of steps) {
      expect(above(totals.rho, totals.exact.rho)).toBe(true);
      expect(above(spent.epsilon, spent.exact.epsilon)).toBe(true);
    }
    expect(below(left.rho, left.exact.rho)).toBe(true);
    expect(below(remaining[1]!.value, remaining[1]!.exact)).toBe(true);
  });
});
