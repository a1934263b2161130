import type { FilterTerms } from '../rules/terms.ts';
import type { Caveat } from '../rules/rule.ts';

/** The name of a ledger, or of one for each value of a key: `day/{day}`. */
export interface Template {
  readonly before: string;
  /** null where the name is that of one ledger. */
  readonly key: string | null;
  readonly after: string;
}

/** The longest name of a ledger, in bytes of UTF-8. */
const LONGEST_NAME = 200;

const WHOLE = /^(?<before>[^{}]*)(?:\{(?<key>[^{}]*)\}(?<after>[^{}]*))?$/;
const KEY = /^[a-z][a-z0-9_-]*$/;

/** Characters that file systems, shells and databases take as they are. */
const SAFE = /^[\p{L}\p{M}\p{N}._@+=~-]+$/u;

/** Names that Windows keeps for devices, whatever ending they have. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/** A text of which upper and lower case, and several ways to write the same character, leave one. */
const folded = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Why a part of a name between slashes is none that is the same everywhere; null where it is one. */
export function unsafePart(text: string): string | null {
  if (text === '') return 'it is empty';
  if (!SAFE.test(text)) return 'it may contain only letters, digits and . _ - @ + = ~';
  if (text.startsWith('.') || text.endsWith('.')) return 'it must not begin or end with a dot';
  if (text.startsWith('-')) return 'it must not begin with a hyphen';
  if (DEVICE.test(text)) return 'Windows reserves it for a device';
  const plain = folded(text);
  return plain === text ? null : `it must be in lower case, ${plain}, so that one name never has two budgets`;
}

/** Why a name is none of a ledger that is made by itself; null where it is one. */
export function unsafeName(name: string): string | null {
  if (Buffer.byteLength(name) > LONGEST_NAME) return `it must have at most ${LONGEST_NAME} bytes`;
  for (const part of name.split('/')) {
    const reason = unsafePart(part);
    if (reason !== null) return reason;
  }
  return null;
}

/** Reads the name of a line of budgets; or why it is none. */
export function readTemplate(text: string): Template | string {
  const { before, key = null, after = '' } = WHOLE.exec(text)?.groups ?? {};
  if (before === undefined) return 'it may have one {key}';
  if (key !== null && !KEY.test(key)) return 'the {key} in it must be a word of a-z, 0-9, _ and -';
  const reason = unsafeName(`${before}${key === null ? '' : 'x'}${after}`);
  return reason ?? { before, key, after };
}

export const nameFor = ({ before, key, after }: Template, value: string): string =>
  key === null ? before : `${before}${value}${after}`;

/** Whether a name is one that a template gives, for some value of its key. */
export const fits = ({ before, key, after }: Template, name: string): boolean =>
  key === null
    ? name === before
    : name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;

export const templateText = (template: Template): string => nameFor(template, `{${template.key ?? ''}}`);

/** A part of a name between slashes: what stands before and after a value, or all of it. */
type Segment = readonly [text: string] | readonly [before: string, after: string];

const MARK = '\u0000';

const segmentsOf = (template: Template): Segment[] =>
  nameFor(template, MARK)
    .split('/')
    .map((part) => part.split(MARK) as unknown as Segment);

function canBeSame([a, aAfter]: Segment, [b, bAfter]: Segment): boolean {
  if (aAfter === undefined && bAfter === undefined) return a === b;
  const begins = a.startsWith(b) || b.startsWith(a);
  const ends = (aAfter ?? a).endsWith(bAfter ?? b) || (bAfter ?? b).endsWith(aAfter ?? a);
  const [shortest, room] =
    aAfter === undefined ? [b + (bAfter ?? ''), a] : bAfter === undefined ? [a + aAfter, b] : ['', ''];
  return begins && ends && shortest.length <= room.length;
}

/** Whether two lines could ever name the same ledger. */
export function canCoincide(a: Template, b: Template): boolean {
  const [one, other] = [segmentsOf(a), segmentsOf(b)];
  return one.length === other.length && one.every((segment, i) => canBeSame(segment, other[i]!));
}

/**
 * Who or what the ledgers of a line are for. all: everything is charged to it; data: there is one for each part of the data, and a
 * mechanism is charged to those of the parts that it reads; people: one for each person or group, charged with what they ask.
 */
export type Scope = 'all' | 'data' | 'people';

/** A line of budgets: one ledger, or one for each value of its key, all with the same terms. */
export interface BudgetLine {
  readonly name: Template;
  readonly scope: Scope;
  readonly terms: FilterTerms;
}

/** Budgets that hold at the same time. */
export interface Budgets {
  readonly name: string | null;
  /** At least one; no two of them can name the same ledger. */
  readonly lines: readonly BudgetLine[];
}

/**
 * What budgets that hold at the same time do not guarantee. Every decision is made from terms, totals and requests alone, so that a
 * refusal by one ledger is, for another, a request that was not made.
 *
 * all [Haney et al. 2023, Thm 1.20, 1.21, 4.10, by the rule]: the requests that every other ledger lets through are those of an
 * adversary of this filter; all results together are within its budget.
 *
 * data [derived; Lecuyer et al. 2019, block composition]: of two neighbours that differ in one record of part k, all mechanisms
 * that do not read k see the same data. An adversary who knows that data can run them itself; what is left is the filter of k.
 * So all results together tell of a record at most the budget of its part, whatever is chosen adaptively, and however
 * many parts there are. A record that moves is in two parts.
 *
 * people: where nothing that depends on the results of others reaches a person, the same holds of that person's view and
 * ledger. Results, requests and data of others that depend on their results, and refusals that follow from these, can carry what
 * was charged to others: no accounting person by person covers that [Tholoniat et al. 2025, arXiv 2506.05290]. Of any k people
 * named beforehand who share all they see, and whom nothing of others reaches, the ledgers are k filters asked in turns:
 * their budgets compose [Haney et al. 2023, Thm 1.8].
 */
export function caveatsOfBudgets({ lines }: Budgets): readonly Caveat[] {
  const has = (scope: Scope): boolean => lines.some((line) => line.scope === scope);
  return [
    ...(has('data') ? ['one-record-one-part' as const] : []),
    ...(has('people') ? ['own-results-only' as const] : []),
    ...(has('all') || has('data') ? [] : ['no-budget-over-all' as const]),
  ];
}
