import { isEntry } from '../composition/core/plan-node.ts';
import type { PricedPlan } from '../composition/plan/price-plan.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { COMPOSED, specArgument, TARGET, STRICT, EFFORT, effortOf } from './kit/shared-options.ts';
import { loadQuestion, type Question } from './kit/load-specification.ts';
import { covered, refused, warned } from './kit/refusal.ts';

const EXAMPLES = `
The "mechanisms" of a document can also hold, with any nesting:
  {"type": "group", "mechanisms": [...]}
      mechanisms on the same data, as one part
  {"type": "parallel", "sparsity": K, "of": {...}}
      instances created adaptively, at most K of which receive data that differ
      between neighbors; "instances": N or "unbounded", "deltaCap": D,
      "firstPairConsistent": true, "kind": the kind of their mechanisms
  {"type": "partition", "of": [...]}
      mechanisms on disjoint partitions; "sparsity": how many of them differ
  {"type": "local", "differing": K, "of": {...}} (or "each": [...])
      local DP: users who answer a server from their own data; "users": N

Examples:
  dpcompose plan system.json --delta 1e-6
  dpcompose plan system.json --epsilon 1 --format markdown > plan.md
  dpcompose plan system.json --json | jq '.tree.children[0].price'`;

const OPTIONS = { ...COMPOSED, ...TARGET('s'), ...EFFORT, ...STRICT };

/** `dpcompose plan`: which theorem covers each part of a composition with structure, and what it costs. */
export const planCommand = commandOf<{ readonly priced: PricedPlan; readonly question: Question }, typeof OPTIONS>({
  name: 'plan',
  about:
    'Prints a specification as a tree: the theorem that covers each part, its assumptions, and the (epsilon, delta) of the part alone.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async ({ priced, question }) =>
      (await import('../output/plan/plan.ts')).planOutput(priced, question, exactForm(question)),
    'tree',
    'json',
    'markdown',
  ),
  async read({ operands: [source], flags, ...invocation }) {
    const effort = effortOf(flags);
    const question = await loadQuestion({ ...invocation, command: 'plan', source, flags });
    const { adaptivity, entries: nodes, order, setting, target } = question;
    const { pricePlan } = await import('../composition/plan/price-plan.ts');
    return (progress) => {
      if (adaptivity === 'parameters') {
        const code = nodes.every(isEntry) ? 'adaptive-parameters' : 'adaptive-parameters-in-parallel';
        throw refused({ code }, question);
      }
      const plan = { nodes, adaptivity, order, setting };
      const priced = covered(pricePlan(plan, target, { ...effort, ...(progress && { progress }) }), question);
      const answer = warned(priced.answer, question);
      return { result: { priced: { ...priced, answer }, question }, warnings: answer.warnings };
    };
  },
});
