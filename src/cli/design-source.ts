import type { Design } from '../composition/design/design.ts';
import type { ErrorShape } from '../composition/design/error-shape.ts';
import type { Refusal } from '../composition/outcome.ts';
import type { Query } from '../privacy/query.ts';
import { documentText } from '../report/document-text.ts';
import { requireTarget } from '../spec/require-target.ts';
import type { InputError, Specification } from '../spec/specification.ts';
import { meaninglessParameters, type ExampleFlags } from './design-options.ts';
import type { Io } from './io.ts';
import { loadQuestion } from './load-specification.ts';
import type { SyntaxFlags } from './syntax.ts';
import { UsageError } from './usage-error.ts';

/** What is checked and what is asked, as typed. */
export interface DesignFlags extends ExampleFlags, SyntaxFlags {
  readonly example?: string;
  readonly spec?: boolean;
  readonly atDelta?: string;
  readonly atEpsilon?: string;
}

/** A design to check; the text of a ready one, where that is asked for; or what is refused before. */
export type LoadedDesign =
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

/** A target as typed. */
interface TargetFlags {
  readonly delta?: string;
  readonly epsilon?: string;
}

const withTarget = (delta: string | undefined, epsilon: string | undefined): TargetFlags => ({
  ...(delta === undefined ? {} : { delta }),
  ...(epsilon === undefined ? {} : { epsilon }),
});

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

/** Of a document, --delta and --epsilon are the target; so are --at-delta and --at-epsilon. */
async function loadDocument(
  source: string | undefined,
  flags: DesignFlags,
  errors: readonly InputError[],
  io: Io,
): Promise<LoadedDesign> {
  const found = [...errors, ...meaninglessParameters(flags, ['epsilon', 'delta'], 'a document')];
  if (flags.spec === true) {
    const message = 'prints the document of a ready design, and none is named';
    found.push({ code: 'missing-option', path: '--spec', message, hint: 'For example: --example histogram --spec' });
  }
  for (const [name, value] of [
    ['--at-delta', flags.atDelta],
    ['--at-epsilon', flags.atEpsilon],
  ] as const) {
    if (value === undefined) continue;
    const message = 'is for ready designs, of which --delta and --epsilon are parameters';
    found.push({
      code: 'conflicting-options',
      path: name,
      message,
      hint: `Write ${name.replace('at-', '')} ${value}.`,
    });
  }
  const { inputFormat } = flags;
  const given = { ...withTarget(flags.delta, flags.epsilon), ...(inputFormat === undefined ? {} : { inputFormat }) };
  const loaded = await loadQuestion({ command: 'design', source, flags: given, errors: found }, io);
  if (loaded.kind === 'refusal') return loaded;
  const { sourceName } = await import('./source.ts');
  return asDesign(loaded.specification, loaded.target, null, { source: sourceName(source ?? '-') });
}

/** Of a ready design, --delta and --epsilon are parameters, --at-delta and --at-epsilon the target. */
async function loadExample(name: string, flags: DesignFlags, errors: readonly InputError[]): Promise<LoadedDesign> {
  const found = [...errors];
  const { readExample } = await import('./design-examples.ts');
  const { readSpecification } = await import('../spec/read-specification.ts');
  const example = readExample(name, flags, found);
  const target = withTarget(flags.atDelta, flags.atEpsilon);
  const text = documentText(example?.document ?? {});
  const read = readSpecification(text, target);
  if (read.kind === 'errors') {
    const ofTarget = read.errors.filter(({ path }) => path.startsWith('--'));
    found.push(
      ...ofTarget.map((error) => ({
        ...error,
        path: error.path.replace('--', '--at-'),
        message: error.message.replace(/--(?=delta|epsilon)/g, '--at-'),
      })),
    );
  }
  if (found.length > 0) throw new UsageError(found);
  if (read.kind === 'refusal') return read;
  if (read.kind === 'errors') throw new Error(`A ready design is not valid: ${JSON.stringify(read.errors)}`);
  if (flags.spec === true) {
    const { delta, epsilon } = target;
    const asked = delta !== undefined ? { target: { delta } } : epsilon !== undefined ? { target: { epsilon } } : {};
    return { kind: 'document', text: documentText({ ...example?.document, ...asked }) };
  }
  const { specification } = read;
  const query = requireTarget(specification);
  if ('message' in query) throw new Error('A ready design has no target.');
  return asDesign(specification, query, example?.errorShape ?? null, { source: null });
}

/** Reads a document, or makes that of a ready design; `errors` are mistakes found so far, told together with others. */
export async function loadDesign(
  source: string | undefined,
  flags: DesignFlags,
  errors: readonly InputError[],
  io: Io,
): Promise<LoadedDesign> {
  const { example } = flags;
  if (example === undefined) return await loadDocument(source, flags, errors, io);
  if (source === undefined) return await loadExample(example, flags, errors);
  const message = 'and a document exclude each other';
  const hint = 'Keep one of the two.';
  throw new UsageError([...errors, { code: 'conflicting-options', path: '--example', message, hint }]);
}
