import { commandOf, formsOf } from './kit/command.ts';
import type { TheoremFacts } from '../report/theorems.ts';

const EXAMPLES = `
Examples:
  dpcompose theorems
  dpcompose theorems --format markdown > theorems.md
  dpcompose theorems --json | jq -r '.theorems[] | select(.kind == "bound").id'
  dpcompose explain br-adaptive`;

/** `dpcompose theorems`: every bound, every theorem that plans rest on and every rule of ledgers. */
export const theoremsCommand = commandOf<readonly TheoremFacts[]>({
  name: 'theorems',
  about:
    'Lists every bound, every theorem that plans rest on and every rule of ledgers, with their sources; in full as JSON or Markdown.',
  examples: EXAMPLES,
  forms: formsOf(
    async (facts) => (await import('../report/explain.ts')).theoremsOutput(facts),
    'table',
    'json',
    'markdown',
  ),
  async read() {
    const { ruleFacts, theoremFacts } = await import('../report/theorems.ts');
    return () => ({ result: [...theoremFacts(), ...ruleFacts()] });
  },
});
