import type { Designed } from '../../report/design/design.ts';
import { documentText } from '../../report/written-document.ts';
import { Command } from 'commander';
import { formsOf } from '../kit/forms.ts';
import type { Refusal } from '../../composition/core/outcome.ts';
import type { Design } from '../../composition/design/design.ts';
import { documentWarnings } from '../../composition/design/document-warnings.ts';
import type { ErrorShape } from '../../composition/design/algorithms.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import { requireTarget } from '../../document/read-specification.ts';
import type { Query } from '../../privacy/query.ts';
import { commandOf, refused } from '../kit/command.ts';
import type { Io } from '../kit/io.ts';
import { loadQuestion } from '../kit/load-specification.ts';
import { inGroup, PRINTED, type ValuesOf } from '../kit/option.ts';
import { tellFailure } from '../kit/refusal.ts';
import { STRICT } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { EFFORT, effortOf } from '../kit/work-options.ts';
import { DESIGN, meaninglessParameters, type DesignFlags, type ExampleName, type IsTyped } from './options.ts';

/** A design to check; the text of a ready one, where that is asked for; or what is refused before. */
type LoadedDesign =
  | {
      readonly kind: 'design';
      readonly specification: Specification;
      readonly design: Design;
      readonly target: Query;
      /** Of a ready design. */
      readonly errorShape: ErrorShape | null;
    }
  | { readonly kind: 'document'; readonly text: string }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

function asDesign(
  specification: Specification,
  target: Query,
  errorShape: ErrorShape | null,
  about: { readonly source: string | null },
): LoadedDesign {
  const { design } = specification;
  if (design === null) {
    const message = 'the document has no design';
    const hint =
      'Add "design", as dpcompose design --example histogram --spec shows one; to price mechanisms as they are, use dpcompose plan.';
    throw new UsageError([{ code: 'missing-key', path: 'design', message, hint }], about);
  }
  return { kind: 'design', specification, design, target, errorShape };
}

async function loadDocument(
  source: string | undefined,
  flags: DesignFlags,
  isTyped: IsTyped,
  errors: readonly InputError[],
  io: Io,
): Promise<LoadedDesign> {
  const found = [...errors, ...meaninglessParameters(isTyped, [], 'a document')];
  if (flags.spec) {
    const message = 'prints the document of a ready design, and none is named';
    found.push({ code: 'missing-option', path: '--spec', message, hint: 'For example: --example histogram --spec' });
  }
  const { delta, epsilon, set, inputFormat } = flags;
  const given = { delta, epsilon, set, inputFormat };
  const loaded = await loadQuestion({ command: 'design', source, flags: given, errors: found }, io);
  if (loaded.kind === 'refusal') return loaded;
  return asDesign(loaded.specification, loaded.target, null, { source: source ?? '-' });
}

/** A ready design asks for delta at what it may spend, unless --delta or --epsilon ask for another point. */
async function loadExample(
  name: ExampleName,
  flags: DesignFlags,
  isTyped: IsTyped,
  errors: readonly InputError[],
): Promise<LoadedDesign> {
  const found = [...errors];
  const { readyDesign } = await import('./examples.ts');
  const { readSpecification } = await import('../../document/read-specification.ts');
  const example = readyDesign(name, flags, isTyped, found);
  const { delta, epsilon, set } = flags;
  if (set !== undefined) {
    const message = 'changes a document, and this design has none';
    found.push({
      code: 'conflicting-options',
      path: '--set',
      message,
      hint: 'Print one with --spec, and change that.',
    });
  }
  const read = readSpecification(documentText(example.document), { delta, epsilon });
  if (read.kind === 'errors') found.push(...read.errors.filter(({ path }) => path.startsWith('--')));
  if (found.length > 0) throw new UsageError(found);
  if (read.kind === 'refusal') return read;
  if (read.kind === 'errors') throw new Error(`A ready design is not valid: ${JSON.stringify(read.errors)}`);
  if (flags.spec) {
    const asked = delta !== undefined ? { target: { delta } } : epsilon !== undefined ? { target: { epsilon } } : {};
    return { kind: 'document', text: documentText({ ...example.document, ...asked }) };
  }
  const { specification } = read;
  const query = requireTarget(specification);
  if ('message' in query) throw new Error('A ready design has no target.');
  return asDesign(specification, query, example.errorShape, { source: null });
}

/** Reads a document, or makes that of a ready design; `errors` are mistakes so far, reported together with others. */
async function loadDesign(
  source: string | undefined,
  flags: DesignFlags,
  isTyped: IsTyped,
  errors: readonly InputError[],
  io: Io,
): Promise<LoadedDesign> {
  const { example } = flags;
  if (!isTyped('example')) return await loadDocument(source, flags, isTyped, errors, io);
  if (example === undefined) throw new UsageError(errors);
  if (source === undefined) return await loadExample(example, flags, isTyped, errors);
  const message = 'and a document exclude each other';
  const hint = 'Keep one of the two.';
  throw new UsageError([...errors, { code: 'conflicting-options', path: '--example', message, hint }]);
}

const EXAMPLES = `
A design is the pseudocode of a mechanism that runs the mechanisms of its
document: what it creates, sends, computes and outputs, variables and functions
named only. It has the privacy of its sub-mechanisms if what it does and outputs
depends on the input through their answers alone, and if neighbouring inputs make
it send them no more than their guarantees cover.

Examples:
  dpcompose design mechanism.json --delta 1e-6
  dpcompose design --example histogram --total-epsilon 1 --counter-delta 1e-6
  dpcompose design --example histogram --dimension 64 --delta 1e-6
  dpcompose design --example histogram --interval-delta 1e-8 --intervals 20
  dpcompose design --example core-decomposition --total-epsilon 1
  dpcompose design --example histogram --spec > mechanism.json`;

const OPTIONS = { ...DESIGN, ...EFFORT, ...inGroup(PRINTED, STRICT) };

/** `dpcompose design`: whether a mechanism that runs others has their privacy, and what that is. */
export const designCommand = commandOf<Designed | string, ValuesOf<typeof OPTIONS>>({
  command: () =>
    new Command('design')
      .description(
        'Checks whether a described mechanism that runs sub-mechanisms is as private as they are together, says which variable breaks that if it is not, and what they cost if it is.',
      )
      .argument('[SPEC]', 'JSON or YAML file with a "design"; - or nothing for what is piped in'),
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (designed) =>
      typeof designed === 'string' ? designed : (await import('../../report/design/design.ts')).designOutput(designed),
    'table',
    'json',
    'markdown',
  ),
  async read({ operands: [source], flags, isTyped, errors, io }) {
    const effort = effortOf(flags);
    const loaded = await loadDesign(source, flags, isTyped, errors, io);
    if (loaded.kind === 'refusal') return refused(loaded.refusal);
    if (loaded.kind === 'document') return () => ({ result: loaded.text });
    const { specification, design, target, errorShape } = loaded;
    const { composeDesign } = await import('../../composition/design/check-design.ts');
    return (progress) => {
      const problem = { ...specification, design };
      const outcome = composeDesign(problem, target, { ...effort, ...(progress && { progress }) });
      switch (outcome.kind) {
        case 'fails': {
          const { entries } = specification;
          return { tell: (manner) => tellFailure(outcome.check, { entries, design }, manner) };
        }
        case 'refusal':
          return refused(outcome.refusal, { ...specification, example: flags.example ?? null });
        case 'priced': {
          const { plan } = outcome;
          const warnings = [...documentWarnings(specification), ...plan.answer.warnings];
          const warned = { ...plan, answer: { ...plan.answer, warnings } };
          const asked = { ...specification, target };
          return { result: { ...outcome, plan: warned, design, errorShape, specification: asked }, warnings };
        }
      }
    };
  },
});
