import type { RiskLimit, RiskVerdict } from '../../composition/risk/limits.ts';
import { exactGivenText, lowerText, upperText } from '../kit/number.ts';
import { excessText } from './excess.ts';

/** `advantage`, `true-positive rate at false-positive rate 0.01`. */
export const limitName = (limit: RiskLimit): string =>
  limit.measure === 'advantage' ? 'advantage' : `true-positive rate at false-positive rate ${exactGivenText(limit.at)}`;

/** `advantage 0.2`, `true-positive rate 0.05 at false-positive rate 0.01`. */
export const limitText = (limit: RiskLimit): string => {
  const most = exactGivenText(limit.most);
  return limit.measure === 'advantage'
    ? `advantage ${most}`
    : `true-positive rate ${most} at false-positive rate ${exactGivenText(limit.at)}`;
};

/** A risk beside its limit, in a clause. */
export function riskText({ limit, kind, value }: RiskVerdict): string {
  const { lower, upper } = value;
  const [name, most] = [limitName(limit), exactGivenText(limit.most)];
  switch (kind) {
    case 'within':
      return `${name} is ${upperText(value)} of ${most}`;
    case 'exceeds':
      // Above its limit by its lower end.
      return `${name} is at least ${lowerText(lower!)}, ${excessText(lower!, limit.most, 'down')} more than ${most}`;
    case 'undecided': {
      const known =
        lower === null ? 'how much smaller it could be is not known' : `it could be as small as ${lowerText(lower)}`;
      return `the claim is ${name} ${upperText(value)}, ${excessText(upper, limit.most, 'up')} more than ${most}; ${known}, so it is not shown to be within`;
    }
  }
}
