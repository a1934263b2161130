import type { LedgerGuarantee } from '../../ledger/core/guarantee.ts';
import type { Placed } from '../../ledger/journal/rollup.ts';
import { loss } from '../../ledger/loss.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { NumberText } from '../../document/core/number-text.ts';
import { jsonRounded, type Side } from '../kit/json-value.ts';
import { exceededIn } from './exceeded.ts';
import { shareOf } from './shares.ts';
import { stateOf } from './standing-rows.ts';

type Labels = Readonly<Record<string, string>>;

/** A value with its labels. */
interface Sample {
  readonly labels: Labels;
  readonly value: string;
}

/** A metric with what it says and all its values. */
interface Family {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A label value in the text format: backslash, line feed and quotation mark are written as two characters. */
const labelValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labelled = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(',');

/** A decimal as a double on the side on which what is said stays true. */
function rounded(value: Decimal, side: Side): string {
  const exact = jsonRounded(value, side);
  const number = exact instanceof NumberText ? exact.text : JSON.stringify(exact).replaceAll('"', '');
  return number === 'Infinity' ? '+Inf' : number;
}

const written = ({ name, type, help, samples }: Family): string =>
  samples.length === 0
    ? ''
    : [
        `# HELP dpcompose_ledger_${name} ${help}`,
        `# TYPE dpcompose_ledger_${name} ${type}`,
        ...samples.map(({ labels, value }) => `dpcompose_ledger_${name}{${labelled(labels)}} ${value}`),
        '',
      ].join('\n');

/** The numbers of a guarantee, by their names. */
function amountsOf(guarantee: LedgerGuarantee): readonly { name: string; value: Decimal; labels?: Labels }[] {
  const { type } = guarantee;
  switch (type) {
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
      return guarantee.orders.map(({ alpha, epsilon }) => ({
        name: 'renyi_epsilon',
        value: epsilon,
        labels: { order: alpha.toString() },
      }));
    case 'approximate-rdp':
      return [
        { name: 'renyi_epsilon', value: guarantee.epsilon, labels: { order: guarantee.alpha.toString() } },
        { name: 'delta', value: guarantee.delta },
      ];
    case 'gdp':
      return [{ name: 'mu', value: guarantee.mu }];
  }
}

const AMOUNTS = {
  epsilon: 'epsilon',
  delta: 'delta',
  rho: 'rho of zero-concentrated DP',
  renyi_epsilon: 'Renyi epsilon',
  mu: 'mu of Gaussian DP',
} as const;

/** Where ledgers stand, in the text exposition format of Prometheus, version 0.0.4. */
export function prometheusText(placed: readonly Placed[]): string {
  const ledgers = placed.flatMap(({ stand }) =>
    stand.kind === 'stands' ? [{ ...stand.present, ledger: stand.name, stand }] : [],
  );
  const each = (valueOf: (ledger: (typeof ledgers)[number]) => string | null): Sample[] =>
    ledgers.flatMap((ledger) => {
      const value = valueOf(ledger);
      return value === null ? [] : [{ labels: { ledger: ledger.ledger }, value }];
    });
  const flag = (is: boolean): string => (is ? '1' : '0');
  const amounts = (of: 'spent' | 'budget') =>
    Object.entries(AMOUNTS).map(([name, what]): Family => ({
      name: `${name}_${of}`,
      type: 'gauge',
      help: of === 'spent' ? `The loss so far: ${what}, rounded up.` : `What the ledger guarantees: ${what}.`,
      samples: ledgers.flatMap(({ ledger, state }) => {
        if (state.terms.mode === 'compositor' && of === 'spent') return [];
        const guarantee = of === 'spent' ? loss(state).spent : state.rule.guarantee;
        return (guarantee === null ? [] : amountsOf(guarantee))
          .filter((amount) => amount.name === name)
          .map(({ value, labels }) => ({ labels: { ledger, ...labels }, value: rounded(value, 'up') }));
      }),
    }));
  const families: readonly Family[] = [
    {
      name: 'readable',
      type: 'gauge',
      help: 'Whether the ends of the ledger could be read.',
      samples: placed.map(({ stand }) => ({
        labels: { ledger: stand.name },
        value: flag(stand.kind === 'stands'),
      })),
    },
    {
      name: 'info',
      type: 'gauge',
      help: 'The id of the ledger, and the rule and the mode that were fixed when it was made.',
      samples: ledgers.map(({ ledger, header: { id, terms } }) => ({
        labels: { ledger, id, mode: terms.mode, rule: terms.mode === 'compositor' ? terms.bound : terms.rule.id },
        value: '1',
      })),
    },
    {
      name: 'spent_ratio',
      type: 'gauge',
      help: 'The share of each total that is used, in the unit in which mechanisms add to it, from 0 to 1, rounded up.',
      samples: ledgers.flatMap(({ ledger, state }) =>
        shareOf(state).map(({ name, share }) => ({ labels: { ledger, coordinate: name }, value: String(share) })),
      ),
    },
    ...amounts('spent'),
    ...amounts('budget'),
    { name: 'records_total', type: 'counter', help: 'Records.', samples: each(({ records }) => String(records)) },
    {
      name: 'mechanisms_total',
      type: 'counter',
      help: 'Mechanisms that were launched.',
      samples: each(({ state }) => String(state.launched)),
    },
    {
      name: 'halted',
      type: 'gauge',
      help: 'Whether the ledger has ended by a request that did not fit.',
      samples: each(({ state }) => flag(state.halted !== null)),
    },
    {
      name: 'exceeded',
      type: 'gauge',
      help: 'Whether more was counted than the budget allows, which then guarantees nothing.',
      samples: each(({ state }) => flag(exceededIn(state).length > 0)),
    },
    {
      name: 'gone_on',
      type: 'gauge',
      help: 'Whether the ledger goes on elsewhere: it was converted, or moved.',
      samples: each(({ stand }) => flag(['converted', 'moved'].includes(stateOf(stand)))),
    },
    {
      name: 'last_record_timestamp_seconds',
      type: 'gauge',
      help: 'The time that was noted with the last record, in seconds since 1970.',
      samples: each(({ at }) => {
        const time = at === null ? Number.NaN : Date.parse(at);
        return Number.isNaN(time) ? null : String(time / 1000);
      }),
    },
  ];
  return families.map(written).join('');
}
