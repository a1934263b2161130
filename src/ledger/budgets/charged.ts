import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { BudgetLine, Budgets } from './budgets.ts';
import { nameFor, unsafeName, unsafePart } from './template.ts';

/** A ledger that a request is charged to, by budgets. */
export interface ChargedLedger {
  readonly name: string;
  readonly line: BudgetLine;
}

/** A value of a key, such as the day whose data a mechanism reads. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

const keysOf = ({ lines }: Budgets): readonly string[] => [
  ...new Set(lines.flatMap(({ name: { key } }) => (key === null ? [] : [key]))),
];

/** The mistakes in the values of keys; `flag`: where they were written. */
function mistakesIn(budgets: Budgets, values: readonly KeyValue[], flag: string): InputError[] {
  const keys = keysOf(budgets);
  const known = keys.length === 0 ? 'The budgets have no keys.' : `The keys are ${keys.join(', ')}.`;
  const ofValues = values.flatMap(({ key, value }, i): InputError[] => {
    if (!keys.includes(key)) {
      return [
        { code: 'unknown-name', path: flag, message: `no line of the budgets has the key ${quote(key)}`, hint: known },
      ];
    }
    if (values.slice(0, i).some((each) => each.key === key && each.value === value)) {
      const message = `${key}=${value} stands twice`;
      return [{ code: 'duplicate-name', path: flag, message, hint: 'Name each once.' }];
    }
    const reason = unsafePart(value);
    if (reason === null) return [];
    const message = `${quote(value)} is no value of ${key}: ${reason}`;
    return [
      {
        code: 'unknown-value',
        path: flag,
        message,
        hint: `Write ${flag} ${key}=NAME, as a name that a file may have.`,
      },
    ];
  });
  const missing = keys
    .filter((key) => !values.some((each) => each.key === key))
    .map((key): InputError => ({
      code: 'missing-option',
      path: flag,
      message: `nothing says for which ${key} it is`,
      hint: `Add ${flag} ${key}=NAME, once for each ${key} that it is charged to.`,
    }));
  return [...ofValues, ...missing];
}

/**
 * The ledgers that a request is charged to: of each line without a key its one, of each other line one for each value of its
 * key. Every key of the budgets needs a value; what is wrong goes to `errors`.
 */
export function chargedLedgers(
  budgets: Budgets,
  values: readonly KeyValue[],
  flag: string,
  errors: InputError[],
): readonly ChargedLedger[] {
  const wrong = mistakesIn(budgets, values, flag);
  errors.push(...wrong);
  if (wrong.length > 0) return [];
  const ledgers = budgets.lines.flatMap((line) =>
    line.name.key === null
      ? [{ name: nameFor(line.name, ''), line }]
      : values
          .filter(({ key }) => key === line.name.key)
          .map(({ value }) => ({ name: nameFor(line.name, value), line })),
  );
  for (const { name } of ledgers) {
    const reason = unsafeName(name);
    if (reason === null) continue;
    const message = `${quote(name)} is no name of a ledger: ${reason}`;
    errors.push({ code: 'unknown-value', path: flag, message, hint: 'Write another value.' });
  }
  return ledgers;
}
