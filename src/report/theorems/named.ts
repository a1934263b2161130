import { boundNamed } from '../../bounds/core/bound.ts';
import { codeFacts } from '../codes/all.ts';
import type { CodeFacts } from '../codes/code.ts';
import { ruleFacts, theoremFacts, type TheoremFacts } from './theorem-facts.ts';

/** All that goes by a name: a bound or theorem of plans, a rule of ledgers, and what it stands for as a code. */
export interface Named {
  readonly name: string;
  readonly theorem: TheoremFacts | null;
  readonly rule: TheoremFacts | null;
  readonly codes: readonly CodeFacts[];
}

/** The theorem, the rule and the codes of a name, also as other accountants call a bound; null where there are none. */
export function named(word: string): Named | null {
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
