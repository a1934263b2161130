// The work of a question, as a function that can be called again and again and returns the ends of its answer.
import { basename, dirname } from 'node:path';
import { entryOf } from './ledger-file.js';
import library from './library.js';

const {
  fileStore,
  foldOf,
  decideIn,
  spendIn,
  readPresent,
  replayOf,
  verify,
  compose,
  risk,
  curve,
  ITEMS,
  Decimal,
  readSpecification,
  specificationFromFlags,
  exactAccounting,
  guaranteesOf,
  switches,
  planForConvex,
  planForExperts,
} = library;

const NO_ENDS = { lower: null, upper: null };

function done(result, ...kinds) {
  if (!kinds.includes(result.kind)) throw new Error(JSON.stringify(result));
  return result;
}

const OPTIONS = { patience: 10 };

const present = async (store, name) => done(await readPresent(store, name), 'present');

const LEDGER_CALLS = {
  spend: async ({ store, name, deltas }) => {
    const result = await spendIn(store, [name], { entries: [entryOf(0, deltas)] }, OPTIONS);
    done(done(result, 'transacted').value[0].decision, 'accepted');
  },
  check: async ({ store, name, deltas }) => {
    const now = new Date().toISOString();
    done(decideIn(await present(store, name), { entries: [entryOf(0, deltas)] }, now), 'accepted');
  },
  status: async ({ store, name }) => done(await foldOf(store, name, ITEMS), 'folded'),
  replay: async ({ store, name }) => done(await replayOf(store, name), 'replayed'),
  verify: async ({ store, name }) => {
    const { flaws } = done(await verify(store, name), 'verified');
    if (flaws.length > 0) throw new Error(JSON.stringify(flaws));
  },
  list: async ({ store, copies }) => {
    let count = 0;
    for await (const some of await store.list()) count += some.length;
    if (count !== copies) throw new Error(`${count} of ${copies} ledgers are listed`);
  },
};

/** A curve along counts of the first mechanism, deltas or epsilons; its ends are those of the widest enclosure. */
function curveCall(specification, { along, values }, options) {
  const points = {
    problem: specification,
    along: along === 'count' ? { name: 'count', entry: specification.entries[0] } : { name: along },
    values: values.map((value) => new Decimal(value)).sort((a, b) => a.comparedTo(b)),
    solveFor: along === 'epsilon' ? 'delta' : 'epsilon',
    given: along === 'count' ? specification.target.delta : null,
  };
  const width = ({ lower, upper }) => (upper - lower) / upper;
  return () => {
    const outcome = curve(points, options);
    if (outcome.kind === 'refusal') throw new Error(JSON.stringify(outcome));
    const found = outcome.curve.lines.flatMap((line) => line.points.map(({ value }) => value));
    return found.reduce((most, value) => (width(value) > width(most) ? value : most));
  };
}

/** The usual risks; its ends are those of the widest true-positive rate. */
function riskCall(specification, { falsePositiveRates }, options) {
  const rates = falsePositiveRates.map((rate) => new Decimal(rate));
  const question = { priors: [new Decimal('0.5')], falsePositiveRates: rates, baselines: [], divergences: [] };
  const width = ({ lower, upper }) => (upper - lower) / upper;
  return () => {
    const found = done(risk(specification, question, options), 'risk').risk.tests.map((test) => test.truePositiveRate);
    return found.reduce((most, value) => (width(value) > width(most) ? value : most));
  };
}

function composeCall({ document, mechanisms, delta, epsilon, nonadaptive, bounds, tolerance, curve: asked, risk }) {
  const flags = { mechanisms, delta, epsilon, nonadaptive };
  const read =
    document === undefined ? specificationFromFlags(flags) : readSpecification(JSON.stringify(document), flags);
  const { specification } = done(read, 'specification');
  const options = { ...(bounds && { bounds }), ...(tolerance && { tolerance }) };
  if (asked !== undefined) return curveCall(specification, asked, options);
  if (risk !== undefined) return riskCall(specification, risk, options);
  return () => {
    const outcome = compose(specification, specification.target, options);
    const { answer } = done(outcome, 'answer');
    return answer[answer.query.solveFor];
  };
}

const numbers = (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, new Decimal(value)]));

const withNumbers = ({ exact, ...rest }) => ({ ...rest, ...numbers(exact) });

const MULTIPLICATIVE = { type: 'multiplicative-weights' };

const LAZY_CALLS = {
  experts: (problem) => planForExperts({ problem: 'ope', ...problem }),
  convex: (problem) => planForConvex({ problem: 'oco', ...problem }),
  audit: ({ delta, ...setting }) =>
    guaranteesOf(MULTIPLICATIVE, setting.eta).map((each) =>
      exactAccounting(setting, MULTIPLICATIVE, each, 'upper').epsilon(delta),
    ),
  switches: ({ epsilon, delta, ...setting }) =>
    switches({ setting, measure: MULTIPLICATIVE, beyond: [], budget: { epsilon, delta } }),
};

function lazyCall({ call, input }) {
  return () => {
    LAZY_CALLS[call](withNumbers(input));
    return NO_ENDS;
  };
}

/** The work of a question; what has to be read of it is read already. */
export function callOf(question) {
  const { ledger, lazy } = question;
  if (lazy !== undefined) return lazyCall(lazy);
  if (ledger === undefined) return composeCall(question);
  const store = fileStore(dirname(ledger.path));
  return async () => {
    await LEDGER_CALLS[ledger.command]({ ...ledger, store, name: basename(ledger.path) });
    return NO_ENDS;
  };
}
