import { Command, Option } from 'commander';
import type { VerifyQuestion } from '../../composition/attack/verify/question.ts';
import { grouped } from '../../report/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import type { DocumentFlags } from '../kit/document-options.ts';
import { EXIT } from '../kit/exit.ts';
import type { Io } from '../kit/io.ts';
import { offering } from '../kit/offered-values.ts';
import { SHARED } from '../kit/shared-options.ts';
import { nothingToRead, readGiven, sourceName } from '../kit/source.ts';
import { readSyntaxName, syntaxNamed, syntaxNameOf } from '../kit/syntax.ts';
import { UsageError } from '../kit/usage-error.ts';
import { readVerifyOptions, type VerifyFlags } from './verify-options.ts';
import { commandOf } from '../kit/command.ts';
import type { VerifyAnswer } from '../../composition/attack/verify/verify.ts';

interface Flags extends VerifyFlags, DocumentFlags {
  readonly example?: string;
  readonly spec?: boolean;
}

const EXAMPLES = `
FILE is a JSON or YAML document with a section "verify": a mechanism by its transitions,
and a verification function by the pairs of messages that it allows. Its JSON
Schema is that of dpcompose schema verify; the examples are such documents:
  m-delta      a gate that opens with probability 1/10 (Thm 5.2)
  universal    reveals all that an (epsilon, delta)-DP mechanism may
  asymmetric   pairs may differ in one direction only
  interactive  the first pair decides whether later ones may differ
  reduction    one answer
  oblivious    private only where all messages are fixed in advance

Examples:
  dpcompose attack verify --example universal --copies 2 --sparsity 2
  dpcompose attack verify --example m-delta --factor 1,3/2,10
  dpcompose attack verify --example m-delta --spec > mine.json
  dpcompose attack verify mine.json
  dpcompose attack verify mine.json --set verify.guarantee.delta=1/5`;

/** A question, its source and, for an example, the fact that it shows. */
interface Loaded {
  readonly question: VerifyQuestion;
  readonly source: string;
  readonly shows: string | null;
}

async function example(name: string, flags: VerifyFlags, errors: InputError[]): Promise<Loaded | null> {
  const { VERIFY_EXAMPLES } = await import('../../composition/attack/verify/examples/all.ts');
  const found = VERIFY_EXAMPLES.get(name);
  const overrides = readVerifyOptions(flags, errors);
  if (found === undefined) {
    const names = [...VERIFY_EXAMPLES.keys()];
    const message = `there is no example ${quote(name)}`;
    const hint = `${didYouMean(name, names)}The examples are ${names.join(', ')}.`;
    errors.push({ code: 'unknown-value', path: '--example', message, hint });
    return null;
  }
  const { overridden } = await import('../../document/verification/read-verification.ts');
  return { question: overridden(found.question, overrides), source: '--example', shows: found.shows };
}

async function document(source: string | undefined, flags: Flags, errors: InputError[], io: Io): Promise<Loaded> {
  const overrides = readVerifyOptions(flags, errors);
  const asked = readSyntaxName(flags, errors);
  const given = await readGiven(source, io);
  if (given === null) {
    const hint = 'Give a file, pipe a document in, or take --example m-delta.';
    throw new UsageError([...errors, nothingToRead(source, 'FILE', 'verify', hint)]);
  }
  const { readVerification } = await import('../../document/verification/read-verification.ts');
  const syntax = await syntaxNamed(await syntaxNameOf(given, asked));
  const reading = readVerification(given.input, overrides, { syntax, set: flags.set });
  if (reading.kind === 'errors') {
    throw new UsageError([...errors, ...reading.errors], { source: given.source, more: reading.more });
  }
  return { question: reading.question, source: sourceName(given.source), shows: null };
}

async function load(source: string | undefined, flags: Flags, errors: InputError[], io: Io): Promise<Loaded | null> {
  if (flags.example !== undefined) {
    if (source !== undefined) {
      const message = 'both a file and an example are given';
      errors.push({ code: 'conflicting-options', path: '--example', message, hint: 'Give one of them.' });
    }
    if (flags.set !== undefined) {
      const message = 'changes a document, and an example is none';
      errors.push({
        code: 'conflicting-options',
        path: '--set',
        message,
        hint: 'Print it with --spec, and change that.',
      });
    }
    return await example(flags.example, flags, errors);
  }
  if (flags.spec === true) {
    const message = 'prints the document of an example, and none is named';
    errors.push({ code: 'missing-option', path: '--spec', message, hint: 'For example: --example m-delta --spec' });
  }
  return await document(source, flags, errors, io);
}

/** The document that asks a question. */
async function documentOf(question: VerifyQuestion): Promise<string> {
  const { documentText } = await import('../../report/document/text.ts');
  const { verifyNormalForm } = await import('../../document/verification/normal-form.ts');
  return documentText({ ...verifyNormalForm(question) });
}

/** An answer, or the document of an example; and what the example shows. */
interface Verified {
  readonly answer: VerifyAnswer | { readonly text: string };
  readonly shows: string | null;
}

/** `dpcompose attack verify`: the exact delta of a finite mechanism over all adaptive adversaries. */
export const attackVerifyCommand = commandOf<Verified, Flags>({
  command: () =>
    new Command('verify')
      .summary('all adversaries against a small mechanism')
      .description(
        'Computes, in exact rational numbers, the smallest delta of a finite continual mechanism, and of copies of it in parallel, over all adaptive adversaries, and compares it with what the composition theorems give. Exit code 1 if the mechanism has not the delta that is claimed of it.',
      )
      .argument('[FILE]', 'JSON or YAML file that describes the mechanism; - or nothing for what is piped in')
      .optionsGroup('What is verified:')
      .addOption(
        offering(new Option('--example <NAME>', 'an example instead of a file'), async () => {
          const { VERIFY_EXAMPLES } = await import('../../composition/attack/verify/examples/all.ts');
          return [...VERIFY_EXAMPLES.keys()];
        }),
      )
      .addOption(SHARED.set())
      .addOption(SHARED.inputFormat())
      .option('--spec', 'print the document of the example, to start from')
      .option('--copies <L>', 'how many copies of the mechanism there are')
      .option('--sparsity <K>', 'how many of them may receive pairs of different messages')
      .option('--factor <Y>', 'the e^epsilon at which delta is asked for, such as 2 or 3/2; or a list')
      .option('--rounds <T>', 'how many messages may be sent in all'),
  examples: EXAMPLES,
  forms: {
    table: async ({ answer, shows }, { layout }) =>
      'text' in answer
        ? answer.text
        : (await import('../../report/attack/verify-table.ts')).verifyTable(answer, shows, await layout()),
    json: async ({ answer }, { version }) =>
      'text' in answer ? answer.text : (await import('../../report/attack/verify-json.ts')).verifyJson(answer, version),
  },
  async read({ operands: [source], flags, errors, io }) {
    const loaded = await load(source, flags, errors, io);
    if (errors.length > 0 || loaded === null) throw new UsageError(errors);
    const { question, shows } = loaded;
    if (flags.spec === true) {
      const text = await documentOf(question);
      return () => ({ result: { answer: { text }, shows } });
    }
    const { verify } = await import('../../composition/attack/verify/verify.ts');
    return () => {
      const outcome = verify(question);
      if (outcome.kind === 'too-large') {
        const message = `there is too much to compute: more than ${grouped(outcome.most)} answers, each at its place in a conversation`;
        const hint = 'Take fewer --copies, limit --rounds, or describe a smaller mechanism.';
        throw new UsageError([{ code: 'too-large', path: loaded.source, message, hint }]);
      }
      const { answer } = outcome;
      return { result: { answer, shows }, exit: answer.guarantee.holds ? EXIT.done : EXIT.no };
    };
  },
});
