// The work of a question, as a function that can be called again and again and returns the ends of its answer.
import { decideIn, launchIn } from '../../dist/lib/ledger/file/launch.js';
import { readPresent } from '../../dist/lib/ledger/file/present.js';
import { replayFile } from '../../dist/lib/ledger/file/replay.js';
import { verify } from '../../dist/lib/ledger/file/verify.js';
import { compose } from '../../dist/lib/composition/compose/compose.js';
import { risk } from '../../dist/lib/composition/risk/risk.js';
import { curve } from '../../dist/lib/composition/curve/curve.js';
import { Decimal } from '../../dist/lib/numeric/decimal.js';
import { readSpecification } from '../../dist/lib/document/read-specification.js';
import { specificationFromFlags } from '../../dist/lib/document/flags/specification-from-flags.js';
import { entryOf } from './ledger-file.js';

const NO_ENDS = { lower: null, upper: null };

function done(result, ...kinds) {
  if (!kinds.includes(result.kind)) throw new Error(JSON.stringify(result));
  return result;
}

const LEDGER_CALLS = {
  spend: async (path) => {
    const result = await launchIn(path, { entries: [entryOf(0)] }, { patience: 10, at: null });
    done(done(result, 'appended').value.decision, 'accepted');
  },
  check: (path, deltas) =>
    done(decideIn(done(readPresent(path), 'present'), { entries: [entryOf(0, deltas)] }), 'accepted'),
  replay: (path) => done(replayFile(path), 'replayed'),
  verify: (path) => {
    const { flaws } = done(verify(path), 'verified');
    if (flaws.length > 0) throw new Error(JSON.stringify(flaws));
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

/** The work of a question; what has to be read of it is read already. */
export function callOf(question) {
  const { ledger } = question;
  if (ledger === undefined) return composeCall(question);
  return async () => {
    await LEDGER_CALLS[ledger.command](ledger.path, ledger.deltas);
    return NO_ENDS;
  };
}
