import { LossReader } from '../../lazy/losses/loss-stream.ts';
import type { JsonLosses, LossMistake, LossText } from '../../lazy/losses/loss-text.ts';
import { readDecimal } from '../../document/core/decimal-text.ts';
import type { Problem } from '../../document/core/input-error.ts';
import { NumberText } from '../../document/core/number-text.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readJson, type JsonValue } from '../../document/syntax/json-read.ts';
import { grouped } from '../../report/kit/prose.ts';
import { sourceName } from '../kit/source.ts';

const FORM = 'Give a text file with one line for each round, such as 0,1,0.5.';
const JSON_FORM = 'Write a line as 0,1,0.5, as [0, 1, 0.5], or as {"a": 0, "b": 1} with the names of the experts.';
/** The hints of the errors for a source of losses that cannot be read. */
export const LOSS_HINTS = { directory: FORM, large: FORM };

/** A value as it is written; what is no number is in a form that is no number either. */
const written = (value: JsonValue): string => (value instanceof NumberText ? value.text : JSON.stringify(value));

function readJsonLosses(text: string): JsonLosses | Problem {
  const { value, mistakes } = readJson(text, 1);
  const [mistake] = mistakes;
  if (mistake !== undefined) return mistake.problem;
  if (Array.isArray(value)) return { names: null, values: value.map(written) };
  if (typeof value !== 'object' || value === null || value instanceof NumberText) {
    return { code: 'wrong-type', message: 'a line of JSON must be an array or an object', hint: JSON_FORM };
  }
  return { names: Object.keys(value), values: Object.values(value).map(written) };
}

const TEXT: LossText<Problem> = {
  number(text) {
    const value = readDecimal(text);
    if (!('hint' in value)) return value.toNumber();
    return { ...value, message: `a loss must be a number from 0 to 1, got ${quote(text)}` };
  },
  json: readJsonLosses,
};

const ONE_EACH = 'Give every round one loss for each expert.';

function problemOf(mistake: LossMistake<Problem>): Problem {
  switch (mistake.kind) {
    case 'loss': {
      const message = `a loss must be a number from 0 to 1, got ${quote(mistake.text)}`;
      return mistake.trouble ?? { code: 'out-of-range', message, hint: 'Scale the losses to lie from 0 to 1.' };
    }
    case 'json':
      return { ...mistake.trouble, hint: mistake.trouble.hint === '' ? JSON_FORM : mistake.trouble.hint };
    case 'uneven': {
      const message = `this line has ${grouped(mistake.found)} losses, the first has ${grouped(mistake.experts)}`;
      return { code: 'unequal-lengths', message, hint: ONE_EACH };
    }
    case 'unknown-name':
      return { code: 'unknown-name', message: `there is no expert ${quote(mistake.name)}`, hint: ONE_EACH };
    case 'missing-name':
      return { code: 'missing-key', message: `expert ${quote(mistake.name)} has no loss here`, hint: ONE_EACH };
    case 'repeated-name': {
      const message = `two experts are called ${quote(mistake.name)}`;
      return { code: 'duplicate-name', message, hint: 'Give every expert a name of its own.' };
    }
    case 'empty-name':
      return { code: 'unknown-name', message: 'an expert has no name', hint: 'Name all experts, or none.' };
    case 'long-line': {
      const message = `this line is longer than ${grouped(mistake.longest)} bytes`;
      return { code: 'out-of-range', message, hint: 'Give one line for each round.' };
    }
    case 'one-expert': {
      const hint = 'Put commas between the losses of different experts.';
      return { code: 'out-of-range', message: 'this line has losses of one expert only', hint };
    }
    case 'not-text':
      return { code: 'not-text', message: 'this line holds bytes that UTF-8 does not have', hint: FORM };
  }
}

/** A reader of losses as this program writes numbers. */
export const lossReader = (names?: readonly string[] | null): LossReader<Problem> => new LossReader(TEXT, names);

/** What is wrong with a source of losses, each mistake with its line: `losses.csv:12`. */
export const lossErrors = (file: string, mistakes: readonly LossMistake<Problem>[]): InputError[] =>
  mistakes.map((mistake) => ({ path: `${sourceName(file)}:${mistake.line}`, ...problemOf(mistake) }));
