import { fstatSync, statSync, type BigIntStats, createReadStream } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { quote } from '../../document/core/quote.ts';
import { sourceName } from '../../output/kit/prose.ts';
import { documentIn } from '../../output/link.ts';
import { type Io, hasCode, systemReason, type Input } from './io.ts';
import { UsageError, conflict } from './usage-error.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { DocumentSyntax, SyntaxName } from '../../document/syntax/document-syntax.ts';
import type { ErrorCode } from '../../document/core/error-codes.ts';
import type { TextProblem } from '../../document/core/unreadable.ts';

/** An input or an output of a command, as it was named; `flag` is the option of an output. */
interface Use {
  readonly file: string;
  readonly flag: string | null;
}

/** What the command that runs reads and writes, by the files themselves. */
const USES = new WeakMap<Io, Map<string, Use>>();

const idOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Tells a file from all others, whatever it is called; of one that is not there, its folder and its name in any case. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined) return stats.isFile() || stats.isDirectory() ? idOf(stats) : null;
  return `${identityOf(dirname(path)) ?? ''}/${basename(path).normalize().toLowerCase()}`;
}

/** The identity of a file, or of the one that a standard stream goes to or comes from; null where it is none. */
function identityIn(file: string, flag: string | null, io: Io): string | null {
  try {
    if (file !== '-') return identityOf(resolve(io.cwd(), file));
    const { fd } = flag === null ? io.stdin : io.stdout;
    const stats = fd === undefined ? null : fstatSync(fd, { bigint: true });
    return stats?.isFile() === true ? idOf(stats) : null;
  } catch {
    return null;
  }
}

function note(use: Use, io: Io): void {
  const identity = identityIn(use.file, use.flag, io);
  if (identity === null) return;
  const uses = USES.get(io) ?? new Map<string, Use>();
  USES.set(io, uses);
  const other = uses.get(identity);
  const output = use.flag === null ? other : use;
  if (other === undefined || output?.flag == null) {
    uses.set(identity, use);
    return;
  }
  const name = output.file === '-' ? 'this' : quote(output.file);
  const message =
    use.flag !== null && other.flag !== null
      ? `${name} would be written twice`
      : `${name} is a file that this command reads, which the result would overwrite`;
  throw new UsageError([conflict(output.flag, message, 'Name another file.')]);
}

/** Forgets what an earlier command read and wrote. */
export const forgetFiles = (io: Io): boolean => USES.delete(io);

/** Notes a file that is read, `-` for standard input; throws where it is one that is written. */
export function noteInput(file: string, io: Io): void {
  note({ file, flag: null }, io);
}

/** Notes the file of an option that is written, `-` for standard output; throws where it is read, or written twice. */
export function noteOutput(file: string, flag: string, io: Io): void {
  note({ file, flag }, io);
}

/** Largest document read, in bytes. */
const LIMIT = 256 * 1024 * 1024;

/** The hints of the errors for a source that is a directory, and for one that is too large. */
export interface SourceHints {
  readonly directory: string;
  readonly large: string;
}

const SPECIFICATION: SourceHints = {
  directory: 'Give a JSON, YAML or CSV file.',
  large: 'Join equal mechanisms into one entry with "count".',
};

const fail = (code: ErrorCode, source: string, message: string, hint: string): UsageError =>
  new UsageError([{ code, path: sourceName(source), message, hint }], { source });

async function collect(chunks: Input, source: string, { large }: SourceHints): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size > LIMIT) {
      throw fail('too-large', source, 'the file is larger than 256 MB', large);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function unreadable(error: unknown, file: string, { directory }: SourceHints): UsageError {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
    return fail('no-such-file', file, 'file not found', 'Check the path, or give - for standard input.');
  }
  if (hasCode(error, 'EISDIR')) return fail('is-a-directory', file, 'is a directory', directory);
  const reason = `cannot be read: ${systemReason(error)}`;
  return fail('unreadable', file, reason, 'Check its permissions, or give - for standard input.');
}

/** A file, the document in the address of an answer, or standard input for `-`, piece by piece. */
export function openSource(spec: string, io: Io): Input {
  const linked = documentIn(spec);
  if (linked !== null) return Readable.from([linked]);
  noteInput(spec, io);
  return spec === '-' ? io.stdin : createReadStream(resolve(io.cwd(), spec));
}

/** Why a source (of a specification, where no other hints are given) could not be read to its end. */
export const sourceError = (error: unknown, spec: string, hints = SPECIFICATION): UsageError =>
  error instanceof UsageError ? error : unreadable(error, spec, hints);

/** A source, and what was read from it. */
export interface SourceText {
  /** As it was named; `-` for standard input. */
  readonly source: string;
  readonly input: Uint8Array;
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 32);

/**
 * Reads the input of a command: the source that is named, else standard input. Null where standard input is a terminal,
 * or nothing is named and nothing is piped in.
 */
export async function readGiven(source: string | undefined, io: Io, hints = SPECIFICATION): Promise<SourceText | null> {
  const from = source ?? '-';
  if (from === '-' && io.stdin.isTTY === true) return null;
  const input = await readSource(from, io, hints);
  return source === undefined && isBlank(input) ? null : { source: from, input };
}

/** Reads the input of a command; what was wrong before is told with what is wrong with it, or with `nothing` where there is none. */
export async function readRequired(
  source: string | undefined,
  io: Io,
  errors: readonly InputError[],
  nothing: () => UsageError,
): Promise<SourceText> {
  try {
    const text = await readGiven(source, io);
    if (text === null) throw nothing();
    return text;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError([...errors, ...error.errors], error.about);
  }
}

/** That nothing is given to read; `argument` names what was left out. */
export const nothingToRead = (
  source: string | undefined,
  argument: string,
  toDo: string,
  hint: string,
): InputError => ({
  code: 'no-input',
  path: source ?? argument,
  message: source === undefined ? `no input to ${toDo}` : 'standard input is a terminal, not a document',
  hint,
});

/** The bytes of a file (of a specification, where no other hints are given), or of standard input for `-`. */
export async function readSource(spec: string, io: Io, hints = SPECIFICATION): Promise<Uint8Array> {
  try {
    return await collect(openSource(spec, io), spec, hints);
  } catch (error) {
    throw sourceError(error, spec, hints);
  }
}

/** What is wrong in the text of a file, at its line where one is known. */
export const unreadableText = ({ problem, line }: TextProblem, file: string): UsageError =>
  new UsageError([{ ...problem, path: sourceName(file), ...(line !== null && { line }) }], { source: file });

const EXTENSIONS: readonly (readonly [RegExp, SyntaxName])[] = [
  [/\.json$/i, 'json'],
  [/\.ya?ml$/i, 'yaml'],
  [/\.[ct]sv$/i, 'csv'],
];

/** The syntax of a file by the ending of its name; null where that says nothing. */
export const syntaxOfFile = (file: string): SyntaxName | null =>
  EXTENSIONS.find(([ending]) => ending.test(file))?.[1] ?? null;

/** The syntax of a document: as --input-format `inputFormat`, else by the name of its file, else by what it begins with. */
export async function syntaxNameOf(
  { source, input }: SourceText,
  inputFormat?: SyntaxName | null,
): Promise<SyntaxName> {
  const name = inputFormat ?? syntaxOfFile(source);
  return name ?? (await import('../../document/syntax/document-syntax.ts')).recogniseSyntax(input);
}

/** The reader of a syntax; those of YAML and CSV are loaded where they are used. */
export async function syntaxNamed(name: SyntaxName): Promise<DocumentSyntax> {
  switch (name) {
    case 'json':
      return (await import('../../document/syntax/document-syntax.ts')).JSON_SYNTAX;
    case 'yaml':
      return (await import('../../document/syntax/yaml-read.ts')).YAML_SYNTAX;
    case 'csv':
      return (await import('../../document/csv-read.ts')).CSV_SYNTAX;
  }
}
