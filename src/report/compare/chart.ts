import type { DesignComparison } from '../../composition/compare/compare.ts';
import type { Chart } from '../chart/chart.ts';
import { listed } from '../kit/prose.ts';
import { riskCurvePanel } from '../risk-curve/chart.ts';
import { compareHeading } from './page.ts';
import { compareNotes, compareStatement } from './words.ts';

/** Both designs as a chart: their profiles, and beside them their trade-off functions. */
export function compareChart(comparison: DesignComparison): Chart {
  const { curves, names } = comparison;
  if (curves === null) throw new Error('the curves of a comparison are computed where it is drawn');
  const statement = compareStatement(comparison);
  return {
    title: compareHeading(comparison),
    description: `Two panels with a line for each of ${listed(names)}: delta over epsilon, and false-negative over false-positive rates. ${statement}`,
    notes: [statement, ...compareNotes(comparison)],
    panels: [
      riskCurvePanel(curves.profile, 'privacy profiles: lower is better'),
      riskCurvePanel(curves.tradeoff, 'trade-off functions: higher is better'),
    ],
  };
}
