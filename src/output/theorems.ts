import { type Coverage, type Exposition, LITERATURE } from '../bounds/core/exposition.ts';
import { ALL_BOUNDS } from '../bounds/all.ts';
import { ALL_THEOREMS } from '../composition/theorems/all.ts';
import type { Assumption } from '../ledger/rules/accumulator.ts';
import { FILTER_RULES } from '../ledger/rules/filter-rules.ts';
import { RULE_EXPOSITIONS } from '../ledger/rules/expositions.ts';
import { RULE_IDS } from '../ledger/rules/terms.ts';
import { conditionText } from './plan/words.ts';
import { NOT_OFFERED, type NotOffered } from '../document/core/not-offered.ts';
import { listed } from './kit/prose.ts';
import { boundNamed } from '../bounds/core/bound.ts';
import { codeFacts, type CodeFacts } from './codes.ts';
import { TEXT, TEXT_OR_NULL } from './kit/codecs.ts';
import * as json from './kit/codec.ts';

/** A bound, a theorem of plans or a rule of ledgers in words. */
export interface TheoremFacts {
  readonly id: string;
  readonly kind: 'bound' | 'plan' | 'ledger';
  readonly name: string;
  readonly reference: string;
  readonly statement: string;
  readonly formula: readonly string[];
  readonly preconditions: readonly string[];
  readonly departures: readonly string[];
  /** The slack of a bound, in words; null for others. */
  readonly slack: string | null;
  /** In full. */
  readonly sources: readonly string[];
}

const ADAPTIVITY: Readonly<Record<Coverage['adaptivity'], readonly string[]>> = {
  any: [],
  adaptive: ['mechanisms are chosen adaptively; for those fixed in advance see br-nonadaptive'],
  nonadaptive: ['all mechanisms are fixed in advance'],
};

function coverageText({ types, beside, together, noninteractive, adaptivity, conditions }: Coverage): string[] {
  const others = listed(beside ?? []);
  const joined = together === true ? ` together with some of ${others}` : `; beside them ${others}`;
  const once =
    noninteractive.length === 0
      ? 'mechanisms of any kind: noninteractive, interactive or continual'
      : beside === undefined
        ? 'all of them are noninteractive'
        : `those of ${listed(noninteractive)} are noninteractive`;
  return [
    `mechanisms of type ${listed(types, 'or')}${beside === undefined ? '' : joined}`,
    once,
    'all parameters are fixed in advance',
    ...ADAPTIVITY[adaptivity],
    ...conditions,
  ];
}

/** The facts that stand in an exposition. */
const expounded = ({ statement, formula, departures, works }: Exposition) => ({
  statement,
  formula,
  departures,
  sources: works.map((work) => LITERATURE[work]),
});

const bounds = (): TheoremFacts[] =>
  ALL_BOUNDS.map(({ id, name, reference, exposition }) => {
    const { slack, coverage } = exposition;
    const preconditions = coverageText(coverage);
    return { id, kind: 'bound', name, reference, ...expounded(exposition), preconditions, slack };
  });

const ofPlans = (): TheoremFacts[] =>
  ALL_THEOREMS.map(({ id, name, reference, needs, exposition }) => {
    const preconditions = needs.map(conditionText);
    return { id, kind: 'plan', name, reference, ...expounded(exposition), preconditions, slack: null };
  });

const ASSUMED: Readonly<Record<Assumption, string>> = {
  'adaptive-adversaries': 'adaptive adversaries',
  'discrete-answers': 'adaptive adversaries, discrete answers',
  'finite-communication': 'adaptive adversaries, finite communication',
};

const CONCURRENT: Readonly<Record<'proved' | 'open', string>> = {
  proved: 'interactive mechanisms may be asked in turns (concurrent), or each only until the next launch (sequential)',
  open: 'interactive mechanisms are asked only until the next launch (--terms concurrency=sequential)',
};

/** Every rule of ledgers; some go by the name of a bound too. */
export const ruleFacts = (): readonly TheoremFacts[] =>
  RULE_IDS.map((id) => {
    const { name, reference, concurrent, assumes } = FILTER_RULES[id];
    const exposition = RULE_EXPOSITIONS[id];
    const preconditions = [
      `mechanisms of type ${listed(exposition.types, 'or')}${exposition.delta ? '' : ', with delta 0'}`,
      'which mechanism runs next, with which parameters, may depend on all answers so far; the budget and the rule may not',
      CONCURRENT[concurrent],
      `assumed of interactive and continual mechanisms: ${ASSUMED[assumes]}`,
    ];
    return { id, kind: 'ledger', name, reference, ...expounded(exposition), preconditions, slack: null };
  });

/** Every bound, in the order in which ties are broken, then every theorem of plans. */
export const theoremFacts = (): readonly TheoremFacts[] => [...bounds(), ...ofPlans()];

/** All that goes by a name: a bound or theorem of plans, a rule of ledgers, and what it stands for as a code. */
export interface Named {
  readonly name: string;
  readonly theorem: TheoremFacts | null;
  readonly rule: TheoremFacts | null;
  readonly codes: readonly CodeFacts[];
}

/** The theorem, the rule and the codes of a name, also as other accountants call a bound; null where there are none. */
export function factsNamed(word: string): Named | null {
  const name = boundNamed(word) ?? word;
  const theorem = theoremFacts().find(({ id }) => id === name) ?? null;
  const rule = ruleFacts().find(({ id }) => id === name) ?? null;
  const codes = codeFacts().filter(({ code }) => code === name);
  return theorem === null && rule === null && codes.length === 0 ? null : { name, theorem, rule, codes };
}

/** Every name, each once: bounds and theorems, rules, codes. */
export const allNames = (): readonly string[] => [
  ...new Set([...[...theoremFacts(), ...ruleFacts()].map(({ id }) => id), ...codeFacts().map(({ code }) => code)]),
];

/** The facts on a bound, a theorem of plans or a rule of ledgers. */
export const THEOREM_FACTS = json.object({
  id: TEXT,
  kind: json.choice('bound', 'plan', 'ledger'),
  name: TEXT,
  reference: TEXT,
  statement: TEXT,
  formula: json.list(TEXT),
  preconditions: json.list(TEXT),
  departures: json.described('Where dpcompose differs from the paper, and why.', json.list(TEXT)),
  slack: json.described('Where a bound is loose.', TEXT_OR_NULL),
  sources: json.list(TEXT),
});

/** A mechanism by the names that people look for, how it is written here, and the bounds that price it. */
export interface MechanismFacts {
  readonly names: readonly string[];
  /** One of it, as -m takes it. */
  readonly example: string;
  readonly type: string;
  /** The guarantee or noise as which it is composed, in words. */
  readonly composedAs: string;
  /** The bound with the smallest epsilon for one of it, and for ten, chosen adaptively. */
  readonly one: string;
  readonly ten: string;
  /** All bounds that apply to ten, the smallest epsilon first. */
  readonly bounds: readonly string[];
}

const MECHANISM_FACTS = json.object({
  names: json.list(TEXT),
  example: json.described('One of it, as -m takes it.', TEXT),
  type: TEXT,
  composedAs: TEXT,
  one: json.described('The bound with the smallest epsilon for the example alone, at delta 1e-6.', TEXT),
  ten: json.described('The same for ten of it, adaptively chosen.', TEXT),
  bounds: json.described('All bounds that apply to ten of it, the smallest epsilon first.', json.list(TEXT)),
});

const OTHER_NAME = json.object({ names: json.list(TEXT), why: TEXT, instead: TEXT });

/** Names of mechanisms that are no types, with what to write instead: those with the same answer together. */
export function otherNames(): { names: string[]; why: string; instead: string }[] {
  const groups = new Map<NotOffered, string[]>();
  for (const [name, facts] of Object.entries(NOT_OFFERED)) groups.set(facts, [...(groups.get(facts) ?? []), name]);
  return [...groups].map(([facts, names]) => ({ names, ...facts }));
}

/** Every theorem. */
export const THEOREMS = json.document(
  'theorems',
  'Every bound, every theorem and every rule of ledgers, as theorems --json prints them.',
  {
    theorems: json.list(THEOREM_FACTS),
    mechanisms: json.optional(json.described('With --mechanisms.', json.list(MECHANISM_FACTS))),
    otherNames: json.optional(
      json.described('With --mechanisms: names that are no types, and what to write instead.', json.list(OTHER_NAME)),
    ),
  },
);
