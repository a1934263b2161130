import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { RunLedger } from '../../learning/run/run-state.ts';
import type { Invocation } from '../kit/command.ts';
import { inGroup, parsedOption, PRINTED, switchOption, textOption, wordOption } from '../kit/option.ts';
import { QUIET } from '../kit/shared-options.ts';
import { readWait } from '../ledger/kit/write-options.ts';
import { numberOptions } from './options.ts';

/** Names with commas between them. */
function readNames(text: string, errors: InputError[]): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const fail = (code: 'duplicate-name' | 'unknown-name' | 'out-of-range', message: string): void => {
    errors.push({ code, path: '--names', message, hint: 'For example: --names bandit,greedy,random' });
  };
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (names.includes('')) fail('unknown-name', 'an expert has no name');
  else if (twice !== undefined) fail('duplicate-name', `two experts are called ${quote(twice)}`);
  else if (names.length < 2) fail('out-of-range', 'there must be two experts at least');
  return names;
}

/** Convex losses would need samples from weights on a continuous set. */
function refuseOthers(measure: string, errors: InputError[]): void {
  if (measure === 'experts') return;
  errors.push({
    code: measure === 'convex' ? 'no-sampler' : 'unknown-value',
    path: '--measure',
    message:
      measure === 'convex'
        ? 'weights on convex sets can only be sampled with an error, which no accounting here has a price for'
        : `must be experts, got ${quote(measure)}`,
    hint: 'Run experts: leave --measure out.',
  });
}

const WHAT = 'What is run (--init):';

/** Learners by name; the best one is that with the least proved regret. */
const LEARNERS = ['best', 'l2p', 'perturbed-leader', 'guessing'] as const;
export type Learner = (typeof LEARNERS)[number];

/** What is run. */
const TERMS = {
  ...numberOptions(WHAT, ['rounds', 'largest number of rounds'], 'experts'),
  ...inGroup(WHAT, {
    names: parsedOption('--names <NAMES>', 'names of the experts, separated by commas', readNames),
  }),
  ...numberOptions(
    WHAT,
    ['epsilon', 'budget for which to choose parameters or a cap'],
    ['delta', 'the delta of the guarantee'],
    'batch',
    ['eta', 'the learning rate'],
    'c',
    'cap',
  ),
  ...inGroup(WHAT, {
    learner: wordOption(
      '--learner <NAME>',
      'best (default: smallest proved regret), l2p, perturbed-leader or guessing',
      LEARNERS,
      'Omit it for the learner with the least proved regret.',
    ),
  }),
  ...inGroup(WHAT, { measure: parsedOption('--measure <M>', 'experts, the only one that can be run', refuseOthers) }),
};

/** What is done in place of taking losses. */
const MODES = {
  init: switchOption('--init', 'start a run and create its file'),
  status: switchOption('--status', 'print progress and guarantees'),
  again: switchOption('--again', 'print the answers to the last input again (from --round on)'),
};

/** What a run is, which is settled when it begins. */
const SETTLED = {
  ...TERMS,
  ...inGroup('Budget (--init):', {
    ledger: textOption('--ledger <FILE>', 'ledger to charge before the first round'),
    store: textOption('--store <ADDRESS>', 'location of the ledger (default: current folder)'),
    neighbours: textOption(
      '--neighbours <TEXT>',
      'name of the replace-one relation in its terms (default: replace-one)',
    ),
  }),
  ...inGroup('Simulation (--init):', {
    simulate: switchOption('--simulate', 'use a seeded generator: the run is not private'),
  }),
  ...numberOptions('Simulation (--init):', 'seed'),
};

const TAKEN = {
  ...inGroup('Losses:', {
    losses: textOption('--losses <FILE>', 'file of losses (default: -, standard input)'),
  }),
  ...numberOptions('Losses:', 'round'),
  ...inGroup('Losses:', {
    resume: switchOption('--resume', 'with --round: check and skip rounds already processed'),
  }),
};

/** The options of `lazy run`. */
export const OPTIONS = {
  ...inGroup('Other actions, in place of losses:', MODES),
  ...SETTLED,
  ...TAKEN,
  ...inGroup('File:', {
    wait: parsedOption('--wait <SECONDS>', 'seconds to wait for another process (default: 10)', readWait),
    adopt: switchOption('--adopt', 'continue with a copy, if the original is gone'),
    assumeLocks: switchOption('--assume-locks', 'use a file system whose locks other machines may not see'),
  }),
  ...inGroup(PRINTED, {
    json: switchOption('--json', 'a line of JSON for each answer; one document for --init and --status'),
    quiet: QUIET,
  }),
};

/** A command line about the run in a file. */
export type Running = Invocation<typeof OPTIONS, readonly [file: string]>;

const namesOf = <O extends object>(options: O) => Object.keys(options) as (keyof O)[];

/** What is to be done; mistakes in how options stand together go to `errors`. */
export function modeOf(running: Running): keyof typeof MODES | 'take' {
  const { isTyped, refuse, errors } = running;
  const [mode, ...more] = namesOf(MODES).filter(isTyped);
  refuse(more, `contradicts --${mode}`, 'Give one of them.');
  if (mode !== 'init') refuse(namesOf(SETTLED), 'says what is run, which is settled', 'Give it with --init.');
  const others = namesOf(TAKEN).filter((name) => mode !== 'again' || name !== 'round');
  if (mode !== undefined) refuse(others, `is about losses, and --${mode} takes none`, 'Omit it.');
  else if (isTyped('resume') && !isTyped('round')) {
    errors.push({
      code: 'missing-option',
      path: '--round',
      message: 'of which round the first line is is not given',
      hint: 'For example: --round 1 --resume',
    });
  }
  return mode ?? 'take';
}

export function readLedger(running: Running): RunLedger | null {
  const { ledger, store = null, neighbours = 'replace-one' } = running.flags;
  if (ledger !== undefined) {
    running.refuse(['simulate'], 'a simulation is not paid for', 'Leave out --ledger.');
    return { name: ledger, store, neighbours };
  }
  running.refuse(['store', 'neighbours'], 'belongs to --ledger', 'Give --ledger too, or omit it.');
  return null;
}

/** The seed of a simulation; null for a run that is private. */
export function readSeed(running: Running): number | null {
  const { simulate, seed } = running.flags;
  if (simulate) return seed?.toNumber() ?? 1;
  const hint = 'Give --simulate too, or omit it: a run that is private has no seed.';
  running.refuse(['seed'], `belongs to --simulate`, hint);
  return null;
}
