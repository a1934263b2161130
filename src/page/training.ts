import type { SgdQuestion } from '../composition/sgd/sgd.ts';
import { readNumberField } from '../document/core/fields.ts';
import { unknownWord } from '../document/core/validate.ts';
import type { InputError } from '../document/core/specification.ts';
import { parseTargetFlags } from '../document/flags/command-line.ts';
import { requireTarget } from '../document/read-specification.ts';
import { besideBudget, readLength, readTraining, TRAINING } from '../document/training-read.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { TRAINING_SCHEMES } from '../privacy/mechanism.ts';
import type { NumberField } from '../privacy/mechanisms/parameters.ts';
import type { Cells } from './question.ts';

/**
 * What is asked of a training: what it costs; for a target epsilon, the noise or the length that is not typed; or all that is
 * wrong with what was typed, at the names of the options.
 */
export function trainingQuestion(cells: Cells): SgdQuestion | { readonly mistakes: readonly InputError[] } {
  const mistakes: InputError[] = [];
  const isTyped = (name: string): boolean => (cells[name] ?? '') !== '';
  const numberIn = (field: NumberField, isNeeded = true): Decimal | undefined => {
    if (!isNeeded && !isTyped(field.name)) return undefined;
    const reading = readNumberField(field, isTyped(field.name) ? cells[field.name] : undefined);
    if ('value' in reading) return reading.value;
    mistakes.push({ ...reading.problem, path: `--${field.name}` });
    return undefined;
  };
  const isSearch = isTyped('target-epsilon');
  const [examples, batch] = [TRAINING.examples, TRAINING.batch].map((field) => numberIn(field));
  const recordsPerPerson = numberIn(TRAINING.recordsPerPerson, false);
  const epochs = numberIn(TRAINING.epochs, !isSearch);
  const noise = numberIn(TRAINING.noiseMultiplier, !isSearch || !isTyped('epochs'));
  const targetEpsilon = numberIn(TRAINING.targetEpsilon, false);
  const scheme = TRAINING_SCHEMES.find((word) => word === cells.scheme);
  if (scheme === undefined) {
    mistakes.push({ ...unknownWord('scheme', TRAINING_SCHEMES, cells.scheme), path: '--scheme' });
  }
  const [delta, epsilon] = ['delta', 'epsilon'].map((name) => (isTyped(name) ? cells[name] : undefined));
  const target = parseTargetFlags({ delta, epsilon });
  const query = requireTarget({ target: target.value });
  if (target.errors.length > 0) mistakes.push(...target.errors);
  else if ('message' in query) mistakes.push(query);
  if (isSearch) {
    const lengthAndNoise = isTyped('epochs') && isTyped('noise-multiplier');
    mistakes.push(...besideBudget('--target-epsilon', { epsilon: isTyped('epsilon'), lengthAndNoise }));
  }
  const training = readTraining({ examples, batch, scheme, recordsPerPerson }, mistakes);
  const length = training && readLength(training, { epochs }, mistakes);
  if (mistakes.length > 0 || training === null || 'message' in query) return { mistakes };
  if (targetEpsilon === undefined) {
    return noise === undefined || length === null
      ? { mistakes }
      : { kind: 'cost', training, noise, length, query, every: 'usual' };
  }
  if (query.solveFor !== 'epsilon') return { mistakes };
  const asked = { training, budget: { epsilon: targetEpsilon, delta: query.delta }, every: null };
  if (length !== null) return { kind: 'noise', length, ...asked };
  return noise === undefined ? { mistakes } : { kind: 'steps', noise, ...asked };
}
