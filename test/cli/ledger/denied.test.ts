import { describe, expect, it } from 'vitest';
import { Desk, type DecisionDocument } from './desk.ts';

const desk = new Desk();

const LEDGERS = {
  pure: '--rule pure --epsilon 9',
  basic: '--rule basic --epsilon 9 --delta 0.1',
  'approximate-dp': '--rule approximate-dp --epsilon 9 --delta 0.1 --terms delta-prime=0.01',
  zcdp: '--rule zcdp --rho 9',
  rdp: '--rule rdp --terms alpha=8 --epsilon 9',
  'rdp-curve': '--rule rdp-curve --terms orders=2:9;8:9',
  'zcdp-optimal': '--rule zcdp-optimal --epsilon 9 --delta 0.1 --terms delta-prime=0.1',
  'zcdp-optimal, own deltas': '--rule zcdp-optimal --epsilon 9 --delta 0.1 --terms delta-prime=0.01',
  gdp: '--rule gdp --mu 9',
  'gdp, sequential': '--rule gdp --mu 9 --terms concurrency=sequential',
  'basic, sequential': '--rule basic --epsilon 9 --delta 0.1 --terms concurrency=sequential',
  compositor:
    '--mode compositor --rule dp-optimal --epsilon 9 --delta 0.1 -m dp:epsilon=0.1,delta=1e-5,kind=continual,count=80',
} as const;

const MECHANISMS = {
  dp: { type: 'dp', epsilon: '0.1' },
  'dp, delta': { type: 'dp', epsilon: '0.1', delta: '1e-9' },
  laplace: { type: 'laplace', scale: '10' },
  gaussian: { type: 'gaussian', sigma: '10' },
  mu: { type: 'gdp', mu: '0.1' },
  rho: { type: 'zcdp', rho: '0.01' },
} as const;

const DENIALS = {
  nothing: {},
  finite: { finiteCommunication: false },
  discrete: { discrete: false },
  adaptive: { adaptiveAdversary: false },
} as const;

type Ledger = keyof typeof LEDGERS;
type Denial = keyof typeof DENIALS;
type Mechanism = keyof typeof MECHANISMS;

const NOT_FINITE = 'communication-not-finite';
const NOT_DISCRETE = 'answers-not-discrete';
const OBLIVIOUS = 'oblivious-guarantee';

/**
 * What becomes of an interactive or continual mechanism: 'granted', or the code of the refusal; left out where the rule
 * takes no such guarantee, whatever the document says.
 *
 * (e, d)-DP needs discrete answers (Henzinger, Safavi, Vadhan 2025, Theorem 12.4), Renyi DP nothing (Corollary 13.8), and a
 * trade-off function finite communication (Corollary 14.10), which answers that are not discrete rule out; all of them but
 * (e, 0)-DP need guarantees against adaptive adversaries. One mechanism after the other needs no more than that.
 */
const EXPECTED: Readonly<Record<Ledger, Partial<Record<Mechanism, Partial<Record<Denial, string>>>>>> = {
  pure: { dp: { discrete: NOT_DISCRETE }, laplace: { discrete: NOT_DISCRETE } },
  basic: {
    dp: { discrete: NOT_DISCRETE },
    'dp, delta': { discrete: NOT_DISCRETE, adaptive: OBLIVIOUS },
    laplace: { discrete: NOT_DISCRETE },
  },
  'approximate-dp': {
    dp: { discrete: NOT_DISCRETE },
    'dp, delta': { discrete: NOT_DISCRETE, adaptive: OBLIVIOUS },
    laplace: { discrete: NOT_DISCRETE },
  },
  zcdp: {
    dp: {},
    laplace: {},
    gaussian: { adaptive: OBLIVIOUS },
    mu: { adaptive: OBLIVIOUS },
    rho: { adaptive: OBLIVIOUS },
  },
  rdp: {
    dp: {},
    laplace: {},
    gaussian: { adaptive: OBLIVIOUS },
    mu: { adaptive: OBLIVIOUS },
    rho: { adaptive: OBLIVIOUS },
  },
  'rdp-curve': { dp: {}, laplace: {}, gaussian: { adaptive: OBLIVIOUS }, rho: { adaptive: OBLIVIOUS } },
  'zcdp-optimal': {
    dp: { discrete: NOT_DISCRETE },
    gaussian: { adaptive: OBLIVIOUS },
    mu: { adaptive: OBLIVIOUS },
    rho: { adaptive: OBLIVIOUS },
  },
  'zcdp-optimal, own deltas': {
    dp: { discrete: NOT_DISCRETE },
    'dp, delta': { discrete: NOT_DISCRETE, adaptive: OBLIVIOUS },
    laplace: { discrete: NOT_DISCRETE, finite: NOT_FINITE },
    gaussian: { adaptive: OBLIVIOUS, finite: NOT_FINITE, discrete: NOT_FINITE },
    mu: { adaptive: OBLIVIOUS, finite: NOT_FINITE, discrete: NOT_FINITE },
  },
  gdp: {
    dp: { discrete: NOT_DISCRETE },
    laplace: { discrete: NOT_DISCRETE },
    gaussian: { adaptive: OBLIVIOUS, finite: NOT_FINITE, discrete: NOT_FINITE },
    mu: { adaptive: OBLIVIOUS, finite: NOT_FINITE, discrete: NOT_FINITE },
  },
  'gdp, sequential': { dp: {}, gaussian: { adaptive: OBLIVIOUS }, mu: { adaptive: OBLIVIOUS } },
  'basic, sequential': { dp: {}, 'dp, delta': { adaptive: OBLIVIOUS } },
  compositor: { dp: { discrete: NOT_DISCRETE }, 'dp, delta': { discrete: NOT_DISCRETE, adaptive: OBLIVIOUS } },
};

const cases = (Object.keys(LEDGERS) as Ledger[]).flatMap((ledger) =>
  (Object.keys(EXPECTED[ledger]) as Mechanism[]).map((mechanism) => [ledger, mechanism] as const),
);

describe('a document that denies what a theorem needs', () => {
  it.each(cases)('in a ledger of %s, for %s', async (ledger, mechanism) => {
    const file = `${ledger} ${mechanism}.jsonl`.replaceAll(/[ ,]+/g, '-');
    await desk.done(`init ${file} ${LEDGERS[ledger]}`);
    for (const kind of ['interactive', 'continual', 'noninteractive'] as const) {
      for (const denial of Object.keys(DENIALS) as Denial[]) {
        const mechanisms = [{ ...MECHANISMS[mechanism], kind }];
        desk.write('said.json', JSON.stringify({ dpcompose: 1, ...DENIALS[denial], mechanisms }));
        const code = kind === 'noninteractive' ? undefined : EXPECTED[ledger][mechanism]?.[denial];
        const { code: exit, stdout } = await desk.type(`check ${file} said.json --json`);
        const said = exit === 0 ? 'granted' : (JSON.parse(stdout) as { code: string }).code;
        expect({ kind, denial, said }).toEqual({ kind, denial, said: code ?? 'granted' });
      }
    }
  });

  it('is heard by every command that takes documents', async () => {
    await desk.done('init mu.jsonl --mu 9');
    await desk.done('init rho.jsonl --rho 9');
    const mechanisms = [{ ...MECHANISMS.gaussian, kind: 'interactive' }];
    desk.write('said.json', JSON.stringify({ dpcompose: 1, finiteCommunication: false, mechanisms }));
    const before = desk.read('mu.jsonl');
    for (const command of ['check', 'spend', 'reserve', 'record --incurred']) {
      expect(await desk.type(`${command} mu.jsonl said.json`)).toMatchObject({ code: 3 });
      expect(await desk.type(`${command} rho.jsonl said.json`)).toMatchObject({ code: 0 });
    }
    expect(await desk.type('spend rho.jsonl mu.jsonl said.json')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('mu.jsonl: the rule gdp') as string,
    });
    expect(desk.read('mu.jsonl')).toBe(before);
  });

  it('is charged for (e, 0)-DP as nothing finer where its guarantee holds for fixed questions only', async () => {
    const spent = async (file: string, denial: object): Promise<number> => {
      await desk.done(`init ${file} --rule zcdp --rho 9`);
      const mechanisms = [{ type: 'laplace', scale: '1', kind: 'interactive' }];
      desk.write('said.json', JSON.stringify({ dpcompose: 1, ...denial, mechanisms }));
      return (await desk.json<DecisionDocument>('ledger-decision', `spend ${file} said.json`)).after.totals.rho!;
    };
    expect(await spent('fine.jsonl', {})).toBeCloseTo(Math.exp(-1), 12);
    expect(await spent('plain.jsonl', { adaptiveAdversary: false })).toBeCloseTo(Math.tanh(0.5), 12);
  });
});
