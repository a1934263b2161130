import {
  childrenOf,
  isEntry,
  mostRecords,
  type PlanNode,
  withDescendants,
  flatEntries,
} from '../composition/core/plan-node.ts';
import type { Stated } from '../composition/statement/state.ts';
import type { Specification } from '../document/core/specification.ts';
import { type Query, effectiveOrder } from '../privacy/curve.ts';
import type { Answer } from '../composition/core/outcome.ts';
import { Decimal, exactUpper } from '../numeric/decimal.ts';
import { exactGivenText, GUESS_DIGITS, percent, shortUp, pairText } from './kit/number.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { recordOf } from '../privacy/mechanisms/records.ts';
import { entryText, labelText, neighboursOf, SELECTION_ASSUMPTION, statement } from './kit/statement.ts';
import { warningMessage } from './refusal/warnings.ts';
import { conditionText, fallbackText, nodeText, theoremText } from './plan/words.ts';
import { grouped } from './kit/prose.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import { ANSWER, THEOREM } from './compose/json.ts';
import { BRACKET, GIVEN, INPUT, QUERY, TEXT, whole } from './kit/codecs.ts';
import { CONDITION_STATE, conditionRow } from './plan/plan.ts';
import { WARNING } from './refusal/refusal.ts';
import { heading, label, list, paragraph, stack, type Output } from './kit/page.ts';
import * as json from './kit/codec.ts';

/** A guarantee that is stated, and the specification it is of. */
export interface PrivacyStatement {
  readonly stated: Stated;
  readonly specification: Specification & { readonly target: Query };
}

/** Whether users send what is seen, each from a mechanism of their own. */
const isLocal = (nodes: readonly PlanNode[]): boolean =>
  nodes.flatMap(withDescendants).some((node) => !isEntry(node) && node.node === 'local');

/** Decimals for a reader, rounded up. */
const Up = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_UP });

/** Beyond this a factor is not worth its digits. */
const LARGEST_SHOWN = 30;

/** The definition of (epsilon, delta) in words; null where epsilon is below 0. */
function eventText({ epsilon, delta }: Answer): string | null {
  const event = 'The probability of any set of results is at most';
  const [e, d] = [exactUpper(epsilon), exactUpper(delta)];
  if (e.isNegative() && !e.isZero()) return null;
  const factor = e.gt(LARGEST_SHOWN) ? `e^${shortUp(e)}` : shortUp(new Up(e).exp());
  const plus = d.isZero() ? '' : `, plus ${shortUp(d)}${oneIn(d)}`;
  return `${event} ${factor} times its probability on a neighboring data set${plus}.`;
}

/** ` (one in 1,000,000)` of 1e-6: the whole number is rounded down, so that the share is not too small. */
function oneIn(probability: Decimal): string {
  const whole = new Decimal(1).div(probability).floor();
  return whole.gte(10) && whole.lte(Number.MAX_SAFE_INTEGER) ? ` (one in ${grouped(whole.toNumber())})` : '';
}

const isVoid = ({ epsilon, delta }: Answer): boolean => epsilon.upper === Infinity || delta.upper >= 1;

/** Two neighboring data sets in the words of somebody who wants to know which of them it is. */
interface Relation {
  /** Completes "an attacker". */
  readonly knows: string;
  readonly falsePositive: string;
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  'add-remove': {
    knows: 'knows everything about the data except whether one record is included, considers both equally likely',
    falsePositive:
      'A false positive reports the record although it is not in the data; a true positive reports it when it is.',
  },
  'replace-one': {
    knows: 'knows everything about the data except which of two values one record has, considers both equally likely',
    falsePositive:
      'A false positive reports the second value although the record has the first; a true positive reports it when the record has it.',
  },
};

const ANY: Relation = {
  knows: 'knows that the data set is one of two neighbors, considers both equally likely',
  falsePositive:
    'A false positive reports the second data set although the data are the first; a true positive reports it when they are the second.',
};

/** The rates of a test in words, the later ones in parentheses; null where all of them promise nothing. */
function testsText(tests: PrivacyStatement['stated']['risk']['tests'], { falsePositive }: Relation): string | null {
  const rates = tests.flatMap(({ falsePositiveRate, truePositiveRate }) => {
    const right = percent(truePositiveRate);
    return right === null ? [] : [{ wrong: exactGivenText(falsePositiveRate.times(100)), right }];
  });
  const [first, ...others] = rates;
  if (first === undefined) return null;
  const more = others.map(({ wrong, right }) => ` (at ${wrong}%: at most ${right}%)`).join('');
  const blind = others.map(({ wrong }) => ` (${wrong}%)`).join('');
  return `An attack with a false-positive rate of at most ${first.wrong}% has a true-positive rate of at most ${first.right}%${more}. Random guessing achieves ${first.wrong}%${blind}. ${falsePositive} These rates do not depend on what the attacker believed before.`;
}

/**
 * How often somebody tells neighbouring data apart, in words: by guessing, with even odds; and by a test, whatever the
 * odds. Numbers are upper ends, rounded up.
 */
function adversaryText({ stated: { risk }, specification }: PrivacyStatement, guess: string): string[] {
  const { neighbours, entries } = specification;
  const relation = (mostRecords(entries) > 1 ? undefined : RELATIONS[neighbours?.trim() ?? '']) ?? ANY;
  const sees = isLocal(entries) ? 'all messages of the users and every result' : 'every result';
  const tests = testsText(risk.tests, relation);
  return [
    `Suppose an attacker ${relation.knows}, sees ${sees} and has unlimited computing power. The attacker guesses correctly with a probability of at most ${guess}%; a coin flip is right with 50%.`,
    ...(tests === null ? [] : [tests]),
    `These bounds hold for any two neighboring data sets, at any later time, and whatever is done with the results. Attackers can learn more about data sets several neighboring steps apart (such as groups), and from other releases of the same data.`,
  ];
}

/** Of a claim without a finite epsilon, or with a delta of 1. */
const NO_FACTOR = 'This guarantee alone does not bound how much likelier a result is than on a neighboring data set.';

/** The meaning of a guarantee for a person in the data. */
function meaningText(statement: PrivacyStatement): string[] {
  const { answer, risk } = statement.stated;
  const guess = percent(risk.guess.success, GUESS_DIGITS);
  const event = isVoid(answer) ? NO_FACTOR : eventText(answer);
  const events = event === null ? [] : [event];
  if (guess !== null) return [...events, ...adversaryText(statement, guess)];
  return isVoid(answer)
    ? [
        'This is no guarantee at all: the results may reveal everything about the difference between two neighboring data sets.',
      ]
    : [
        ...events,
        'This is almost no guarantee: the results may reveal nearly everything about the difference between two neighboring data sets.',
      ];
}

/** The parts of a statement; stable, for programs. */
const SECTIONS = [
  'guarantee',
  'meaning',
  'protected',
  'against',
  'group',
  'mechanisms',
  'reasons',
  'assumptions',
  'not-covered',
  'implementation',
] as const;

/** A part of a statement: paragraphs, then a list. */
export interface Section {
  readonly id: (typeof SECTIONS)[number];
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly items: readonly string[];
}

const section = (
  id: Section['id'],
  title: string,
  paragraphs: readonly string[],
  items: readonly string[] = [],
): Section => ({ id, title, paragraphs, items });

function protectedText({ specification: { neighbours, entries } }: PrivacyStatement): string[] {
  const relation =
    neighbours === null
      ? 'This statement does not say whose data are protected: the specification declares no neighboring relation. The guarantees of all mechanisms must hold for one and the same relation. Declare it as "neighbours", such as add-remove, if it is true.'
      : neighboursOf(neighbours, entries);
  return [
    relation,
    'The guarantee limits what results reveal about any difference between neighboring data sets. It does not limit what follows from the rest of the data, such as what is true of most people. If neighbors differ in one record, a person with several records is protected only as a group of that size.',
  ];
}

const hasKind = (entries: readonly Entry[], kind: Entry['kind']): boolean =>
  entries.some((entry) => entry.kind === kind);

function against({ specification }: PrivacyStatement, entries: readonly Entry[]): string[] {
  const { adaptivity, order, entries: nodes } = specification;
  const chooses =
    adaptivity === 'nonadaptive'
      ? 'All mechanisms are fixed in advance, before anybody sees a result.'
      : `Each mechanism may be adaptively chosen, after seeing earlier results${effectiveOrder(adaptivity, order) === 'declared' && flatEntries(nodes) !== null ? ', in the declared order' : ''}; its privacy parameters are fixed in advance.`;
  return [
    `Anyone who sees ${isLocal(nodes) ? 'all messages of the users and ' : ''}all outputs of the mechanisms, with any computing power and any knowledge except of their random choices.`,
    chooses,
    ...(hasKind(entries, 'interactive') || hasKind(entries, 'continual')
      ? ['Interactive and continual mechanisms may run concurrently, with queries in any order.']
      : []),
    ...(hasKind(entries, 'continual') ? ['For continual mechanisms, future data may depend on earlier answers.'] : []),
  ];
}

function groupText({ stated: { group, answer } }: PrivacyStatement): Section[] {
  if (group === null) return [];
  const { distance, claim, method, reference } = group;
  const who = `Data sets that are ${grouped(distance)} neighboring ${distance === 1 ? 'step' : 'steps'} apart`;
  if (claim === null) {
    return [section('group', 'Groups', [`${who}: no meaningful guarantee is known.`])];
  }
  const how =
    method === 'mechanisms'
      ? 'It composes the guarantee of every mechanism at that distance'
      : 'It follows by group privacy: k epsilon, and delta (1 + e^epsilon + ... + e^((k - 1) epsilon)) for k steps';
  const text = `${who} (${grouped(distance)} records, if neighbors differ in one record) have the guarantee ${pairText(answer.query, claim)}. ${how} (${reference}). No lower bound is known.`;
  return [section('group', 'Groups', [text])];
}

/** A node and what is in it, each with the node that it is in. */
const partTexts = (node: PlanNode, within = ''): string[] => [
  `${nodeText(node)}${within}`,
  ...childrenOf(node).flatMap((child) =>
    partTexts(child.node, isEntry(node) ? '' : `, in ${node.node}${labelText(node.label)}`),
  ),
];

const MOST_LISTED = 30;

function mechanisms({ specification: { entries: nodes } }: PrivacyStatement): Section {
  const flat = flatEntries(nodes);
  const parts = flat === null ? nodes.flatMap((node) => partTexts(node)) : flat.map(entryText);
  const head = parts.slice(0, MOST_LISTED);
  const more = parts.length - head.length;
  const items = more === 0 ? head : [...head, `and ${grouped(more)} more`];
  return section('mechanisms', 'Mechanisms', [], items);
}

function reasons({ stated: { answer, theorems } }: PrivacyStatement): Section {
  const row = answer.bounds.find(({ id }) => id === answer.bound);
  const bound = row === undefined ? answer.bound : `${row.name} (${row.reference})`;
  const rest = theorems.map((theorem) => {
    const { number, name, reference } = theorem;
    return `${reference.startsWith(number) ? name : theoremText(theorem)} (${reference})`;
  });
  const also = rest.length === 0 ? '' : ' Theorems beside it:';
  return section('reasons', 'Why', [`Bound: ${bound}.${also}`], rest);
}

const isSampled = ({ mechanism }: Entry): boolean =>
  mechanism.type === 'selection' ? mechanism.of.some(isSampled) : mechanism.type === 'sampled';

function assumptions({ stated: { conditions } }: PrivacyStatement, entries: readonly Entry[]): Section {
  const words = {
    met: 'by the specification and its defaults',
    assumed: 'not declared; assumed',
    failing: 'not so',
  } as const;
  const items = conditions.map(({ id, state }) => {
    const fallback = state === 'failing' ? fallbackText(id) : '';
    const text = id === 'pure' ? 'guarantees have delta 0 where a theorem requires it' : conditionText(id);
    return `${text} (${words[state]}${fallback})`;
  });
  return section(
    'assumptions',
    'Assumptions',
    [],
    [
      'every mechanism has the declared guarantee or adds the declared noise; this is not checked',
      'each mechanism runs on the data that the specification gives it, with fresh randomness, no more often than declared',
      ...(entries.some(isSampled)
        ? ['samples are drawn as declared, afresh for every run, and nobody sees who is in them']
        : []),
      ...(entries.some(({ mechanism }) => mechanism.type === 'selection') ? [SELECTION_ASSUMPTION] : []),
      ...items,
    ],
  );
}

function implementation(entries: readonly Entry[]): Section {
  const types = new Set(entries.map(({ mechanism }) => mechanism.type));
  const noises = entries.map(({ mechanism }) => recordOf(mechanism).noise?.values);
  return section('implementation', 'Floating-point samplers', [
    'The theorems are about mechanisms that sample from exactly the declared distributions. Floating-point samplers do not: the possible doubles and their frequencies can differ between neighboring data sets. They can reveal the data, whatever epsilon is (Mironov 2012, "On significance of the least significant bits for differential privacy").',
    ...(noises.includes('continuous')
      ? [
          'Declared continuous noise is ideal: real numbers, not doubles. Use a sampler with a proof for what it really draws, such as the snapping mechanism or discrete noise on a grid. State its guarantee.',
        ]
      : []),
    ...(noises.includes('discrete')
      ? ['You can sample discrete noise exactly, with integers only (Canonne, Kamath, Steinke 2020, Sec 5).']
      : []),
    ...(types.has('bounded-range')
      ? [
          'You can run exponential mechanisms exactly, with base-2 weights (Ilvento 2020, "Implementing the exponential mechanism with base-2 differential privacy").',
        ]
      : []),
    'Running times and error messages are results too.',
  ]);
}

const NOT_COVERED: readonly string[] = [
  'other releases of the same data, which add to the privacy loss',
  'errors in the declared guarantees, noise or sensitivities',
  'side channels: timing, logs, access to the raw data',
];

/** A plain-language statement of what is promised to whom, on what it rests, and what it leaves out. */
export function privacySections(statementOf: PrivacyStatement): readonly Section[] {
  const { stated, specification } = statementOf;
  const entries = specification.entries.flatMap(withDescendants).filter(isEntry);
  const { answer } = stated;
  // The neighbours have a section of their own.
  const claim = statement(answer, { ...specification, neighbours: null });
  return [
    section('guarantee', 'Guarantee', [claim, ...answer.warnings.map(warningMessage)]),
    section('meaning', 'What it means', meaningText(statementOf)),
    section('protected', 'What is protected', protectedText(statementOf)),
    section('against', 'Against whom', against(statementOf, entries)),
    ...groupText(statementOf),
    mechanisms(statementOf),
    reasons(statementOf),
    assumptions(statementOf, entries),
    section('not-covered', 'What is not covered', [], NOT_COVERED),
    implementation(entries),
  ];
}

/** The title of a statement. */
const titleOf = ({ specification: { name } }: PrivacyStatement): string =>
  name === null ? 'Privacy statement' : `Privacy statement: ${name}`;

/** The closing sentence of every statement. */
const madeBy = (version: string): string =>
  `Computed by dpcompose ${version} from the declared mechanisms, without seeing data; upper bounds are rounded up, lower bounds down.`;

const SECTION = json.object({
  id: json.choice(...SECTIONS),
  title: TEXT,
  paragraphs: json.list(TEXT),
  items: json.list(TEXT),
});

const RISK = json.described(
  'Success rates of an attacker who sees all results and distinguishes two neighboring data sets. upper: for all attackers; lower: attained by some mechanisms of the classes.',
  json.object({
    advantage: json.described('The largest true-positive rate minus false-positive rate.', BRACKET),
    guess: json.described('If both data sets are equally likely.', json.object({ prior: GIVEN, success: BRACKET })),
    tests: json.list(json.object({ falsePositiveRate: GIVEN, truePositiveRate: BRACKET })),
  }),
);

/** A privacy statement. */
export const STATEMENT = json.document(
  'statement',
  'The guarantee in plain language, its assumptions, and what it does not cover: the output of statement --json.',
  {
    input: INPUT,
    query: QUERY,
    answer: ANSWER,
    risk: RISK,
    theorems: json.list(THEOREM),
    conditions: json.list(
      json.from(json.object({ id: TEXT, state: CONDITION_STATE, description: TEXT }), conditionRow),
    ),
    group: json.described(
      'The result for data sets this many neighboring steps apart. mechanisms: each at that distance; curve: step by step.',
      json.orNull(
        json.object({
          distance: whole(1),
          claim: json.orNull(BRACKET),
          method: json.choice('mechanisms', 'curve'),
          reference: TEXT,
        }),
      ),
    ),
    sections: json.list(SECTION),
    warnings: json.list(WARNING),
  },
);

/** A privacy statement, in Markdown as a document; `input` is the specification in normal form. */
export function privacyStatementOutput(statement: PrivacyStatement, input: ExactForm): Output {
  const { stated } = statement;
  const { answer } = stated;
  const sections = privacySections(statement);
  return {
    page: (version) => [
      heading(titleOf(statement)),
      ...sections.map(({ title, paragraphs, items }) =>
        stack([label(title, 2), ...paragraphs.map(paragraph), list(items, 2)]),
      ),
      paragraph(madeBy(version)),
    ],
    widest: 80,
    json: (version) => json.documentText(STATEMENT, { ...answer, ...stated, version, input, sections }),
  };
}
