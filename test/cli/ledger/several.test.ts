import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { opened } from '../../ledger/stores/sqlite/databases.ts';
import { Desk } from './desk.ts';

const desk = new Desk();
let made = 0;

/** New ledgers with these budgets, by their names. */
async function ledgers(...budgets: readonly string[]): Promise<string[]> {
  const names = budgets.map(() => `l${(made += 1)}.jsonl`);
  for (const [i, budget] of budgets.entries()) await desk.done(`init ${names[i]} ${budget} -q --at none`);
  return names;
}

interface Decisions {
  readonly granted: boolean;
  readonly again: boolean;
  readonly made: readonly string[];
  readonly caveats: readonly { readonly code: string }[];
  readonly ledgers: readonly {
    readonly ledger: { readonly file: string; readonly records: number; readonly halted: string | null };
    readonly fits: boolean;
    readonly code: string | null;
    readonly record: { readonly number: number; readonly hash: string } | null;
    readonly mechanisms: { readonly first: number; readonly last: number } | null;
    readonly after: { readonly launched: number };
  }[];
}

describe('a spend over several ledgers', () => {
  it('is granted in all of them, with a line for each', async () => {
    const [a, b, c] = await ledgers('--epsilon 1', '--mu 0.5', '--epsilon 2 --delta 1e-6 --rule basic');
    await desk.done(`spend ${b} -m gdp:mu=0.3 --at none -q`);
    expect((await desk.done(`spend ${a} ${b} ${c} -m dp:epsilon=0.1,count=2 --at none`)).split('\n')).toEqual([
      'granted in all 3 ledgers:',
      `${a}: mechanisms 1 to 2, in record 1. Used: epsilon 0.2 of 1 (20.0% of the budget).`,
      expect.stringMatching(`^${b}: mechanisms 2 to 3, in record 2. Used: mu 0.3\\d+ of 0.5`) as string,
      `${c}: mechanisms 1 to 2, in record 1. Used: epsilon 0.2 of 2 and delta 0 of 1e-6 (10.0% of the epsilon budget).`,
      '',
    ]);
    for (const file of [a, b, c]) expect(await desk.done(`verify ${file}`)).toContain('is intact');
  });

  it('is granted in none where one refuses, which is told with what it has left', async () => {
    const [a, b] = await ledgers('--epsilon 1', '--epsilon 0.3');
    await desk.done(`spend ${b} -m dp:epsilon=0.2 -q`);
    const before = [desk.read(a!), desk.read(b!)];
    const { code, stdout } = await desk.type(`spend ${a} ${b} -m dp:epsilon=0.2`);
    expect(code).toBe(1);
    expect(stdout).toBe(
      [
        'denied: 1 of 2 ledgers denies it, and nothing was granted.',
        `${a}: would grant it.`,
        `${b}: denied: not enough budget: this would bring epsilon to 0.4; the limit is 0.3. Remaining: one mechanism of epsilon up to 0.1.`,
        `For what fits, run "ledger status ${b} --next dp".`,
        `Or request mechanisms that are not charged to the ledger "${b}".`,
        '',
      ].join('\n'),
    );
    expect([desk.read(a!), desk.read(b!)]).toEqual(before);
  });

  it('halts those alone that refuse, and halt on excess', async () => {
    const [a, b, c] = await ledgers(
      '--epsilon 1 --terms on-excess=halt',
      '--epsilon 0.1 --terms on-excess=halt',
      '--epsilon 0.1',
    );
    const document = await desk.json<Decisions>('ledger-decisions', `spend ${a} ${b} ${c} -m dp:epsilon=0.2`, 1);
    expect(document.granted).toBe(false);
    expect(document.ledgers.map(({ fits, ledger: { halted, records } }) => [fits, halted, records])).toEqual([
      [true, null, 0],
      [false, 'insufficient-budget', 1],
      [false, null, 0],
    ]);
    expect(document.ledgers.map(({ after }) => after.launched)).toEqual([0, 0, 0]);
    expect(await desk.done(`spend ${a} ${c} -m dp:epsilon=0.1`)).toContain('granted in all 2 ledgers');
    expect((await desk.type(`spend ${a} ${b} -m dp:epsilon=0`)).stdout).toContain(`${b}: denied: the ledger has ended`);
  });

  it('keeps the refusals of those alone that refuse, and record refusals, without ending them', async () => {
    const [a, b] = await ledgers('--epsilon 1 --terms refusals=recorded', '--epsilon 0.1 --terms refusals=recorded');
    const { code, stdout } = await desk.type(`spend ${a} ${b} -m dp:epsilon=0.2`);
    expect(code).toBe(1);
    expect(stdout).toContain('Remaining: one mechanism of epsilon up to 0.1. The denial is in record 1.');
    expect(stdout).not.toContain('halted');
    expect([desk.lines(a!).length, desk.lines(b!).length]).toEqual([1, 2]);
    expect(await desk.done(`spend ${a} ${b} -m dp:epsilon=0.1`)).toContain('granted in all 2 ledgers');
  });

  it('halts none where the request makes no sense for one of them, which is named', async () => {
    const [a, b] = await ledgers('--epsilon 0.1 --terms on-excess=halt', '--rho 1 --terms evidence=required');
    const before = [desk.read(a!), desk.read(b!)];
    const { code, stderr } = await desk.type(`spend ${a} ${b} -m dp:epsilon=0.2`);
    expect(code).toBe(2);
    expect(stderr).toContain(`${b}: this ledger requires evidence for every guarantee`);
    expect([desk.read(a!), desk.read(b!)]).toEqual(before);
  });

  it('takes the last operand for the document where no -m is given', async () => {
    const [a, b] = await ledgers('--epsilon 1', '--epsilon 1');
    desk.write('release.json', '{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1", "count": 3}]}');
    expect(await desk.done(`spend ${a} ${b} release.json`)).toContain(`${b}: mechanisms 1 to 3, in record 1.`);
    expect(await desk.done(`spend ${a} release.json`)).toMatch(/^granted: mechanisms 4 to 6, in record 2\./);
    expect(await desk.done(`check ${a} ${b} release.json`)).toContain(
      `${b}: with mechanisms 4 to 6, it would have used`,
    );
  });

  it('compares the neighbours of a document with those of each ledger', async () => {
    const [a, b] = await ledgers("--epsilon 1 --neighbours 'one visit'", "--epsilon 1 --neighbours 'one patient'");
    desk.write(
      'visits.json',
      '{"dpcompose": 1, "neighbours": "one visit", "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}',
    );
    for (const command of ['check', 'spend']) {
      const { code, stderr } = await desk.type(`${command} ${a} ${b} visits.json`);
      expect(code).toBe(2);
      expect(stderr).toContain(`the ledger "${b}" is for "one patient"`);
    }
  });

  it.each(['spend', 'check'])('%s names a ledger that stands twice, or is not there', async (command) => {
    const [a, b] = await ledgers('--epsilon 1', '--epsilon 1');
    const twice = await desk.type(`${command} ${a} ${b} ./${a} -m dp:epsilon=0.1`);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain('this is the same ledger as');
    const absent = await desk.type(`${command} ${a} nowhere.jsonl -m dp:epsilon=0.1`);
    expect(absent.code).toBe(2);
    expect(absent.stderr).toContain('nowhere.jsonl: file not found');
  });

  it('needs a ledger', async () => {
    const { code, stderr } = await desk.type('spend -m dp:epsilon=0.1');
    expect(code).toBe(2);
    expect(stderr).toContain('no ledger is named');
  });
});

describe('a check over several ledgers', () => {
  it('records nothing, and says so', async () => {
    const [a, b] = await ledgers('--epsilon 1', '--epsilon 0.1 --terms on-excess=halt');
    const before = [desk.read(a!), desk.read(b!)];
    expect(await desk.done(`check ${a} ${b} -m dp:epsilon=0.1`)).toBe(
      [
        'fits in all 2 ledgers:',
        `${a}: with mechanism 1, it would have used epsilon 0.1 of 1 (10.0% of the budget).`,
        `${b}: with mechanism 1, it would have used epsilon 0.1 of 0.1 (100.0% of the budget).`,
        'Nothing was recorded. Only "ledger spend" authorizes.',
        '',
      ].join('\n'),
    );
    const { ledgers: answers } = await desk.json<Decisions>('ledger-decisions', `check ${a} ${b} -m dp:epsilon=0.2`, 1);
    expect(answers.map(({ fits, ledger }) => [fits, ledger.halted])).toEqual([
      [true, null],
      [false, null],
    ]);
    expect([desk.read(a!), desk.read(b!)]).toEqual(before);
  });
});

describe('a request that is asked again under its key', () => {
  it('is not charged again, by one ledger', async () => {
    const [a] = await ledgers('--epsilon 1');
    await desk.done(`spend ${a} -m dp:epsilon=0.1,count=3 --key monday --at none`);
    await desk.done(`spend ${a} -m dp:epsilon=0.2 --at none`);
    expect(await desk.done(`spend ${a} -m dp:epsilon=0.1,count=3 --key monday`)).toBe(
      'already granted under this key, in record 1 (mechanisms 1 to 3); not charged again. Used: epsilon 0.5 of 1 (50.0% of the budget).\n',
    );
    interface Again {
      again: boolean;
      granted: boolean;
      record: { number: number };
      ledger: { records: number };
      mechanisms: object;
    }
    const document = await desk.json<Again>('ledger-decision', `spend ${a} -m dp:epsilon=0.1,count=3 --key monday`);
    expect(document).toMatchObject({
      granted: true,
      again: true,
      record: { number: 1 },
      ledger: { records: 2 },
      mechanisms: { first: 1, last: 3 },
    });
    expect(desk.lines(a!)).toHaveLength(3);
  });

  it('is not charged again, by several', async () => {
    const [a, b] = await ledgers('--epsilon 1', '--epsilon 1');
    await desk.done(`spend ${b} -m dp:epsilon=0.2`);
    await desk.done(`spend ${a} ${b} -m dp:epsilon=0.1 --key k`);
    expect(await desk.done(`spend ${b} ${a} -m dp:epsilon=0.1 --key k`)).toBe(
      [
        'already granted under this key in all 2 ledgers; not charged again.',
        `${b}: mechanism 2, in record 2. Used now: epsilon 0.3 of 1 (30.0% of the budget).`,
        `${a}: mechanism 1, in record 1. Used now: epsilon 0.1 of 1 (10.0% of the budget).`,
        '',
      ].join('\n'),
    );
    const document = await desk.json<Decisions>('ledger-decisions', `spend ${a} ${b} -m dp:epsilon=0.1 --key k`);
    expect(document.again).toBe(true);
    expect(document.ledgers.map(({ record }) => record?.number)).toEqual([1, 2]);
    expect([desk.lines(a!).length, desk.lines(b!).length]).toEqual([2, 3]);
  });

  it('is another request where it is for other ledgers, though each of them knows the key', async () => {
    const [a, b, c] = await ledgers('--epsilon 1', '--epsilon 1', '--epsilon 1');
    await desk.done(`spend ${a} -m dp:epsilon=0.1 --key k`);
    await desk.done(`spend ${b} -m dp:epsilon=0.1 --key k`);
    await desk.done(`spend ${a} ${b} -m dp:epsilon=0.1 --key both`);
    const wrong = [
      `spend ${a} ${b} -m dp:epsilon=0.1 --key k`,
      `spend ${a} -m dp:epsilon=0.1 --key both`,
      `spend ${c} ${b} -m dp:epsilon=0.1 --key both`,
      `spend ${a} ${b} -m dp:epsilon=0.3 --key both`,
    ];
    expect(await desk.codes(...wrong)).toEqual([2, 2, 2, 2]);
    expect((await desk.type(wrong[2]!)).stderr).toContain(`${b}: record 2 already has the key "both"`);
    expect([a, b, c].map((file) => desk.lines(file!).length)).toEqual([3, 3, 1]);
  });

  it('is refused again where it was refused and ended the ledger', async () => {
    const [a] = await ledgers('--epsilon 0.1 --terms on-excess=halt');
    const line = `spend ${a} -m dp:epsilon=0.2 --key k`;
    expect(await desk.codes(line, line)).toEqual([1, 1]);
    expect((await desk.type(line)).stdout).toContain('the ledger has ended');
  });
});

const BUDGETS = `dpcompose: 1
ledgers:
  - { name: all, epsilon: 3 }
  - { name: "analyst/{analyst}", of: people, epsilon: 1 }
  - { name: "day/{day}", of: data, epsilon: 0.5 }
`;

/** A desk with budgets, without ledgers. */
function bank(): Desk {
  const own = new Desk();
  own.write('budgets.yaml', BUDGETS);
  return own;
}

const ANN = '--budgets budgets.yaml --for analyst=ann --for day=2026-03-02';

describe('ledgers that budgets name', () => {
  it('are made when they are first spent from, and charged together', async () => {
    const own = bank();
    expect(await own.done(`spend ${ANN} -m dp:epsilon=0.4`)).toBe(
      [
        'granted in all 3 ledgers:',
        'all: mechanism 1, in record 1. Used: epsilon 0.4 of 3 (13.3% of the budget).',
        'analyst/ann: mechanism 1, in record 1. Used: epsilon 0.4 of 1 (40.0% of the budget).',
        'day/2026-03-02: mechanism 1, in record 1. Used: epsilon 0.4 of 0.5 (80.0% of the budget).',
        'Created: all, analyst/ann and day/2026-03-02.',
        'The budget of a partition holds for add/remove-one-record neighbors. Each record must be in one partition, and each mechanism charged to every partition that it reads. It does not hold if a record moves to another partition, or a person has records in several.',
        "The budget of a person bounds the privacy loss of that person's own results. It does not hold if the results of others reach the person, change the person's requests or data, or cause denials that the person sees. Then only the budget of a line without a key holds.",
        '',
      ].join('\n'),
    );
    expect(own.files()).toEqual(['all.jsonl', 'analyst', 'budgets.yaml', 'day']);
    expect(await own.done('verify day/2026-03-02.jsonl')).toContain('is intact: 1 record');
    const { code, stdout } = await own.type(`spend ${ANN} -m dp:epsilon=0.4`);
    expect(code).toBe(1);
    expect(stdout).toContain('day/2026-03-02: denied: not enough budget');
    expect(stdout).toContain('analyst/ann: would grant it.');
    const another = ANN.replace('03-02', '03-03');
    expect(await own.done(`spend ${another} -m dp:epsilon=0.4 --store .`)).toContain('Created: day/2026-03-03.');
    expect((await own.type(`spend ${another.replace('03-03', '03-04')} -m dp:epsilon=0.4`)).stdout).toContain(
      'analyst/ann: denied: not enough budget: this would bring epsilon to 1.2; the limit is 1.',
    );
    expect(await own.done('verify all.jsonl')).toContain('is intact: 2 records');
  });

  it('may be several of one line', async () => {
    const own = bank();
    const document = await own.json<Decisions>(
      'ledger-decisions',
      `spend ${ANN} --for day=2026-03-03 -m dp:epsilon=0.1`,
    );
    expect(document.ledgers.map(({ ledger }) => ledger.file)).toEqual([
      'all',
      'analyst/ann',
      'day/2026-03-02',
      'day/2026-03-03',
    ]);
    expect(document.made).toHaveLength(4);
    expect(document.caveats.map(({ code }) => code)).toEqual(['one-record-one-part', 'own-results-only']);
  });

  it('are not made by a check, which counts them as unspent', async () => {
    const own = bank();
    const said = await own.done(`check ${ANN} -m dp:epsilon=0.4`);
    expect(said).toContain('analyst/ann: with mechanism 1, it would have used epsilon 0.4 of 1');
    expect(said).toContain('Spending would create all, analyst/ann and day/2026-03-02.');
    expect(own.files()).toEqual(['budgets.yaml']);
    await own.done(`spend ${ANN} -m dp:epsilon=0.4`);
    expect((await own.type(`check ${ANN} -m dp:epsilon=0.4`)).code).toBe(1);
  });

  it('are refused where their terms are others than the budgets ask for', async () => {
    const own = bank();
    await own.done(`spend ${ANN} -m dp:epsilon=0.1`);
    own.write('budgets.yaml', BUDGETS.replace('epsilon: 0.5', 'epsilon: 0.9'));
    for (const command of ['spend', 'check']) {
      const { code, stderr } = await own.type(`${command} ${ANN} -m dp:epsilon=0.1`);
      expect(code).toBe(2);
      expect(stderr).toContain('day/2026-03-02: the terms of the ledger differ');
      expect(stderr).toContain('its budget.epsilon is "0.5", not "0.9"');
    }
    expect(own.lines('all.jsonl')).toHaveLength(2);
  });

  it('are not made where the request for which they would be is refused', async () => {
    const own = bank();
    const { code, stdout } = await own.type(`spend ${ANN} -m dp:epsilon=0.6`);
    expect(code).toBe(1);
    expect(stdout).toContain('day/2026-03-02: denied: not enough budget');
    expect(stdout).not.toMatch(/Made|--store/);
    expect(own.files()).toEqual(['budgets.yaml']);
  });

  it('are named with the store in which other commands find them', async () => {
    const own = bank();
    await own.done(`spend ${ANN} -m dp:epsilon=0.1`);
    const { stdout } = await own.type(`spend ${ANN} -m dp:epsilon=0.6`);
    const [, line = ''] = /"ledger (status [^"]+)"\.$/m.exec(stdout) ?? [];
    expect(line).toBe('status day/2026-03-02 --store . --next dp');
    expect(await own.done(line)).toContain('0.5');
    expect((await own.type(`check ${ANN.replace('03-02', '03-04')} -m dp:epsilon=0.6`)).stdout).not.toContain(
      '--store',
    );
    const elsewhere = { env: { DPCOMPOSE_STORE: '.' } };
    expect((await own.type(`spend ${ANN} -m dp:epsilon=0.6`, elsewhere)).stdout).not.toContain('--store');
  });

  it('are not made anew where one was lost', async () => {
    const own = bank();
    await own.done(`spend ${ANN} -m dp:epsilon=0.5`);
    rmSync(join(own.folder, 'day/2026-03-02.jsonl'));
    const left = await own.type(`spend ${ANN} -m dp:epsilon=0.5`);
    expect([left.code, left.stderr]).toEqual([4, expect.stringContaining('.2026-03-02.jsonl.stamp" is there')]);
    rmSync(join(own.folder, 'day/.2026-03-02.jsonl.stamp'));
    const { code, stderr } = await own.type(`spend ${ANN} -m dp:epsilon=0.5`);
    expect(code).toBe(4);
    expect(stderr).toContain('not in this store, but "all" names it in record 1');
    expect(own.files('day')).toEqual([]);
  });

  it('are not made anew where one was lost, and the other ledgers of the request are new', async () => {
    const own = bank();
    await own.done(`spend ${ANN} -m dp:epsilon=0.4`);
    for (const name of ['all.jsonl', '.all.jsonl.stamp']) rmSync(join(own.folder, name));
    own.write('other.jsonl', 'not a ledger\n');
    const bob = '--budgets budgets.yaml --for analyst=bob --for day=2026-03-03';
    for (const command of ['check', 'spend']) {
      const { code, stderr } = await own.type(`${command} ${bob} -m dp:epsilon=0.4`);
      expect(code).toBe(4);
      expect(stderr).toContain('not in this store, but "analyst/ann" names it in record 1');
    }
    expect(own.files('day')).toEqual(['2026-03-02.jsonl']);
  });

  it('are not made anew where one was lost that had an id of its own', async () => {
    const own = bank();
    await own.done('init all --store . --epsilon 3 -q');
    await own.done(`spend ${ANN} -m dp:epsilon=0.4`);
    for (const name of ['all.jsonl', '.all.jsonl.stamp']) rmSync(join(own.folder, name));
    const { code, stderr } = await own.type(`spend ${ANN} -m dp:epsilon=0.1`);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('names it in record 1: a new ledger would grant its budget again'),
    ]);
  });

  it('are not made anew where one was lost, and no line is for everybody', async () => {
    const own = bank();
    own.write('budgets.yaml', BUDGETS.replace(/.*name: all.*\n/, ''));
    await own.done(`spend ${ANN} -m dp:epsilon=0.4`);
    rmSync(join(own.folder, 'day/2026-03-02.jsonl'));
    expect((await own.type(`spend ${ANN.replace('ann', 'bob')} -m dp:epsilon=0.4`)).code).toBe(4);
  });

  it('are kept in a database as well', async () => {
    const own = bank();
    const store = '--store sqlite:budgets.db';
    await opened(join(own.folder, 'budgets.db'), { make: true }).then((made) => made.close());
    expect(await own.done(`spend ${ANN} -m dp:epsilon=0.4 ${store}`)).toContain('Created: all, analyst/ann');
    expect((await own.type(`spend ${ANN} -m dp:epsilon=0.4 ${store}`)).code).toBe(1);
    expect(await own.done(`verify day/2026-03-02 ${store}`)).toContain('is intact: 1 record');
  });

  it('cost nothing more under a key that was used', async () => {
    const own = bank();
    await own.done(`spend ${ANN} -m dp:epsilon=0.4 --key k`);
    expect(await own.done(`spend ${ANN} -m dp:epsilon=0.4 --key k`)).toContain('not charged again');
    expect(own.lines('day/2026-03-02.jsonl')).toHaveLength(2);
  });

  it.each([
    ['', 'no value is given for analyst'],
    ['--for analyst=ann', 'no value is given for day'],
    ['--for analyst=../ann --for day=1', '"../ann" is not a valid value of analyst'],
    ['--for analyst=/etc --for day=1', 'it may contain only letters'],
    ['--for analyst=.. --for day=1', 'it must not begin or end with a dot'],
    ['--for analyst=Ann --for day=1', 'it must be in lower case, ann'],
    ['--for analyst=con --for day=1', 'Windows reserves it'],
    ['--for analyst= --for day=1', 'it is empty'],
    [`--for analyst=${'a'.repeat(200)} --for day=1`, 'it must have at most 200 bytes'],
    ['--for analyst=ann --for day=1 --for day=1', 'day=1 is given twice'],
    ['--for analyst=ann --for day=1 --for region=eu', 'unknown key "region"'],
    ['--for analyst=ann --for day', 'must be KEY=VALUE'],
    ['--for analyst=ann --for day=1 a.jsonl', 'ledgers are named together with --budgets'],
  ])('need safe values of their keys: %s', async (flags, message) => {
    const own = bank();
    const { code, stderr } = await own.type(`spend --budgets budgets.yaml ${flags} -m dp:epsilon=0.1`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(own.files()).toEqual(['budgets.yaml']);
  });
});

describe('ledger budgets', () => {
  it('says of each line what it guarantees, by which theorem, and what is not guaranteed', async () => {
    const own = bank();
    const said = (await own.done('status --budgets budgets.yaml')).replaceAll('\n', ' ');
    expect(said).toContain('day/{day}, for each day: a filter of (0.5, 0)-DP by pure');
    expect(said).toContain('Lecuyer et al. 2019');
    expect(said).toContain('It does not hold if the results of others reach the person');
    interface Listing {
      lines: { name: string; scope: string; key: string | null; guarantee: { epsilon: number } }[];
      caveats: { code: string }[];
    }
    const { lines, caveats } = await own.json<Listing>('ledger-budgets', 'status --budgets budgets.yaml');
    expect(lines.map(({ name, scope, key, guarantee }) => [name, scope, key, guarantee.epsilon])).toEqual([
      ['all', 'all', null, 3],
      ['analyst/{analyst}', 'people', 'analyst', 1],
      ['day/{day}', 'data', 'day', 0.5],
    ]);
    expect(caveats.map(({ code }) => code)).toEqual(['one-record-one-part', 'own-results-only']);
  });

  it('warns where nothing bounds what all people together learn', async () => {
    const own = new Desk();
    own.write('b.yaml', 'dpcompose: 1\nledgers: [{ name: "a/{a}", of: people, epsilon: 1 }]\n');
    expect(await own.done('status --budgets b.yaml')).toContain('No line is charged with everything');
  });
});
