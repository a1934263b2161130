const NUMBER = 'Write a decimal number such as 0.1 or 1e-6.';
const ALLOWED = 'Write one of the values that the message allows.';

/** Every code that a mistake in a document can carry, with what it means and what to do about it. Codes are stable; new ones may be added. */
export const INPUT_ERROR_CODES = {
  'not-text': { meaning: 'The input is not UTF-8 text.', remedy: 'Save the document as UTF-8.' },
  'empty-document': {
    meaning: 'The document has no content.',
    remedy: 'Write a document, such as {"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}.',
  },
  'invalid-json': {
    meaning: 'The document is not JSON at this place.',
    remedy: 'Correct the JSON at the line and column in the message.',
  },
  'invalid-yaml': {
    meaning: 'The document is not YAML at this place, or uses a YAML feature that is not supported.',
    remedy: 'Correct the YAML at the line and column in the message, or write JSON.',
  },
  'invalid-python': {
    meaning:
      'The text is not supported Python at this place. Supported are an event of dp_accounting and a list of numbers.',
    remedy: 'Correct the text at the line and column in the message, or give JSON.',
  },
  'invalid-csv': {
    meaning: 'The table is not CSV at this place.',
    remedy: 'Correct the table at the line and column in the message.',
  },
  'truncated-json': {
    meaning: 'The document ends too early.',
    remedy: 'Write the rest of the document, or close the open brackets.',
  },
  'too-deep': { meaning: 'Lists and objects are nested too deeply.', remedy: 'Reduce the nesting.' },
  'duplicate-key': { meaning: 'A key appears twice in one object or one flag.', remedy: 'Keep one of the two.' },
  'unknown-key': {
    meaning: 'The key does not exist here.',
    remedy: 'Correct or remove the key; "dpcompose schema spec" lists the keys.',
  },
  'missing-key': { meaning: 'A required key is missing.', remedy: 'Add the key.' },
  'conflicting-keys': { meaning: 'Keys that exclude each other are used together.', remedy: 'Keep one of them.' },
  'two-targets': {
    meaning: 'Both a delta and an epsilon are given as the target.',
    remedy: 'Keep the delta or the epsilon.',
  },
  'no-target': {
    meaning: 'Neither the document nor the command line has a target.',
    remedy: 'Add --delta 1e-6, or "target": {"delta": "1e-6"} to the document.',
  },
  'unknown-type': {
    meaning: 'The mechanism type does not exist.',
    remedy: 'Use an existing type; "dpcompose schema spec" lists them.',
  },
  'unknown-value': { meaning: 'The word is not one of those allowed here.', remedy: ALLOWED },
  'wrong-type': {
    meaning: 'The value has the wrong type, such as true for a number.',
    remedy: 'Write a value of the type that the message names.',
  },
  'not-a-number': { meaning: 'The text is not a decimal number.', remedy: NUMBER },
  'not-finite': { meaning: 'The number is NaN or infinite.', remedy: NUMBER },
  'too-many-digits': {
    meaning: 'The number has more than 1000 significant digits.',
    remedy: 'Round it to the side that is safe for you.',
  },
  'out-of-range': { meaning: 'The number is outside the allowed range.', remedy: ALLOWED },
  'not-whole': { meaning: 'The number must be whole.', remedy: 'Write a whole number.' },
  'unsupported-version': {
    meaning: 'This version of the format is not supported.',
    remedy: 'Write "dpcompose": 1, or use a newer dpcompose.',
  },
  'empty-list': { meaning: 'The list must not be empty.', remedy: 'Write at least one element.' },
  'wrong-sum': {
    meaning: 'The probabilities do not sum to exactly 1.',
    remedy: 'Correct the probabilities; decimals and quotients such as 1/3 are exact.',
  },
  'unequal-lengths': {
    meaning: 'Lists that belong together have different lengths.',
    remedy: 'Make them equally long.',
  },
  'duplicate-order': {
    meaning: 'An RDP order appears twice in one mechanism.',
    remedy: 'Keep one epsilon for each order.',
  },
  'no-trade-off': {
    meaning: 'The points are not on a trade-off function.',
    remedy: 'Write the corners of a convex function by ascending alpha, none above 1 - alpha; see the specification.',
  },
  'unknown-name': {
    meaning: 'The name is not defined in this document.',
    remedy: 'Correct the name, or define it.',
  },
  'duplicate-name': { meaning: 'The name is defined twice.', remedy: 'Rename one of the two.' },
  'not-described': {
    meaning: 'The design does not describe this mechanism.',
    remedy: 'Describe it under "submechanisms", or take it out of the plan.',
  },
  'malformed-flag': {
    meaning: 'A -m flag does not have the form TYPE:key=value,key=value.',
    remedy: 'Write TYPE:key=value,key=value, in quotes where the shell would read it otherwise.',
  },
} as const;

/** The stable code of a mistake in a document. */
export type InputErrorCode = keyof typeof INPUT_ERROR_CODES;

/** Every code that a mistake in options, arguments and files can carry, with what it means and what to do about it. */
export const OPTION_ERROR_CODES = {
  'no-input': {
    meaning: 'Nothing is given to read, or standard input is a terminal.',
    remedy: 'Give a file, pipe a document to -, or use -m where the command takes it.',
  },
  'no-such-file': {
    meaning: 'The file does not exist, or no file matches the pattern.',
    remedy: 'Check the path, or give - for standard input.',
  },
  'is-a-directory': { meaning: 'The path is a directory, not a file.', remedy: 'Name a file.' },
  unreadable: { meaning: 'A file cannot be read.', remedy: 'Check its permissions.' },
  'too-large': {
    meaning: 'The input, or one line of it, is too large.',
    remedy: 'Join equal mechanisms into one entry with "count", or split the input.',
  },
  'not-an-answer': {
    meaning: 'The document is not the JSON output of `compose`.',
    remedy: 'Give what dpcompose compose --json prints.',
  },
  'unknown-option': { meaning: 'The command has no such option.', remedy: 'To list its options, add --help.' },
  'unknown-command': { meaning: 'There is no such command.', remedy: 'To list the commands, run dpcompose --help.' },
  'invalid-command-line': { meaning: 'The command line cannot be read.', remedy: 'To see its syntax, add --help.' },
  'option-missing-argument': { meaning: 'The option has no value.', remedy: 'Write the value after it.' },
  'missing-argument': { meaning: 'A required argument is missing.', remedy: 'To list the arguments, add --help.' },
  'excess-arguments': {
    meaning: 'More arguments are given than the command takes.',
    remedy: 'Remove the extra ones; text with spaces needs quotes in the shell.',
  },
  'repeated-option': {
    meaning: 'An option that takes one value is given more than once.',
    remedy: 'Keep one of them.',
  },
  'missing-option': { meaning: 'A required option is missing.', remedy: 'Add the option.' },
  'conflicting-options': {
    meaning: 'Options that exclude each other are used together, or an option has no meaning here.',
    remedy: 'Remove one of them.',
  },
  'malformed-range': {
    meaning: 'A list or a range of numbers is not of the form FROM:TO, FROM:TO:STEP or a list with commas.',
    remedy: 'Write it in one of the forms that --help shows.',
  },
  'too-many-values': { meaning: 'An option has more values than it takes.', remedy: 'Give fewer, or a larger step.' },
  'two-series': { meaning: 'Several options have more than one value.', remedy: 'Keep the values of one of them.' },
  'malformed-anchor': {
    meaning: 'A line of the anchor file is not an anchor.',
    remedy: 'Name the file that "ledger anchor" wrote.',
  },
  'malformed-hash': {
    meaning: 'The text is not a hash.',
    remedy: 'Write hexadecimal digits in lower case, at least 8; of evidence sha256: and 64 of them.',
  },
  'malformed-id': { meaning: 'The id of a ledger is blank or too long.', remedy: 'Omit it for a random one.' },
  'malformed-time': {
    meaning: 'The text is not a date, a date and time with a zone, or a duration.',
    remedy: 'Write 2026-03-02 or 2026-03-02T09:15Z (for --at also none), or for a duration 30s, 15m, 2h or 1d.',
  },
  'unknown-bound': { meaning: 'The bound does not exist.', remedy: 'To list the bounds, run dpcompose theorems.' },
  'unknown-rule': {
    meaning: 'The ledger rule does not exist, or does not fit this mode.',
    remedy: 'To list the rules, run dpcompose ledger init --help.',
  },
  'unknown-theorem': {
    meaning: 'No bound, theorem, ledger rule or code has this name.',
    remedy: 'dpcompose theorems lists the theorems; codes are those that --json prints.',
  },
  'not-a-run': {
    meaning: 'The file is not a run of lazy run.',
    remedy: 'Give a file made by lazy run --init.',
  },
  'damaged-run': {
    meaning: 'The run file was changed after it was written, or is damaged.',
    remedy: 'Start a new run; an older copy would answer its rounds again.',
  },
  'run-with-y': {
    meaning: 'The run is of L2P with y, from an earlier version with other accounting.',
    remedy: 'Start a new run with lazy run --init; the privacy loss of the old one stays.',
  },
  'moved-run': {
    meaning: 'The file is a copy of a run that went on in another file.',
    remedy: 'Use the original; if it is lost, add --adopt.',
  },
  'run-over': {
    meaning: 'All rounds of the run are over.',
    remedy: 'Start a new run for further rounds.',
  },
  'wrong-round': {
    meaning: 'The losses are not those of the next round.',
    remedy: 'Give the losses of the next round; --resume skips rounds that are over.',
  },
  'no-sampler': {
    meaning: 'Runs cannot sample from this measure with a certified error.',
    remedy: 'Use a run over experts (ope).',
  },
  'unknown-schema': {
    meaning: 'The JSON Schema does not exist.',
    remedy: 'To list the schemas, run dpcompose schema.',
  },
  'no-port': {
    meaning: 'The port is in use, or may not be used.',
    remedy: 'Give another port, or --port 0 for any free one.',
  },
  'unknown-figure': {
    meaning: 'The figure does not exist.',
    remedy: 'To list the figures, run dpcompose figure --help.',
  },
} as const;

/** The stable code of a mistake in options, arguments or files. */
export type OptionErrorCode = keyof typeof OPTION_ERROR_CODES;

/** The stable code of a mistake. */
export type ErrorCode = InputErrorCode | OptionErrorCode;
