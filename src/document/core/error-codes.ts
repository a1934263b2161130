import type { InputErrorCode } from './input-error.ts';

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
    meaning: 'The document to be explained is no answer of compose.',
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
  'malformed-id': { meaning: 'The id of a ledger is blank or too long.', remedy: 'Leave it out for a random one.' },
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
