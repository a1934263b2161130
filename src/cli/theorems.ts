import { commandOf, formsOf } from './kit/command.ts';
import type { TheoremFacts } from '../output/theorems.ts';

const EXAMPLES = `
Examples:
  dpcompose theorems
  dpcompose theorems --format markdown > theorems.md
  dpcompose explain br-adaptive`;

/** `dpcompose theorems`: every bound, every theorem that plans rest on and every rule of ledgers. */
export const theoremsCommand = commandOf<readonly TheoremFacts[]>({
  name: 'theorems',
  about: 'Lists all bounds, theorems of plans and ledger rules, with sources. JSON and Markdown have the full text.',
  examples: EXAMPLES,
  forms: formsOf(
    async (facts) => (await import('../output/explain.ts')).theoremsOutput(facts),
    'table',
    'json',
    'markdown',
  ),
  async read() {
    const { ruleFacts, theoremFacts } = await import('../output/theorems.ts');
    return () => ({ result: [...theoremFacts(), ...ruleFacts()] });
  },
});
