import type { Warning } from '../composition/core/outcome.ts';
import { uncheckedWarnings } from '../composition/design/design.ts';
import type { Specification } from '../document/core/specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { validateJson, validReport } from '../output/validate.ts';
import { commandOf } from './kit/command.ts';
import { COMPOSED, specArgument, type ComposedFlags, STRICT } from './kit/shared-options.ts';
import { EXIT } from './kit/io.ts';
import { loadSpecification } from './kit/load-specification.ts';
import { sourceName } from '../output/kit/prose.ts';

const EXAMPLES = `
With --json, validate prints the document in normal form.

Examples:
  dpcompose validate privacy.json
  generate-spec | dpcompose validate --json | jq .input.mechanisms`;

/** The name of the validated input in a sentence. */
const nameOf = (source: string | undefined, { mechanism }: ComposedFlags): string =>
  source === undefined && mechanism !== undefined ? 'the command line' : sourceName(source ?? '-');

/** A valid specification. */
interface Validated {
  readonly name: string;
  readonly specification: Specification;
  readonly warnings: readonly Warning[];
}

const OPTIONS = { ...COMPOSED, ...STRICT };

/** `dpcompose validate`: whether a specification is well formed, and what it means. */
export const validateCommand = commandOf<Validated, typeof OPTIONS>({
  name: 'validate',
  about: 'Checks a specification and reports all errors, each with its place.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: {
    text: ({ name, specification }) => validReport(name, specification),
    json: ({ specification, warnings }, { version }) => validateJson(exactForm(specification), warnings, version),
  },
  async read({ operands: [source], flags, ...invocation }) {
    const specification = await loadSpecification({ ...invocation, command: 'validate', source, flags });
    const warnings = uncheckedWarnings(specification);
    const exit = flags.strict && warnings.length > 0 ? EXIT.no : EXIT.done;
    return () => ({ result: { name: nameOf(source, flags), specification, warnings }, exit });
  },
});
