// What is measured. A question is what the command line is given: `mechanisms` are -m flags, `document` is a file,
// `ledger` a command and how many entries its file has, `lazy` a line and the call behind it.
// Targets stand beside the numbers; nothing fails on them.

/** Groups of cases; the last ones take seconds per call and are not run by default. */
export const GROUPS = {
  main: 'everyday sizes',
  scale: 'large sizes',
  slow: 'seconds per call: only with --group slow, --all or --only',
};

/** `size` mechanisms with e_i = 0.001 (or `unit`) times 1 to `distinct`, over and over. */
const heterogeneous = ({ size, distinct = size, unit, delta }) => ({
  dpcompose: 1,
  mechanisms: Array.from({ length: size }, (_, i) => {
    const epsilon = (((i % distinct) + 1) * unit).toFixed(3);
    return { type: 'dp', epsilon, ...(delta === undefined ? {} : { delta }) };
  }),
});

const pureDp = (count, epsilon = '0.1') => ({ mechanisms: [`dp:epsilon=${epsilon},count=${count}`], delta: '1e-6' });

const fixedSelection = (count, target = { delta: '1e-6' }) => ({
  mechanisms: [`exponential:epsilon=0.1,count=${count}`],
  nonadaptive: true,
  bounds: ['br-nonadaptive'],
  ...target,
});

/** So many of a mechanism on Poisson samples. */
const onSamples = (mechanism, rate, count, delta = '1e-5') => ({
  mechanisms: [`${mechanism},sampling=poisson,rate=${rate},count=${count}`],
  delta,
});

/** A command on a ledger of 10^5 entries, no two neighbours the same. */
const atLedger = (command, deltas = 'sum', entries = 100_000) => ({ ledger: { command, entries, deltas } });

/** Commands on a small ledger and on a large one; what is asked of one of them should take as long with both. */
const ledgersOf = (size, group, entries) =>
  ['spend', 'check', 'status', 'verify'].map((command) => ({
    name: `ledger-${size}-${command}`,
    group,
    what: `ledger of ${size.replace('1e', '10^')} entries: ${command}`,
    question: atLedger(command, 'sum', entries),
    ...(command !== 'verify' && { targets: { whole: 3.5 } }),
  }));

/** A question about lazy learners: as it is typed, and as the library is called, with the numbers that are exact. */
const lazy = (words, call, input) => ({ lazy: { words, call, input } });

const BILLION = { rounds: 1e9, exact: { epsilon: '0.1', delta: '1e-12' } };

const only = (bound, question) => ({ ...question, bounds: [bound] });

/** A growth table of so many of one mechanism, by one bound. */
const growing = (name, bound, what, mechanism, from = 10) => ({
  name: `growth-${name}`,
  what,
  sizes: [10, 100, 1000, 1e4, 1e5, 1e6].filter((size) => size >= from),
  at: (k) => only(bound, { mechanisms: [`${mechanism},count=${k}`], delta: '1e-6' }),
});

/** A thousand counts from 1 on, and a thousand deltas from 10^-1 to 10^-15. */
const COUNTS = { along: 'count', values: Array.from({ length: 1000 }, (_, i) => String(i + 1)) };
const DELTAS = {
  along: 'delta',
  values: Array.from({ length: 1000 }, (_, i) => (10 ** (-1 - (14 * i) / 999)).toPrecision(6)),
};

/** The usual risks of mechanisms. */
const risksOf = (...mechanisms) => ({ mechanisms, risk: { falsePositiveRates: ['0.1', '0.01', '0.001'] } });

/** A thousand epsilons from 0.001 to 1. */
const EPSILONS = { along: 'epsilon', values: Array.from({ length: 1000 }, (_, i) => ((i + 1) / 1000).toFixed(3)) };

/** The variances of the first geographic path of the 2020 census, with how many noises have them. */
const CENSUS = [
  ['10000/11', 20],
  ['10000/73', 18],
  ['2500/73', 2],
  ['1000/31', 16],
  ['5000/239', 36],
  ['10000/999', 18],
  ['40000/4547', 16],
  ['250/31', 4],
  ['1250/239', 4],
  ['2500/999', 2],
  ['10000/4547', 4],
];

/**
 * Each case: a unique `name`, its `group`, `what` it is, the `question`, and perhaps `targets`: `whole` (multiples of a
 * bare node), `work` (seconds), `width` (relative width of the enclosure), `memory` (MB).
 */
export const CASES = [
  {
    name: 'dp-100',
    group: 'main',
    what: '100 x (0.1, 0)-DP, delta 1e-6, every bound',
    question: pureDp(100),
    targets: { whole: 1.6 },
  },
  {
    name: 'dp-1000',
    group: 'main',
    what: '1,000 x (0.1, 0)-DP, delta 1e-6, every bound',
    question: pureDp(1000),
    targets: { whole: 1.6 },
  },
  {
    name: 'dp-different-100',
    group: 'main',
    what: 'e_i = 0.01 i, i to 100, delta 1e-6, every bound',
    question: { document: heterogeneous({ size: 100, unit: 0.01 }), delta: '1e-6' },
    targets: { work: 0.3, width: 1e-6 },
  },
  {
    name: 'br-nonadaptive-100',
    group: 'main',
    what: '100 x 0.1-bounded range, nonadaptive, delta 1e-6',
    question: fixedSelection(100),
  },
  {
    name: 'br-nonadaptive-1000',
    group: 'main',
    what: '1,000 x 0.1-bounded range, nonadaptive, delta 1e-6',
    question: fixedSelection(1000),
    targets: { whole: 1.6, work: 0.2 },
  },
  {
    name: 'br-adaptive-100',
    group: 'main',
    what: '100 x 0.1-bounded range, adaptive, delta 1e-6, every bound',
    question: { mechanisms: ['exponential:epsilon=0.1,count=100'], delta: '1e-6' },
    targets: { width: 1e-3, work: 5 },
  },
  {
    name: 'br-adaptive-100-delta',
    group: 'main',
    what: '100 x 0.1-bounded range, adaptive, delta at epsilon 2',
    question: only('br-adaptive', {
      mechanisms: ['exponential:epsilon=0.1,count=100'],
      epsilon: '2',
      tolerance: 1e-3,
    }),
    targets: { width: 1e-3, work: 1 },
  },
  {
    name: 'br-adaptive-different',
    group: 'main',
    what: '50 x 0.1- and 20 x 0.2-bounded range, adaptive in any order, delta 1e-6',
    question: only('br-adaptive', {
      mechanisms: ['exponential:epsilon=0.1,count=50', 'exponential:epsilon=0.2,count=20'],
      delta: '1e-6',
    }),
    targets: { width: 1e-3 },
  },
  {
    name: 'mixed',
    group: 'main',
    what: '50 x 0.1-bounded range with 50 x Laplace noise of scale 20, delta 1e-6',
    question: only('mixed', {
      mechanisms: ['exponential:epsilon=0.1,count=50', 'laplace:scale=20,count=50'],
      delta: '1e-6',
    }),
    targets: { width: 1e-3 },
  },
  {
    name: 'br-mgf-1000',
    group: 'main',
    what: '1,000 x 0.1-bounded range, adaptive, br-mgf and the lower bound',
    question: only('br-mgf', { mechanisms: ['exponential:epsilon=0.1,count=1000'], delta: '1e-6' }),
    targets: { whole: 1.6 },
  },
  {
    name: 'curve-dp-count',
    group: 'main',
    what: 'curve: 1,000 counts of (0.1, 0)-DP, delta 1e-6, every bound',
    question: { ...pureDp(1), curve: COUNTS },
    targets: { work: 2 },
  },
  {
    name: 'curve-dp-delta',
    group: 'main',
    what: 'curve: 1,000 deltas, 100 x (0.1, 0)-DP, every bound',
    question: { ...pureDp(100), curve: DELTAS },
    targets: { work: 2 },
  },
  {
    name: 'curve-br-nonadaptive-count',
    group: 'main',
    what: 'curve: 1,000 counts of 0.1-bounded range, nonadaptive, delta 1e-6, every bound',
    question: { mechanisms: ['exponential:epsilon=0.1'], nonadaptive: true, delta: '1e-6', curve: COUNTS },
    targets: { work: 2 },
  },
  {
    name: 'curve-br-adaptive-delta',
    group: 'main',
    what: 'curve: 1,000 deltas, 100 x 0.1-bounded range, adaptive, every bound',
    question: { mechanisms: ['exponential:epsilon=0.1,count=100'], delta: '1e-6', curve: DELTAS },
    targets: { work: 2 },
  },
  {
    name: 'sampled-gaussian-10000',
    group: 'main',
    what: '10,000 x Gaussian noise of sigma 1.1 on Poisson samples of rate 256/60,000, delta 1e-5, every bound',
    question: onSamples('gaussian:sigma=1.1', '256/60000', 10_000),
    targets: { whole: 1.6, work: 0.005, width: 1e-6 },
  },
  {
    name: 'sampled-gaussian-5',
    group: 'main',
    what: '5 x Gaussian noise of sigma 1 on Poisson samples of rate 0.001, delta 1e-5, every bound',
    question: onSamples('gaussian:sigma=1', '0.001', 5),
    targets: { width: 1e-3 },
  },
  {
    name: 'sampled-high-privacy',
    group: 'main',
    what: '1,000 x Gaussian noise of sigma 4 on Poisson samples of rate 1/3000, delta 1e-6, every bound',
    question: onSamples('gaussian:sigma=4', '1/3000', 1000, '1e-6'),
    targets: { whole: 4, width: 1e-7 },
  },
  {
    name: 'sampled-jumps',
    group: 'main',
    what: '10^6 x Gaussian noise of sigma 0.5 on Poisson samples of rate 10^-6, delta 1e-8, every bound',
    question: onSamples('gaussian:sigma=0.5', '1/1000000', 1_000_000, '1e-8'),
    targets: { whole: 6, width: 1e-6 },
  },
  {
    name: 'sampled-schedule',
    group: 'main',
    what: '200 steps, each of other Gaussian noise, sigma 2 to 1, on Poisson samples of rate 0.01, delta 1e-5, every bound',
    question: {
      mechanisms: Array.from(
        { length: 200 },
        (_, i) => `gaussian:sigma=${(2 - i / 200).toFixed(3)},sampling=poisson,rate=0.01`,
      ),
      delta: '1e-5',
    },
    targets: { width: 1e-6 },
  },
  {
    name: 'sampled-laplace-1000',
    group: 'main',
    what: '1,000 x Laplace noise of scale 1 on Poisson samples of rate 0.01, delta 1e-5, every bound',
    question: onSamples('laplace:scale=1', '0.01', 1000),
    targets: { width: 1e-6 },
  },
  {
    name: 'risk-gaussian',
    group: 'main',
    what: 'risk: Gaussian noise of sigma 1',
    question: risksOf('gaussian:sigma=1'),
    targets: { whole: 1.6, work: 0.005, width: 1e-9 },
  },
  {
    name: 'risk-mixed',
    group: 'main',
    what: 'risk: 20 x (0.1, 0)-DP, 40 x Laplace noise of scale 20, 10 x Gaussian noise of sigma 20',
    question: risksOf('dp:epsilon=0.1,count=20', 'laplace:scale=20,count=40', 'gaussian:sigma=20,count=10'),
    targets: { whole: 1.6, work: 0.02, width: 1e-8 },
  },
  {
    name: 'risk-sampled-gaussian',
    group: 'main',
    what: 'risk: 1,000 x Gaussian noise of sigma 1 on Poisson samples of rate 0.01',
    question: risksOf('gaussian:sigma=1,count=1000,sampling=poisson,rate=0.01'),
    targets: { work: 0.05, width: 1e-6 },
  },
  {
    name: 'risk-exponential-100',
    group: 'main',
    what: 'risk: 100 x 0.1-bounded range, adaptive',
    question: risksOf('exponential:epsilon=0.1,count=100'),
    targets: { work: 2 },
  },
  {
    name: 'dp-10000-tail',
    group: 'scale',
    what: '10,000 x (0.01, 0)-DP, delta 1e-12',
    question: { ...only('dp-optimal', pureDp(10_000, '0.01')), delta: '1e-12' },
    targets: { width: 1e-9 },
  },
  {
    name: 'dp-1e6',
    group: 'scale',
    what: '10^6 x (0.1, 0)-DP, delta 1e-6',
    question: only('dp-optimal', pureDp(1e6)),
    targets: { work: 0.02, width: 1e-9 },
  },
  {
    name: 'dp-1e7',
    group: 'scale',
    what: '10^7 x (0.1, 0)-DP, delta 1e-6',
    question: only('dp-optimal', pureDp(1e7)),
    targets: { width: 1e-9, memory: 300 },
  },
  {
    name: 'dp-different-1000',
    group: 'scale',
    what: 'e_i = 0.001 i, d_i = 1e-10, i to 1,000, delta 1e-6',
    question: only('dp-optimal', {
      document: heterogeneous({ size: 1000, unit: 0.001, delta: '1e-10' }),
      delta: '1e-6',
    }),
    targets: { work: 0.015, width: 1e-6, whole: 1.6, memory: 300 },
  },
  {
    name: 'dp-different-10000',
    group: 'scale',
    what: '10,000 mechanisms of 1,000 different e = 0.001 i, d = 1e-10, delta 1e-6',
    question: only('dp-optimal', {
      document: heterogeneous({ size: 10_000, distinct: 1000, unit: 0.001, delta: '1e-10' }),
      delta: '1e-6',
    }),
    targets: { work: 0.02, width: 1e-6, whole: 1.6, memory: 300 },
  },
  {
    name: 'laplace-1000',
    group: 'scale',
    what: '1,000 x Laplace noise of scale 133.3, delta 1e-6',
    question: only('loss-distribution', { mechanisms: ['laplace:scale=133.3,count=1000'], delta: '1e-6' }),
    targets: { work: 0.01, width: 1e-6, whole: 1.6 },
  },
  {
    name: 'gaussian-1000',
    group: 'scale',
    what: '1,000 x Gaussian noise of sigma 133.6, delta 1e-6, exact',
    question: only('gaussian', { mechanisms: ['gaussian:sigma=133.6,count=1000'], delta: '1e-6' }),
    targets: { width: 1e-9 },
  },
  {
    name: 'gaussian-1000-losses',
    group: 'scale',
    what: '1,000 x Gaussian noise of sigma 133.6, delta 1e-6, by loss distributions',
    question: only('loss-distribution', { mechanisms: ['gaussian:sigma=133.6,count=1000'], delta: '1e-6' }),
    targets: { work: 0.003, width: 1e-9, whole: 1.6 },
  },
  {
    name: 'mixture-1000',
    group: 'scale',
    what: '500 x Laplace noise of scale 133.3 and 500 x Gaussian noise of sigma 133.6, delta 1e-6',
    question: only('loss-distribution', {
      mechanisms: ['laplace:scale=133.3,count=500', 'gaussian:sigma=133.6,count=500'],
      delta: '1e-6',
    }),
    targets: { work: 0.003, width: 1e-6, whole: 1.6 },
  },
  {
    name: 'census',
    group: 'scale',
    what: '140 x discrete Gaussian noise of 11 rational variances (2020 census), delta at epsilon 16.67',
    question: only('loss-distribution', {
      mechanisms: CENSUS.map(([variance, count]) => `discrete-gaussian:variance=${variance},count=${count}`),
      epsilon: '16.671625817753',
      tolerance: 1e-9,
    }),
    targets: { work: 0.05, width: 1e-9, whole: 1.6 },
  },
  {
    name: 'curve-laplace-epsilon',
    group: 'scale',
    what: 'curve: 1,000 epsilons, 1,000 x Laplace noise of scale 133.3',
    question: only('loss-distribution', { mechanisms: ['laplace:scale=133.3,count=1000'], curve: EPSILONS }),
    targets: { work: 0.05 },
  },
  {
    name: 'curve-mixture-epsilon',
    group: 'scale',
    what: 'curve: 1,000 epsilons, 500 x Laplace noise of scale 133.3 and 500 x Gaussian noise of sigma 133.6',
    question: only('loss-distribution', {
      mechanisms: ['laplace:scale=133.3,count=500', 'gaussian:sigma=133.6,count=500'],
      curve: EPSILONS,
    }),
    targets: { work: 0.05 },
  },
  {
    name: 'curve-br-adaptive-count',
    group: 'scale',
    what: 'curve: counts 1 to 200 of 0.1-bounded range, adaptive, delta 1e-6',
    question: only('br-adaptive', {
      mechanisms: ['exponential:epsilon=0.1'],
      delta: '1e-6',
      curve: { ...COUNTS, values: COUNTS.values.slice(0, 200) },
    }),
    targets: {},
  },
  {
    name: 'br-adaptive-10000',
    group: 'scale',
    what: '10,000 x 0.1-bounded range, adaptive, delta 1e-6',
    question: only('br-adaptive', { mechanisms: ['exponential:epsilon=0.1,count=10000'], delta: '1e-6' }),
    targets: { width: 5e-3 },
  },
  {
    name: 'br-adaptive-ten',
    group: 'scale',
    what: '100 each of 0.01 to 0.1-bounded range, adaptive in any order, delta 1e-6',
    question: only('br-adaptive', {
      mechanisms: Array.from({ length: 10 }, (_, i) => `exponential:epsilon=${((i + 1) / 100).toFixed(2)},count=100`),
      delta: '1e-6',
    }),
    targets: { width: 5e-3 },
  },
  {
    name: 'br-nonadaptive-20000-delta',
    group: 'scale',
    what: '20,000 x 0.1-bounded range, nonadaptive, delta at epsilon 60',
    question: fixedSelection(20_000, { epsilon: '60' }),
    targets: { work: 0.04 },
  },
  {
    name: 'br-nonadaptive-1e5',
    group: 'scale',
    what: '10^5 x 0.1-bounded range, nonadaptive, delta 1e-6',
    question: fixedSelection(1e5),
    targets: { work: 0.5 },
  },
  {
    name: 'ledger-spend',
    group: 'scale',
    what: 'ledger of 10^5 entries: spend, durably',
    question: atLedger('spend'),
    targets: { work: 0.2 },
  },
  {
    name: 'ledger-check',
    group: 'scale',
    what: 'ledger of 10^5 entries: check',
    question: atLedger('check'),
    targets: { work: 0.2 },
  },
  {
    name: 'ledger-check-product',
    group: 'scale',
    what: 'ledger of 10^5 entries, whose deltas multiply: check',
    question: atLedger('check', 'product'),
    targets: { work: 0.2 },
  },
  {
    name: 'ledger-replay',
    group: 'scale',
    what: 'ledger of 10^5 entries: replay every decision',
    question: atLedger('replay'),
    targets: { work: 2 },
  },
  {
    name: 'ledger-verify',
    group: 'scale',
    what: 'ledger of 10^5 entries: verify every hash and every decision',
    question: atLedger('verify'),
    targets: { work: 2 },
  },
  {
    name: 'lazy-plan-experts',
    group: 'scale',
    what: 'lazy plan: 10^9 rounds of 10^6 experts, (0.1, 1e-12)',
    question: lazy('plan ope --rounds 1e9 --experts 1e6 --epsilon 0.1 --delta 1e-12', 'experts', {
      ...BILLION,
      experts: 1e6,
    }),
    targets: { work: 2 },
  },
  {
    name: 'lazy-plan-convex',
    group: 'scale',
    what: 'lazy plan: 10^9 rounds of convex losses in dimension 10^6, (0.1, 1e-12)',
    question: lazy('plan oco --rounds 1e9 --dimension 1e6 --epsilon 0.1 --delta 1e-12', 'convex', {
      ...BILLION,
      dimension: 1e6,
      exact: { ...BILLION.exact, lipschitz: '1', diameter: '1' },
    }),
    targets: { work: 2 },
  },
  {
    name: 'lazy-audit',
    group: 'scale',
    what: 'lazy audit: 10^9 rounds in batches of 14, at delta 1e-12',
    question: lazy('audit --rounds 1e9 --batch 14 --eta 3.7e-5 --c 0.0013 --delta 1e-12', 'audit', {
      rounds: 1e9,
      batch: 14,
      exact: { eta: '3.7e-5', switchRate: '0.0013', delta: '1e-12' },
    }),
    targets: { work: 2 },
  },
  {
    name: 'lazy-switches',
    group: 'scale',
    what: 'lazy switches: caps over 10^9 rounds within (1, 1e-6)',
    question: lazy('switches --rounds 1e9 --batch 1 --eta 1e-4 --p 0.01 --epsilon 1 --delta 1e-6', 'switches', {
      rounds: 1e9,
      batch: 1,
      exact: { eta: '1e-4', fakeSwitch: '0.01', epsilon: '1', delta: '1e-6' },
    }),
    targets: { work: 2 },
  },
  ...ledgersOf('1e3', 'scale', 1000),
  ...ledgersOf('1e6', 'slow', 1_000_000),
  {
    name: 'ledger-list-1e5',
    group: 'slow',
    what: '10^5 ledgers in a folder: list them all, with their ends',
    question: { ledger: { command: 'list', entries: 1, copies: 100_000 } },
  },
  {
    name: 'br-nonadaptive-1e6',
    group: 'slow',
    what: '10^6 x 0.1-bounded range, nonadaptive, delta 1e-6',
    question: fixedSelection(1e6),
    targets: { work: 4, memory: 300 },
  },
  {
    name: 'br-adaptive-1000',
    group: 'slow',
    what: '1,000 x 0.1-bounded range, adaptive, delta 1e-6, every bound',
    question: { mechanisms: ['exponential:epsilon=0.1,count=1000'], delta: '1e-6' },
    targets: { width: 1e-3, memory: 300 },
  },
  {
    name: 'br-adaptive-1000-delta',
    group: 'slow',
    what: '1,000 x 0.1-bounded range, adaptive, delta at epsilon 8',
    question: only('br-adaptive', {
      mechanisms: ['exponential:epsilon=0.1,count=1000'],
      epsilon: '8',
      tolerance: 1e-2,
    }),
    targets: { width: 1e-2, work: 20, memory: 300 },
  },
];

/** e = 0.01 + 10^-6 i, count 1 to 200: no two lines ask the same. */
const distinctDp = (i) => ({ type: 'dp', epsilon: (0.01 + i * 1e-6).toFixed(6), count: 1 + (i % 200) });

/** Many lines at once; `target` is lines per second. */
export const BATCHES = [
  {
    name: 'batch-repeated',
    what: '100,000 lines of 1,000 different (e, 0)-DP questions, every bound',
    lines: 1e5,
    mechanism: (i) => ({ type: 'dp', epsilon: ((1 + (i % 50)) / 100).toFixed(2), count: 1 + (i % 20) * 5 }),
    target: 20_000,
  },
  {
    name: 'batch-distinct-optimal',
    what: '100,000 lines of different (e, 0)-DP questions, dp-optimal only',
    lines: 1e5,
    mechanism: distinctDp,
    words: ['--bounds', 'dp-optimal'],
    target: 20_000,
  },
  {
    name: 'batch-distinct',
    what: '100,000 lines of different (e, 0)-DP questions, every bound',
    lines: 1e5,
    mechanism: distinctDp,
    target: 20_000,
  },
  {
    name: 'batch-ranges',
    what: '100,000 lines of 50 different bounded-range questions, adaptive, every bound',
    lines: 1e5,
    mechanism: (i) => ({ type: 'exponential', epsilon: ((1 + (i % 10)) / 20).toFixed(2), count: 1 + (i % 5) }),
    target: 20_000,
  },
  {
    name: 'batch-million',
    what: '1,000,000 lines of 1,000 different (e, 0)-DP questions: memory',
    lines: 1e6,
    mechanism: (i) => ({ type: 'dp', epsilon: ((1 + (i % 50)) / 100).toFixed(2), count: 1 + (i % 20) * 5 }),
    target: 20_000,
  },
];

/** Many who spend from a store at once; `target` is spends per second. */
export const STORES = [
  {
    name: 'postgres-writers',
    what: '50 writers, who each spend from 3 of 20 ledgers at once, drawn anew each time, of a PostgreSQL server on this machine',
    writers: 50,
    ledgers: 20,
    together: 3,
    target: 200,
  },
];

/** How work grows with k at delta 1e-6: one question per size. Sizes above `slowFrom` belong to the slow group. */
export const GROWTH = [
  {
    name: 'growth-dp',
    what: 'k x (0.1, 0)-DP',
    sizes: [100, 1000, 1e4, 1e5, 1e6, 1e7],
    at: (k) => only('dp-optimal', pureDp(k)),
  },
  {
    name: 'growth-dp-different',
    what: 'e_i = 0.001 i, i to k',
    sizes: [50, 100, 200, 400, 800],
    at: (k) => only('dp-optimal', { document: heterogeneous({ size: k, unit: 0.001 }), delta: '1e-6' }),
  },
  {
    name: 'growth-br-nonadaptive',
    what: 'k x 0.1-bounded range, nonadaptive',
    sizes: [100, 1000, 1e4, 1e5, 1e6],
    slowFrom: 1e6,
    at: (k) => fixedSelection(k),
  },
  growing('br-adaptive', 'br-adaptive', 'k x 0.1-bounded range, adaptive', 'exponential:epsilon=0.1', 100),
  growing('gaussian', 'gaussian', 'k x Gaussian noise of sigma 100', 'gaussian:sigma=100'),
  {
    ...growing('laplace', 'loss-distribution', 'k x Laplace noise of scale 133.3', 'laplace:scale=133.3'),
    slowFrom: 1e5,
  },
  growing(
    'sampled',
    'loss-distribution',
    'k x Gaussian noise of sigma 1 on Poisson samples of 1 in 1,000',
    'gaussian:sigma=1,sampling=poisson,rate=0.001',
  ),
  growing('rdp', 'rdp', 'k x Gaussian noise of sigma 100, by Renyi divergences', 'gaussian:sigma=100'),
];
