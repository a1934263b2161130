import type { SgdQuestion } from '../composition/sgd/sgd.ts';
import { readNumberField } from '../document/core/fields.ts';
import { unknownWord } from '../document/core/validate.ts';
import type { InputError } from '../document/core/specification.ts';
import { parseTargetFlags } from '../document/flags/command-line.ts';
import { requireTarget } from '../document/read-specification.ts';
import { readLength, readTraining, TRAINING } from '../document/training-read.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { TRAINING_SCHEMES } from '../privacy/mechanism.ts';
import type { NumberField } from '../privacy/mechanisms/parameters.ts';
import type { Cells } from './question.ts';

/** What is asked of a training: what it costs; or all that is wrong with what was typed, at the names of the options. */
export function trainingQuestion(cells: Cells): SgdQuestion | { readonly mistakes: readonly InputError[] } {
  const mistakes: InputError[] = [];
  const numberIn = (field: NumberField): Decimal | undefined => {
    const reading = readNumberField(field, cells[field.name] === '' ? undefined : cells[field.name]);
    if ('value' in reading) return reading.value;
    mistakes.push({ ...reading.problem, path: `--${field.name}` });
    return undefined;
  };
  const [examples, batch, epochs] = [TRAINING.examples, TRAINING.batch, TRAINING.epochs].map(numberIn);
  const noise = numberIn(TRAINING.noiseMultiplier);
  const scheme = TRAINING_SCHEMES.find((word) => word === cells.scheme);
  if (scheme === undefined) {
    mistakes.push({ ...unknownWord('scheme', TRAINING_SCHEMES, cells.scheme), path: '--scheme' });
  }
  const { delta, epsilon } = cells;
  const target = parseTargetFlags({
    delta: delta === '' ? undefined : delta,
    epsilon: epsilon === '' ? undefined : epsilon,
  });
  const query = requireTarget({ target: target.value });
  if (target.errors.length > 0) mistakes.push(...target.errors);
  else if ('message' in query) mistakes.push(query);
  const training = readTraining({ examples, batch, scheme }, mistakes);
  const length = training && readLength(training, { epochs }, mistakes);
  if (training === null || length === null || noise === undefined || 'message' in query) return { mistakes };
  return mistakes.length > 0 ? { mistakes } : { kind: 'cost', training, noise, length, query, every: 'usual' };
}
