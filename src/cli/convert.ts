import { Argument } from 'commander';
import type { Refusal } from '../composition/core/outcome.ts';
import type { WrittenDocument } from '../document/events/read-convertible.ts';
import type { DocumentSyntax, SyntaxName } from '../document/syntax/document-syntax.ts';
import { commandOf, formsOf, type Invocation } from './kit/command.ts';
import { DOCUMENT, type Format } from './kit/shared-options.ts';
import { inGroup } from './kit/option.ts';
import { refused, RefusedRequest } from './kit/refusal.ts';
import { type SourceText, nothingToRead, readRequired, syntaxNamed, syntaxNameOf, syntaxOfFile } from './kit/source.ts';
import { UsageError } from './kit/usage-error.ts';

const OPTIONS = inGroup('Input:', DOCUMENT);

const EXAMPLES = `
FILE is a specification, or one of these event lists as JSON or YAML:
  {"events": [{"mechanism": "gaussian", "parameters": {"noise_multiplier": 4},
               "count": 10, "label": "counts"}]}
      types and parameters as in a specification; noise_multiplier is sigma
      divided by the sensitivity
  {"class_name": "ComposedDpEvent", "events": [...]}
      dp_accounting: the to_named_tuple() of an event, with any nesting
  {"history": [[noise_multiplier, sample_rate, steps], ...]}
      Opacus: the state_dict() of an accountant, or only its history
  {"schema_version": 1, "config": {...}, "compositions": [...]}
      Flower: the state_dict() of an RdpAccountant
  {"spent_budget": [[epsilon, delta], ...]}
      diffprivlib: the spent_budget of a BudgetAccountant
or the same as printed by Python:
  SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.01,
      event=GaussianDpEvent(noise_multiplier=1.1)), count=1000)
  [(1.1, 0.01, 1000)]
Numbers keep their digits. Several Gaussians on one sample become one Gaussian
with less noise. If no theorem covers an event, convert refuses (exit code 3).

--format dp-accounting writes a dp_accounting event as Python.

Examples:
  dpcompose convert events.json > privacy.json
  dpcompose convert history.json | dpcompose compose --delta 1e-6
  dpcompose convert privacy.json -o privacy.yaml`;

/** The form of the result: as asked, or by the name of the file that it goes to. */
function formOf({ flags: { format, json, output }, format: usual }: Invocation<typeof OPTIONS>): Format {
  if (format !== undefined || json === true || output === undefined) return usual;
  return /\.py$/i.test(output) ? 'dp-accounting' : (syntaxOfFile(output) ?? 'json');
}

const nothingIn = (source: string | undefined): UsageError =>
  new UsageError([nothingToRead(source, 'FILE', 'convert', 'Give a file, or pipe a document in.')]);

/** The reader of what is given: as asked, or Python where the text is a file of it or begins as such. */
async function syntaxOf(document: SourceText, inputFormat: SyntaxName | undefined): Promise<DocumentSyntax> {
  if (inputFormat === undefined && syntaxOfFile(document.source) === null) {
    const { isPython, PYTHON_SYNTAX } = await import('../document/events/python-read.ts');
    if (isPython(document.input)) return PYTHON_SYNTAX;
  }
  return syntaxNamed(await syntaxNameOf(document, inputFormat));
}

/** The events of dp_accounting that a document stands for, as Python. */
async function pythonOf(document: WrittenDocument): Promise<string | Refusal> {
  const { writtenEvent } = await import('../document/events/written-event.ts');
  const event = writtenEvent(document);
  return 'event' in event
    ? (await import('../output/written-document.ts')).eventPython(event)
    : { code: 'not-expressible', path: event.path, event: event.obstacle };
}

/** The document in its form, or why it has none. */
async function textOf(document: WrittenDocument, form: Format): Promise<string | Refusal> {
  if (form === 'dp-accounting') return pythonOf(document);
  const { documentCsv, documentText, documentYaml, writtenValue } = await import('../output/written-document.ts');
  if (form === 'json') return documentText(document);
  const value = Object.fromEntries(Object.entries(document).map(([key, member]) => [key, writtenValue(member)]));
  if (form === 'yaml') return documentYaml(value);
  const table = documentCsv(value);
  return 'text' in table ? table.text : { code: 'not-expressible', path: table.path };
}

/** A refusal of what is read: also where a document is JSON, a sentence, unless JSON is asked for. */
const refusedAs = (refusal: Refusal, isJson: boolean): RefusedRequest =>
  new RefusedRequest((manner) => refused(refusal).tell({ ...manner, format: isJson ? 'json' : 'text' }));

/** `dpcompose convert`: event lists as specifications, and specifications in another form or as events. */
export const convertCommand = commandOf<string, typeof OPTIONS>({
  name: 'convert',
  about:
    'Converts a specification to another format, or an event list of another accountant to a specification and back.',
  operands: [new Argument('[FILE]', 'specification or event list (default: standard input)')],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf((text: string) => text, 'json', 'yaml', 'csv', 'dp-accounting'),
  async read(invocation) {
    const { operands, flags, errors, io } = invocation;
    const sourceText = await readRequired(operands[0], io, errors, () => nothingIn(operands[0]));
    const { readConvertible } = await import('../document/events/read-convertible.ts');
    const syntax = await syntaxOf(sourceText, flags.inputFormat);
    const { document, notOffered, ...reading } = readConvertible(sourceText.input, { syntax, set: flags.set });
    const mistakes = [...errors, ...reading.errors];
    if (mistakes.length > 0) throw new UsageError(mistakes, { source: sourceText.source, more: reading.more });
    const isJson = flags.json === true || flags.format === 'json';
    if (notOffered !== null || document === null) {
      throw refusedAs({ code: 'not-offered', ...(notOffered ?? { path: 'document', type: 'unknown' }) }, isJson);
    }
    const text = await textOf(document, formOf(invocation));
    if (typeof text !== 'string') throw refusedAs(text, isJson);
    return () => ({ result: text });
  },
});
