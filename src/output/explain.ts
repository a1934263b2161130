import type { AnswerExplanation, Claimed, Fate } from '../composition/compose/explain-answer.ts';
import { Decimal } from '../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../numeric/enclosure.ts';
import { givenText, lowerText, shortText, upperText } from './kit/number.ts';
import { grouped } from './kit/prose.ts';
import { isSmallest } from './kit/statement.ts';
import { type MechanismFacts, type TheoremFacts, type Named, otherNames, THEOREM_FACTS, THEOREMS } from './theorems.ts';
import { CODE_KINDS, type CodeKind, type CodeFacts } from './codes.ts';
import { BRACKET, ASKED, askedAt, FLAG, NUMBER, TEXT, UPPER } from './kit/codecs.ts';
import type { Json } from './kit/json-value.ts';
import * as json from './kit/codec.ts';
import {
  code,
  heading,
  paragraph,
  type Block,
  label,
  list,
  onTerminal,
  stack,
  verbatim,
  quiet,
  type Output,
} from './kit/page.ts';
import { table } from './kit/table.ts';

/** Every theorem by its id. */
type FactsById = ReadonlyMap<string, TheoremFacts>;

/** What is claimed, with its lower end where one is known. */
const bracketOf = ({ exact, lower = null, upper }: Claimed & { readonly lower?: number | null }): Bracket => ({
  lower: lower === null ? null : asLower(lower),
  upper: asUpper(upper),
  ...(exact === undefined ? {} : { exact }),
});

/** A claim as all reports print it. */
const claimText = (claimed: Claimed): string => upperText(bracketOf(claimed));

/** `Certified epsilon at delta 1e-6: 4.77, by dp-optimal.` */
function claimSentence(explained: AnswerExplanation): string {
  const { bound, given, solveFor } = explained;
  const other = solveFor === 'epsilon' ? 'delta' : 'epsilon';
  return `Certified ${solveFor} at ${other} ${givenText(new Decimal(given))}: ${claimText(explained)}, by ${bound}.`;
}

function gainSentence(explained: AnswerExplanation): string {
  const { lower, room, solveFor, tight } = explained;
  if (lower === null) {
    return `No lower bound on ${solveFor} is known here.`;
  }
  if (isSmallest(bracketOf(explained))) {
    return `No smaller ${solveFor} holds for these classes of mechanisms.`;
  }
  const limitation = `No ${solveFor} below ${lowerText(asLower(lower))} holds for these classes of mechanisms`;
  if (tight)
    return `${limitation}: upper and lower bound agree to the tolerance, so no theorem can improve on it by more.`;
  return `${limitation}${room === null ? '' : `; a better theorem could gain at most ${shortText(room / (1 + room), 'up', 100)}%`}.`;
}

/** Why the bound that gives the answer gives it. */
function winnerSentences(explained: AnswerExplanation, facts: FactsById): string[] {
  const { bound, others } = explained;
  const applying = others.filter(({ fate }) => fate.kind !== 'does-not-apply').length;
  const among =
    applying === 0
      ? 'It is the only bound that applies.'
      : `It is the smallest of the ${grouped(applying + 1)} bounds that apply.`;
  const own = facts.get(bound);
  return [...(own === undefined ? [] : [own.statement]), among, gainSentence(explained)];
}

/** How much larger a bound is: `+13.4%`. */
function excessText(fate: Fate): string {
  switch (fate.kind) {
    case 'ties':
      return 'the same';
    case 'larger':
      return fate.excess === Infinity ? 'not 0' : `+${shortText(fate.excess, 'up', 100)}%`;
    case 'claims-nothing':
    case 'does-not-apply':
      return '';
  }
}

/** Why a bound is not the answer. */
function fateText(id: string, fate: Fate, facts: FactsById): string {
  switch (fate.kind) {
    case 'ties':
      return 'nothing: ties go to the bound that is listed first';
    case 'claims-nothing':
      return 'everything: it gives no guarantee here';
    case 'larger':
      return facts.get(id)?.slack ?? 'more';
    case 'does-not-apply':
      return fate.reason;
  }
}

const OTHER = json.object({
  id: TEXT,
  name: TEXT,
  outcome: json.choice('ties', 'larger', 'claims-nothing', 'does-not-apply'),
  upper: json.optional(UPPER),
  excess: json.optional(json.described('The relative excess over the guarantee.', NUMBER)),
  code: json.optional(TEXT),
  why: TEXT,
});

const CODE = json.object({
  code: TEXT,
  kind: json.described('Where it is printed.', json.choice(...(Object.keys(CODE_KINDS) as CodeKind[]))),
  meaning: TEXT,
  remedy: TEXT,
  exit: json.described(
    'The exit code, if the code alone determines it.',
    json.plain<number | null>({ type: ['integer', 'null'] }),
  ),
});

const MEMBERS = {
  theorem: json.optional(THEOREM_FACTS),
  rule: json.optional(THEOREM_FACTS),
  codes: json.optional(json.list(CODE)),
};
const NAMED = json.object({ ...json.identity('explain'), ...MEMBERS });

const factsCodec = json.described(
  'Every entry with this name: a bound or theorem of plans, a ledger rule, or a code.',
  {
    ...NAMED,
    schema: {
      ...NAMED.schema,
      anyOf: Object.keys(MEMBERS).map((key) => json.object({ [key]: json.plain<Json>({}) }).schema),
    },
  },
);

const ANSWER = json.object({
  ...json.identity('explain'),
  answer: json.object({ query: ASKED, claim: BRACKET, bound: TEXT, tight: FLAG, why: TEXT }),
  others: json.list(OTHER),
});

/** An explanation. */
export const EXPLAIN = json.published(
  'explain',
  'The meaning of a theorem, rule or code, or the reason for an answer.',
  json.oneOf(factsCodec, ANSWER),
);

type Other = AnswerExplanation['others'][number];

const isInapplicable = ({ fate }: Other): boolean => fate.kind === 'does-not-apply';

const valueText = ({ fate }: Other): string =>
  fate.kind === 'does-not-apply' ? '' : claimText('upper' in fate ? fate : { upper: Infinity });

/** Why an answer is what it is, and how every other bound fared. */
export function explainOutput(explained: AnswerExplanation, facts: FactsById): Output {
  const { bound, given, others, solveFor, tight } = explained;
  const why = winnerSentences(explained, facts).join(' ');
  const fate = (other: Other): string => fateText(other.id, other.fate, facts);
  const beginning = [heading(claimSentence(explained)), paragraph(why)];
  return {
    page: () => [
      ...beginning,
      table(
        others.filter((other) => !isInapplicable(other)),
        [
          ['larger', ({ id }) => id],
          [solveFor, valueText],
          ['by', (other) => excessText(other.fate)],
          ['where it is loose', fate],
        ],
      ),
      table(others.filter(isInapplicable), [
        ['does not apply', ({ id }) => id],
        ['reason', fate],
      ]),
    ],
    markdown: () => [
      ...beginning,
      table(others, [
        ['bound', ({ id }) => [code(id)]],
        [solveFor, valueText],
        ['larger by', (other) => excessText(other.fate)],
        ['where it is loose', (other) => `${isInapplicable(other) ? 'does not apply: it ' : ''}${fate(other)}`],
      ]),
    ],
    json: (version) =>
      json.documentText(ANSWER, {
        version,
        answer: { query: askedAt(solveFor, given), claim: bracketOf(explained), bound, tight, why },
        others: others.map((other) => ({
          ...other.fate,
          id: other.id,
          name: other.name,
          outcome: other.fate.kind,
          why: fate(other),
        })),
      }),
  };
}

const titledList = (title: string, items: readonly string[]): Block =>
  stack(items.length === 0 ? [] : [label(title), list(items)]);

/** One theorem in full, from its statement to its sources, under a heading of that level. */
function theoremBlocks(facts: TheoremFacts, level = 1): Block[] {
  const { id, name, statement, formula, preconditions, departures, slack, sources, reference } = facts;
  return [
    heading([code(id), `: ${name}`], level, 'best'),
    paragraph(statement),
    stack([onTerminal(label('Formula').text), verbatim(formula)]),
    titledList('Holds for', preconditions),
    titledList('Loose by', slack === null ? [] : [slack]),
    titledList('Differences from the paper', departures),
    titledList('Source', [reference, ...sources]),
  ];
}

const KINDS: readonly (readonly [TheoremFacts['kind'], string])[] = [
  ['bound', 'Bounds on lists of mechanisms'],
  ['plan', 'Theorems of plans'],
  ['ledger', 'Rules of ledgers'],
];

/** Every theorem with what it is and its source; in Markdown in full. */
export const theoremsOutput = (theorems: readonly TheoremFacts[]): Output => ({
  page: () => [
    ...KINDS.map(([kind, title]) =>
      stack([
        label(title),
        table(
          theorems.filter((theorem) => theorem.kind === kind),
          ['id', ['what it is', ({ name, reference }) => `${name} [${reference}]`]],
        ),
      ]),
    ),
    quiet('For the statement and assumptions of one of them, run dpcompose explain ID.'),
  ],
  markdown: () => [heading('Theorems'), ...theorems.flatMap((theorem) => theoremBlocks(theorem, 2))],
  json: (version) => json.documentText(THEOREMS, { version, theorems, mechanisms: null, otherNames: null }),
});

/** Every mechanism by its names, how it is written, and which bounds price it. */
export const mechanismsOutput = (theorems: readonly TheoremFacts[], mechanisms: readonly MechanismFacts[]): Output => ({
  page: () => [
    table(mechanisms, [
      ['mechanism', ({ names }) => names.join('; ')],
      ['-m', ({ example }) => [code(/[; ]/.test(example) ? `'${example}'` : example)]],
      ['composed as', ({ composedAs }) => composedAs],
      ['bound for one', ({ one }) => [code(one)]],
      ['for ten', ({ ten }) => [code(ten)]],
    ]),
    quiet(
      'Bounds are those with the smallest epsilon at delta 1e-6 for the example, mechanisms chosen adaptively. Run dpcompose explain ID for one of them, dpcompose help mechanisms for all keys. --json also lists names that are not supported.',
    ),
  ],
  json: (version) => json.documentText(THEOREMS, { version, theorems, mechanisms, otherNames: otherNames() }),
});

/** `a mistake ... (exit code 2)`, with the exit code of the one code where its kind has several. */
const kindText = ({ kind, exit }: CodeFacts): string =>
  kind === 'ledger-file' && exit !== null ? `${CODE_KINDS[kind]} (exit code ${exit})` : CODE_KINDS[kind];

/** The meaning and the remedy of a code in one of the places where it is printed. */
const codeBlock = (facts: CodeFacts): Block =>
  stack([heading([code(facts.code), `: ${kindText(facts)}`]), paragraph(facts.meaning), paragraph(facts.remedy)]);

/** All that goes by a name. */
export const namedOutput = ({ theorem, rule, codes }: Named): Output => ({
  page: () => [
    ...[theorem, rule].flatMap((facts) => (facts === null ? [] : theoremBlocks(facts))),
    ...codes.map(codeBlock),
  ],
  widest: 100,
  json: (version) => json.documentText(NAMED, { version, theorem, rule, codes: codes.length === 0 ? null : codes }),
});
