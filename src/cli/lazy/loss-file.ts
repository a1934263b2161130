import type { ExpertLosses } from '../../lazy/simulate/expert-weights.ts';
import { readDecimal } from '../../document/core/decimal-text.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { decodeText } from '../../document/core/text-input.ts';
import type { Io } from '../kit/io.ts';
import { readSource, sourceName } from '../kit/source.ts';
import { UsageError } from '../kit/usage-error.ts';

const FORM = 'Give a text file with one line for each round, such as 0,1,0.5.';

/** The most mistakes of one file that are reported. */
const MOST_ERRORS = 10;

function readLoss(text: string, path: string, errors: InputError[]): number {
  const value = readDecimal(text.trim());
  if (!('hint' in value) && value.gte(0) && value.lte(1)) return value.toNumber();
  const trouble =
    'hint' in value ? value : { code: 'out-of-range' as const, hint: 'Scale the losses to lie from 0 to 1.' };
  const message = `a loss must be a number from 0 to 1, got ${quote(text.trim())}`;
  errors.push({ code: trouble.code, path, message, hint: trouble.hint });
  return 0;
}

/** The losses of a file, one line for each round with commas between the experts; blank lines do not count. */
export async function readLosses(file: string, flag: string, io: Io): Promise<readonly ExpertLosses[]> {
  const text = decodeText(
    await readSource(file, io, { directory: FORM, large: 'Give fewer rounds, or fewer digits of every loss.' }),
  );
  const fail = (error: Omit<InputError, 'path'>): never => {
    throw new UsageError([{ ...error, path: flag }]);
  };
  if (typeof text !== 'string') return fail({ ...text, hint: FORM });
  const errors: InputError[] = [];
  const rows: { readonly line: number; readonly losses: ExpertLosses }[] = [];
  text.split(/\r?\n/).forEach((row, index) => {
    if (row.trim() === '' || errors.length >= MOST_ERRORS) return;
    const path = `${sourceName(file)}:${index + 1}`;
    rows.push({ line: index + 1, losses: row.split(',').map((loss) => readLoss(loss, path, errors)) });
  });
  const [first] = rows;
  if (first === undefined) {
    const message = `${sourceName(file)} holds no losses`;
    return fail({ code: 'empty-list', message, hint: FORM });
  }
  const experts = first.losses.length;
  if (errors.length === 0 && experts < 2) {
    const message = `${sourceName(file)} has losses of one expert only`;
    return fail({ code: 'out-of-range', message, hint: 'Put commas between the losses of different experts.' });
  }
  const uneven = rows.find(({ losses }) => losses.length !== experts);
  if (uneven !== undefined && errors.length < MOST_ERRORS) {
    errors.push({
      code: 'unequal-lengths',
      path: `${sourceName(file)}:${uneven.line}`,
      message: `this line has ${uneven.losses.length} losses, the first has ${experts}`,
      hint: 'Give every round one loss for each expert.',
    });
  }
  if (errors.length > 0) throw new UsageError(errors);
  return rows.map(({ losses }) => losses);
}
