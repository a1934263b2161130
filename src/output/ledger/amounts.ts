import type { Decimal } from '../../numeric/decimal.ts';
import type { LedgerGuarantee } from '../../ledger/rules/rule.ts';
import type { ApproximateDp, Entry } from '../../privacy/mechanism.ts';
import type { Side } from '../kit/json-value.ts';
import { decimalText, givenText } from '../kit/number.ts';
import { listed, grouped } from '../kit/prose.ts';
import { entryForm } from '../../document/structure/normal-form.ts';
import { flatSampling } from '../../document/mechanism/sampling.ts';
import type { NormalValue } from '../../document/core/exact-value.ts';
import { shorten } from '../../document/core/quote.ts';

/** A number of a guarantee. */
interface Amount {
  readonly name: string;
  readonly value: Decimal;
  /** The words after the number. */
  readonly where?: string;
}

const renyi = (alpha: Decimal, epsilon: Decimal): Amount => ({
  name: 'Renyi epsilon',
  value: epsilon,
  where: ` at order ${givenText(alpha)}`,
});

/** The numbers of a guarantee, with their names. */
function amountsOf(guarantee: LedgerGuarantee): readonly Amount[] {
  switch (guarantee.type) {
    case 'dp':
      return [
        { name: 'epsilon', value: guarantee.epsilon },
        { name: 'delta', value: guarantee.delta },
      ];
    case 'zcdp':
      return [{ name: 'rho', value: guarantee.rho }];
    case 'approximate-zcdp':
      return [
        { name: 'rho', value: guarantee.rho },
        { name: 'delta', value: guarantee.delta },
      ];
    case 'rdp':
      return guarantee.orders.map(({ alpha, epsilon }) => renyi(alpha, epsilon));
    case 'approximate-rdp':
      return [renyi(guarantee.alpha, guarantee.epsilon), { name: 'delta', value: guarantee.delta }];
    case 'gdp':
      return [{ name: 'mu', value: guarantee.mu }];
  }
}

/** The names of the numbers of a guarantee that may be above 0. */
export const amountNames = (guarantee: LedgerGuarantee): readonly string[] =>
  amountsOf(guarantee)
    .filter(isTold)
    .map(({ name }) => name);

const isTold = ({ name, value }: Amount): boolean => name !== 'delta' || !value.isZero();

const amountText = ({ name, value, where = '' }: Amount, side: Side, limit?: Amount): string => {
  const of = limit === undefined ? '' : ` of ${decimalText(limit.value, 'down')}`;
  return `${name} ${decimalText(value, side)}${of}${where}`;
};

/** `epsilon 0.5 and delta 1e-6`; a delta of 0 goes without saying. */
export const guaranteeText = (guarantee: LedgerGuarantee, side: Side): string =>
  listed(
    amountsOf(guarantee)
      .filter(isTold)
      .map((amount) => amountText(amount, side)),
  );

const isSameDelta = (spent: ApproximateDp, guarantee: LedgerGuarantee): boolean =>
  guarantee.type === 'dp' && guarantee.delta.eq(spent.delta);

/** `epsilon 0.5 of 1 and delta 1e-7 of 1e-6`, or `epsilon 0.5 of 1 at delta 1e-6`: what was spent of a guarantee. */
export function spentText(spent: LedgerGuarantee, guarantee: LedgerGuarantee | null): string {
  const limits = guarantee === null ? [] : amountsOf(guarantee);
  if (spent.type === 'dp' && !spent.delta.isZero() && (guarantee === null || isSameDelta(spent, guarantee))) {
    const where = ` at delta ${decimalText(spent.delta, 'up')}`;
    return amountText({ name: 'epsilon', value: spent.epsilon, where }, 'up', limits[0]);
  }
  const parts = amountsOf(spent).flatMap((amount, i) =>
    isTold(amount) || limits[i]?.value.isZero() === false ? [amountText(amount, 'up', limits[i])] : [],
  );
  return listed(parts);
}

/** `The total would be epsilon 1.2; the budget is 1, at delta 1e-6.`: a loss that is more than its guarantee allows. */
export function excessText(spent: LedgerGuarantee, guarantee: LedgerGuarantee): string {
  if (spent.type === 'dp' && guarantee.type === 'dp' && isSameDelta(spent, guarantee)) {
    const [total, most] = [decimalText(spent.epsilon, 'up'), decimalText(guarantee.epsilon, 'down')];
    const at = spent.delta.isZero() ? '' : `, at delta ${decimalText(spent.delta, 'up')}`;
    return `The total would be epsilon ${total}; the budget is ${most}${at}.`;
  }
  return `The total would be ${guaranteeText(spent, 'up')}; the budget is ${guaranteeText(guarantee, 'down')}.`;
}

/** `(0.5, 1e-6)-DP`, `0.02-zCDP`: a guarantee as it is claimed. */
export function claimText(guarantee: LedgerGuarantee): string {
  const up = (value: Decimal): string => decimalText(value, 'up');
  switch (guarantee.type) {
    case 'dp': {
      return `(${up(guarantee.epsilon)}, ${up(guarantee.delta)})-DP`;
    }
    case 'zcdp':
      return `${up(guarantee.rho)}-zCDP`;
    case 'approximate-zcdp':
      return `${up(guarantee.delta)}-approximate ${up(guarantee.rho)}-zCDP`;
    case 'rdp':
      return listed(guarantee.orders.map(({ alpha, epsilon }) => `(${givenText(alpha)}, ${up(epsilon)})-Renyi DP`));
    case 'approximate-rdp':
      return `${up(guarantee.delta)}-approximate (${givenText(guarantee.alpha)}, ${up(guarantee.epsilon)})-Renyi DP`;
    case 'gdp':
      return `${up(guarantee.mu)}-Gaussian DP`;
  }
}

const NOT_PARAMETERS = ['type', 'count', 'kind', 'label'];

const isList = (value: NormalValue): value is readonly NormalValue[] => Array.isArray(value);
const listText = (value: NormalValue, separator: string, inner: (item: NormalValue) => string): string =>
  isList(value) ? value.map(inner).join(separator) : typeof value === 'object' ? JSON.stringify(value) : String(value);
const valueText = (value: NormalValue): string => listText(value, ';', (pair) => listText(pair, ':', String));

/** The type of an entry's mechanism as -m writes it. */
export const typeText = (entry: Entry): string => entryForm(entry).type as string;

/** The parameters of an entry as -m writes them: `epsilon=0.1,delta=0`. */
export function parametersText(entry: Entry): string {
  const parameters = Object.entries(flatSampling(entryForm(entry))).filter(
    ([key, value]) => !NOT_PARAMETERS.includes(key) && !(key === 'delta' && value === '0'),
  );
  return parameters.map(([key, value]) => `${key}=${valueText(value)}`).join(',');
}

/** `40 x dp:epsilon=0.1`, cut short where it is long. */
export function entryText(entry: Entry): string {
  const times = entry.count === 1 ? '' : `${grouped(entry.count)} x `;
  const kind = entry.kind === 'noninteractive' ? '' : `,kind=${entry.kind}`;
  return `${times}${shorten(`${typeText(entry)}:${parametersText(entry)}${kind}`)}`;
}
