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
    remedy: 'Correct the JSON at the line and column that are told.',
  },
  'invalid-yaml': {
    meaning: 'The document is not YAML at this place, or uses a part of YAML that is not read.',
    remedy: 'Correct the YAML at the line and column that are told, or write JSON.',
  },
  'invalid-python': {
    meaning: 'The text is no Python that is read at this place: an event of dp_accounting, or a list of numbers.',
    remedy: 'Correct the text at the line and column that are told, or give JSON.',
  },
  'invalid-csv': {
    meaning: 'The table is not CSV at this place.',
    remedy: 'Correct the table at the line and column that are told.',
  },
  'truncated-json': {
    meaning: 'The document ends too early.',
    remedy: 'Write the rest of the document, or close what is open.',
  },
  'too-deep': { meaning: 'Lists and objects are nested beyond any meaning.', remedy: 'Nest less.' },
  'duplicate-key': { meaning: 'A key stands twice in one object or one flag.', remedy: 'Keep one of the two.' },
  'unknown-key': {
    meaning: 'A key that does not exist here.',
    remedy: 'Correct the key or remove it; "dpcompose schema spec" has those that there are.',
  },
  'missing-key': { meaning: 'A key that must be there is not.', remedy: 'Add the key.' },
  'conflicting-keys': { meaning: 'Keys that exclude each other stand together.', remedy: 'Keep one of them.' },
  'two-targets': {
    meaning: 'Both a delta and an epsilon are given as the target.',
    remedy: 'Keep the delta or the epsilon.',
  },
  'no-target': {
    meaning: 'Neither the document nor the command line has a target.',
    remedy: 'Add --delta 1e-6, or "target": {"delta": "1e-6"} to the document.',
  },
  'unknown-type': {
    meaning: 'A mechanism type that does not exist.',
    remedy: 'Write a type that exists; "dpcompose schema spec" has all of them.',
  },
  'unknown-value': { meaning: 'A word that is not one of those allowed here.', remedy: ALLOWED },
  'wrong-type': {
    meaning: 'A value of the wrong kind, such as true for a number.',
    remedy: 'Write a value of the kind that the message names.',
  },
  'not-a-number': { meaning: 'Text that is not a decimal number.', remedy: NUMBER },
  'not-finite': { meaning: 'NaN or an infinity.', remedy: NUMBER },
  'too-many-digits': {
    meaning: 'A number of more than 1000 significant digits.',
    remedy: 'Round it to the side that is safe for you.',
  },
  'out-of-range': { meaning: 'A number outside the allowed range.', remedy: ALLOWED },
  'not-whole': { meaning: 'A number that must be whole is not.', remedy: 'Write a whole number.' },
  'unsupported-version': {
    meaning: 'A version of the format that this program does not read.',
    remedy: 'Write "dpcompose": 1, or read a newer document with a newer program.',
  },
  'empty-list': { meaning: 'A list that must not be empty is.', remedy: 'Write at least one element.' },
  'wrong-sum': {
    meaning: 'Probabilities that do not sum to exactly 1.',
    remedy: 'Correct the probabilities; decimals and quotients such as 1/3 are exact.',
  },
  'unequal-lengths': { meaning: 'Lists that belong together and differ in length.', remedy: 'Make them equally long.' },
  'duplicate-order': {
    meaning: 'An RDP order stands twice in one mechanism.',
    remedy: 'Keep one epsilon for each order.',
  },
  'no-trade-off': {
    meaning: 'Points that lie on no trade-off function.',
    remedy: 'Write the corners of a convex function by ascending alpha, none above 1 - alpha; see the specification.',
  },
  'unknown-name': {
    meaning: 'A name that stands for nothing in this document.',
    remedy: 'Correct the name, or define it.',
  },
  'duplicate-name': { meaning: 'A name that stands for two things.', remedy: 'Rename one of the two.' },
  'not-described': {
    meaning: 'A mechanism of which the design says nothing.',
    remedy: 'Describe it under "submechanisms", or take it out of the plan.',
  },
  'malformed-flag': {
    meaning: 'A -m flag that is not TYPE:key=value,key=value.',
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
    meaning: 'There is no such file, or no file that fits a pattern.',
    remedy: 'Check the path, or give - for standard input.',
  },
  'is-a-directory': { meaning: 'A directory is named in place of a file.', remedy: 'Name a file.' },
  unreadable: { meaning: 'A file cannot be read.', remedy: 'Check its permissions.' },
  'too-large': {
    meaning: 'The input, or one line of it, is larger than this program reads.',
    remedy: 'Join equal mechanisms into one entry with "count", or split the input.',
  },
  'not-an-answer': {
    meaning: 'The document is not the JSON output of `compose`.',
    remedy: 'Give what dpcompose compose --json prints.',
  },
  'unknown-option': { meaning: 'The command has no such option.', remedy: 'See those it has with --help.' },
  'unknown-command': { meaning: 'There is no such command.', remedy: 'See those there are with dpcompose --help.' },
  'invalid-command-line': { meaning: 'The command line cannot be read.', remedy: 'See its form with --help.' },
  'option-missing-argument': { meaning: 'An option stands without its value.', remedy: 'Write the value behind it.' },
  'missing-argument': { meaning: 'An argument that the command needs is not given.', remedy: 'See them with --help.' },
  'excess-arguments': {
    meaning: 'More arguments are given than the command takes.',
    remedy: 'Remove those beyond; text with spaces needs quotes for the shell.',
  },
  'repeated-option': {
    meaning: 'An option that takes one value is given more than once.',
    remedy: 'Keep one of them.',
  },
  'missing-option': { meaning: 'An option that is needed here is not given.', remedy: 'Add the option.' },
  'conflicting-options': {
    meaning: 'Options that exclude each other stand together, or one stands where it has no meaning.',
    remedy: 'Leave one of them out.',
  },
  'malformed-range': {
    meaning: 'A list or a range of numbers is not of the form FROM:TO, FROM:TO:STEP or a list with commas.',
    remedy: 'Write it in one of the forms that --help shows.',
  },
  'too-many-values': { meaning: 'An option has more values than it takes.', remedy: 'Give fewer, or a larger step.' },
  'two-series': { meaning: 'Several options have more than one value.', remedy: 'Keep the values of one of them.' },
  'malformed-anchor': {
    meaning: 'A line of the file of anchors is none.',
    remedy: 'Name the file that "ledger anchor" wrote.',
  },
  'malformed-hash': {
    meaning: 'What should be a hash is none.',
    remedy: 'Write hexadecimal digits in lower case, at least 8; of evidence sha256: and 64 of them.',
  },
  'malformed-id': { meaning: 'The id of a ledger is blank or too long.', remedy: 'Omit it for a random one.' },
  'malformed-time': {
    meaning: 'A text is neither a date nor a date and time with its zone, or no length of time.',
    remedy: 'Write 2026-03-02 or 2026-03-02T09:15Z (for --at also none); of a length of time 30s, 15m, 2h or 1d.',
  },
  'unknown-bound': { meaning: 'A bound that does not exist.', remedy: 'dpcompose theorems lists all of them.' },
  'unknown-rule': {
    meaning: 'A rule of ledgers that does not exist, or is none for this mode.',
    remedy: 'See the rules with dpcompose ledger init --help.',
  },
  'unknown-theorem': {
    meaning: 'Neither a bound, a theorem, a rule of ledgers nor a code has this name.',
    remedy: 'dpcompose theorems lists the theorems; codes are those that --json prints.',
  },
  'not-a-run': {
    meaning: 'The file is not that of a run of lazy run.',
    remedy: 'Name a file that lazy run --init has made.',
  },
  'damaged-run': {
    meaning: 'The file of a run was changed after it was written, or is damaged.',
    remedy: 'Begin a new run; an older copy would answer its rounds again.',
  },
  'run-with-y': {
    meaning: 'The file is that of a run of L2P with y, which earlier versions ran, under another accounting.',
    remedy: 'Begin a new run with lazy run --init; what the old one has answered is paid.',
  },
  'moved-run': {
    meaning: 'The file is a copy of that of a run, which went on in another one.',
    remedy: 'Go on with the original; where it is gone, give --adopt.',
  },
  'run-over': {
    meaning: 'All rounds of a run were taken.',
    remedy: 'Begin a new run for further rounds.',
  },
  'wrong-round': {
    meaning: 'The losses are not those of the round that is next.',
    remedy: 'Give the losses of the next round; with --resume those of rounds that were taken are passed over.',
  },
  'no-sampler': {
    meaning: 'Runs cannot sample what this measure needs with a certain error.',
    remedy: 'Run experts.',
  },
  'unknown-schema': { meaning: 'A JSON Schema that does not exist.', remedy: 'dpcompose schema lists all of them.' },
  'unknown-figure': { meaning: 'A figure that does not exist.', remedy: 'dpcompose figure --help lists all of them.' },
} as const;

/** The stable code of a mistake in options, arguments or files. */
export type OptionErrorCode = keyof typeof OPTION_ERROR_CODES;

/** The stable code of a mistake. */
export type ErrorCode = InputErrorCode | OptionErrorCode;
