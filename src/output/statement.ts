import { flatEntries, isEntry, withDescendants } from '../composition/core/plan-node.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { recordOf } from '../privacy/mechanisms/records.ts';
import { effectiveOrder } from '../privacy/curve.ts';
import { entryText } from './kit/guarantee-text.ts';
import { warningMessage } from './refusal/warnings.ts';
import { neighboursText, statement } from './kit/statement.ts';
import { pairText } from './kit/number.ts';
import { conditionText, fallbackText, nodeText, theoremText } from './plan/words.ts';
import { grouped, listed } from './kit/prose.ts';
import { meaningText, isLocal, type PrivacyStatement } from './statement-meaning.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import { ANSWER, THEOREM } from './compose/json.ts';
import { BRACKET, GIVEN, INPUT, QUERY, TEXT, whole } from './kit/codecs.ts';
import { CONDITION_STATE, conditionRow } from './plan/json.ts';
import { WARNING } from './refusal/bound-row-json.ts';
import { heading, label, list, paragraph, stack, type Output } from './kit/page.ts';
import * as json from './kit/codec.ts';

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

function protectedText({ specification: { neighbours } }: PrivacyStatement): string[] {
  const relation =
    neighbours === null
      ? 'The specification does not state the neighboring relation ("neighbours"). It is the one for which the guarantees of its mechanisms hold, which must be the same for all of them.'
      : neighboursText(neighbours);
  return [
    relation,
    'Any difference between neighboring data sets is protected. Facts that also follow from the other data, such as what is true of most people, are not.',
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
    `Anyone who sees ${isLocal(nodes) ? 'all messages of the users and ' : ''}all outputs of the mechanisms, with any other knowledge and any computing power.`,
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
  const text = `${who}, such as ${grouped(distance)} people if neighbors differ in one, have the guarantee ${pairText(answer.query, claim)}. ${how} (${reference}). No lower bound is known.`;
  return [section('group', 'Groups', [text])];
}

const MOST_LISTED = 30;

function mechanisms({ specification: { entries: nodes } }: PrivacyStatement): Section {
  const flat = flatEntries(nodes);
  const parts = flat === null ? nodes.flatMap(withDescendants).map((node) => nodeText(node)) : flat.map(entryText);
  const shown = parts.slice(0, MOST_LISTED);
  const more = parts.length - shown.length;
  const items = more === 0 ? shown : [...shown, `and ${grouped(more)} more`];
  return section('mechanisms', 'Mechanisms', [], items);
}

function reasons({ stated: { answer, theorems } }: PrivacyStatement): Section {
  const row = answer.bounds.find(({ id }) => id === answer.bound);
  const bound = row === undefined ? answer.bound : `${row.name} (${row.reference})`;
  const rest = theorems.map((theorem) => {
    const { number, name, reference } = theorem;
    return `${reference.startsWith(number) ? name : theoremText(theorem)} (${reference})`;
  });
  return section('reasons', 'Why', [`The bound is by ${bound}.`], rest);
}

const isSampled = ({ mechanism }: Entry): boolean => mechanism.type === 'sampled';

function assumptions({ stated: { conditions } }: PrivacyStatement, entries: readonly Entry[]): Section {
  const words = { met: 'by the specification', assumed: 'assumed by default', failing: 'not so' } as const;
  const items = conditions.map(({ id, state }) => {
    const fallback = state === 'failing' ? fallbackText(id) : '';
    return `${conditionText(id)} (${words[state]}${fallback})`;
  });
  return section(
    'assumptions',
    'Assumptions',
    [],
    [
      'every mechanism has the declared guarantee or adds the declared noise; this is not checked',
      'all mechanisms run on the same data, each with fresh randomness, no more often than declared',
      ...(entries.some(isSampled)
        ? ['samples are drawn as declared, afresh for every run, and nobody sees who is in them']
        : []),
      ...items,
    ],
  );
}

function implementation(entries: readonly Entry[]): Section {
  const types = new Set(entries.map(({ mechanism }) => mechanism.type));
  const noises = entries.map(({ mechanism }) => recordOf(mechanism).noise?.values);
  return section('implementation', 'Floating-point samplers', [
    'The theorems are about mechanisms that sample from exactly the declared distributions. Floating-point samplers do not: the possible doubles and their frequencies can differ between neighboring data sets and reveal them, whatever epsilon is (Mironov 2012, "On significance of the least significant bits for differential privacy").',
    ...(noises.includes('continuous')
      ? [
          'Laplace and Gaussian noise here is ideal and continuous. Use a sampler with a proof for what it really draws (such as the snapping mechanism, or discrete noise on a grid), and state its guarantee.',
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

const notCovered = (isSampled: boolean): readonly string[] => [
  'other releases of the same data, which add to the privacy loss',
  ...(isSampled ? [] : ['amplification by subsampling or shuffling: not used here']),
  'whether each statistic has the declared sensitivity',
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
    section('not-covered', 'What is not covered', [], notCovered(entries.some(isSampled))),
    implementation(entries),
  ];
}

/** The title of a statement. */
const titleOf = ({ specification: { name } }: PrivacyStatement): string =>
  name === null ? 'Privacy statement' : `Privacy statement: ${name}`;

/** The closing sentence of every statement. */
const madeBy = (version: string): string =>
  `Computed by dpcompose ${version} from the declared mechanisms; ${listed(['every number is rounded up', 'no data were seen'])}.`;

const SECTION = json.object({
  id: json.choice(...SECTIONS),
  title: TEXT,
  paragraphs: json.list(TEXT),
  items: json.list(TEXT),
});

const RISK = json.described(
  'How often somebody who sees everything tells two neighboring data sets apart: upper for everybody, lower attained on some mechanisms of the classes.',
  json.object({
    advantage: json.described('The largest true-positive rate minus false-positive rate.', BRACKET),
    guess: json.described('Where both are equally likely.', json.object({ prior: GIVEN, success: BRACKET })),
    tests: json.list(json.object({ falsePositiveRate: GIVEN, truePositiveRate: BRACKET })),
  }),
);

/** A privacy statement. */
export const STATEMENT = json.document(
  'statement',
  'What is promised to whom, on what it rests, and what it leaves out, as statement --json prints it.',
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
      'What was asked, of data so many neighboring steps apart; mechanisms: each at that distance; curve: step by step.',
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
