import type { Designed } from '../output/design/design.ts';
import { documentText } from '../output/written-document.ts';
import { Argument } from 'commander';
import { commandOf, formsOf } from './kit/command.ts';
import { documentWarnings, type Design } from '../composition/design/design.ts';
import type { ErrorShape } from '../composition/design/algorithms.ts';
import { requireTarget } from '../document/read-specification.ts';
import { loadQuestion, type Question } from './kit/load-specification.ts';
import { covered, failed } from './kit/refusal.ts';
import { UsageError, lacking, conflict } from './kit/usage-error.ts';
import { effortOf } from './kit/shared-options.ts';
import { OPTIONS, refuseOthers, type Designing, type ExampleName } from './design-options.ts';

/** A design to check; or the text of a ready one, where that is asked for. */
type LoadedDesign =
  | {
      readonly kind: 'design';
      readonly question: Question;
      readonly design: Design;
      /** Of a ready design. */
      readonly errorShape: ErrorShape | null;
    }
  | { readonly kind: 'document'; readonly text: string };

function asDesign(question: Question, errorShape: ErrorShape | null, source: string | null): LoadedDesign {
  const { design } = question;
  if (design === null) {
    const message = 'the document has no design';
    const hint =
      'Add "design", as dpcompose design --example histogram --spec shows one; to price mechanisms as they are, use dpcompose plan.';
    throw new UsageError([{ code: 'missing-key', path: 'design', message, hint }], { source });
  }
  return { kind: 'design', question, design, errorShape };
}

async function loadDocument(invocation: Designing): Promise<LoadedDesign> {
  const { operands, flags, errors, io } = invocation;
  const [source] = operands;
  refuseOthers(invocation, [], 'a document');
  if (flags.spec) {
    const message = 'prints the document of a ready design, and none is named';
    errors.push(lacking('--spec', message, 'For example: --example histogram --spec'));
  }
  const { delta, epsilon, set, inputFormat } = flags;
  const own = { delta, epsilon, set, inputFormat };
  const question = await loadQuestion({ command: 'design', source, flags: own, errors, io });
  return asDesign(question, null, source ?? '-');
}

/** A ready design asks for delta at what it may spend, unless --delta or --epsilon ask for another point. */
async function loadExample(name: ExampleName, invocation: Designing): Promise<LoadedDesign> {
  const { flags, errors, refuse } = invocation;
  const { readyDesign } = await import('./design-examples.ts');
  const { readSpecification } = await import('../document/read-specification.ts');
  const example = readyDesign(name, invocation);
  const { delta, epsilon } = flags;
  refuse(['set'], 'changes a document, and this design has none', 'Print one with --spec, and change that.');
  const reading = readSpecification(documentText(example.document), { delta, epsilon });
  if (reading.kind === 'errors') errors.push(...reading.errors.filter(({ path }) => path.startsWith('--')));
  if (errors.length > 0) throw new UsageError(errors);
  if (reading.kind === 'errors') throw new Error(`A ready design is not valid: ${JSON.stringify(reading.errors)}`);
  const { specification } = covered(reading);
  if (flags.spec) {
    const ownTarget =
      delta !== undefined ? { target: { delta } } : epsilon !== undefined ? { target: { epsilon } } : {};
    return { kind: 'document', text: documentText({ ...example.document, ...ownTarget }) };
  }
  const target = requireTarget(specification);
  if ('message' in target) throw new Error('A ready design has no target.');
  return asDesign({ ...specification, target }, example.errorShape, null);
}

/** Reads a document, or makes that of a ready design. */
async function loadDesign(invocation: Designing): Promise<LoadedDesign> {
  const {
    operands: [source],
    flags: { example },
    errors,
  } = invocation;
  if (!invocation.isTyped('example')) return await loadDocument(invocation);
  if (example === undefined) throw new UsageError(errors);
  if (source === undefined) return await loadExample(example, invocation);
  throw new UsageError([...errors, conflict('--example', 'and a document exclude each other', 'Keep one of the two.')]);
}

const EXAMPLES = `
A design is the pseudocode of a mechanism that runs the mechanisms of its
document: what it creates, sends, computes and outputs. It is as private as the
composition of its sub-mechanisms under two conditions. What it does and outputs
depends on the input only through their answers. On neighboring inputs, it sends
them no more than their guarantees cover.

Examples:
  dpcompose design mechanism.json --delta 1e-6
  dpcompose design --example histogram --total-epsilon 1 --counter-delta 1e-6
  dpcompose design --example histogram --spec > mechanism.json`;

/** `dpcompose design`: whether a mechanism that runs others has their privacy, and what that is. */
export const designCommand = commandOf<Designed | string, typeof OPTIONS>({
  name: 'design',
  about:
    'Checks whether a mechanism is as private as the composition of its sub-mechanisms. If so, prints the total (epsilon, delta); if not, the variable that breaks it.',
  operands: [new Argument('[SPEC]', 'JSON or YAML file with a "design" (default: standard input)')],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (designed) =>
      typeof designed === 'string' ? designed : (await import('../output/design/design.ts')).designOutput(designed),
    'table',
    'json',
    'markdown',
  ),
  async read(invocation) {
    const { example = null, ...flags } = invocation.flags;
    const effort = effortOf(flags);
    const loaded = await loadDesign(invocation);
    if (loaded.kind === 'document') return () => ({ result: loaded.text });
    const { question, design, errorShape } = loaded;
    const { composeDesign } = await import('../composition/design/check-design.ts');
    return (progress) => {
      const problem = { ...question, design };
      const options = { ...effort, ...(progress && { progress }) };
      const outcome = covered(composeDesign(problem, question.target, options), { ...question, example });
      if (outcome.kind === 'fails') throw failed(outcome.check, problem);
      const { plan } = outcome;
      const warnings = [...documentWarnings(question), ...plan.answer.warnings];
      const warned = { ...plan, answer: { ...plan.answer, warnings } };
      return { result: { ...outcome, plan: warned, design, errorShape, specification: question }, warnings };
    };
  },
});
