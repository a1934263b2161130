import {
  claimedEnd,
  type RiskCurve,
  type RiskLine,
  type RiskMeasure,
} from '../../composition/risk-curve/risk-curve.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { meet } from '../kit/number.ts';
import { counted, printable } from '../kit/prose.ts';

/** How the quantities of a curve are called. */
interface Quantities {
  /** Of one line, and of several. */
  readonly title: readonly [one: string, several: string];
  readonly x: string;
  readonly y: string;
  /** The headings of a table. */
  readonly along: string;
  readonly value: string;
}

/** A test says whether the data are one of two neighbouring sets; delta is a probability, epsilon a logarithm of a ratio. */
export const QUANTITIES: Readonly<Record<RiskMeasure, Quantities>> = {
  tradeoff: {
    title: ['Trade-off function', 'Trade-off functions'],
    x: 'alpha (false-positive rate)',
    y: 'beta (false-negative rate)',
    along: 'alpha',
    value: 'beta',
  },
  profile: {
    title: ['Privacy profile', 'Privacy profiles'],
    x: 'epsilon (nats)',
    y: 'delta (probability)',
    along: 'epsilon',
    value: 'delta',
  },
};

/** The lines that have points. */
export type DrawnLine = Extract<RiskLine, { readonly points: unknown }>;

export const isDrawn = (line: RiskLine): line is DrawnLine => 'points' in line;

/** `Trade-off function of "noise"`; `names` are those of the compositions. */
export function riskCurveHeading({ of }: Pick<RiskCurve, 'of'>, names: readonly string[]): string {
  const [one, several] = QUANTITIES[of].title;
  return names.length === 1
    ? `${one} of ${printable(names[0]!)}`
    : `${several} of ${counted(names.length, 'composition')}`;
}

/** Whether both ends of some value are known, and differ. */
const hasBand = ({ points }: DrawnLine): boolean =>
  points.some(({ lower, upper }) => lower !== null && upper !== null && !meet(lower, upper));

const MEANING: Readonly<Record<RiskMeasure, string>> = {
  tradeoff:
    'Every test whether the data are one of two neighbouring sets, with a false-positive rate of at most alpha, has a false-negative rate of at least beta.',
  profile: 'For every epsilon the results are (epsilon, delta)-differentially private.',
};

const BAND: Readonly<Record<RiskMeasure, string>> = {
  tradeoff: 'A band reaches from the claim up to what a test on some of the mechanisms has, where that can be seen.',
  profile: 'A band reaches from what no claim can go below up to the claim, where that can be seen.',
};

/** The meaning of the bands of a picture, where it has any. */
export const bandNote = ({ of, lines }: RiskCurve): string[] => (lines.filter(isDrawn).some(hasBand) ? [BAND[of]] : []);

/** In sentences: what the lines say, and which are left out and why. */
export function riskCurveNotes({ of, lines }: RiskCurve): string[] {
  const left = lines.flatMap((line) =>
    isDrawn(line) ? [] : [`${printable(line.name)} has no line here: ${inapplicabilityMessage(line.reason)}.`],
  );
  return [MEANING[of], ...left];
}

/** Whether a claim is 0 somewhere, which a logarithmic axis has no place for. */
export const hasZero = ({ of, lines }: RiskCurve): boolean =>
  lines.filter(isDrawn).some(({ points }) => points.some((point) => claimedEnd(of, point) === 0));
