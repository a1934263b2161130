import { Command } from 'commander';
import { commandOf } from './kit/command.ts';
import type { TheoremFacts } from '../report/theorems/theorem-facts.ts';

const EXAMPLES = `
Examples:
  dpcompose theorems
  dpcompose theorems --format markdown > theorems.md
  dpcompose theorems --json | jq -r '.theorems[] | select(.kind == "bound").id'
  dpcompose explain br-adaptive`;

/** `dpcompose theorems`: every bound, every theorem that plans rest on and every rule of ledgers. */
export const theoremsCommand = commandOf<readonly TheoremFacts[]>({
  command: () =>
    new Command('theorems').description(
      'Lists every bound, every theorem that plans rest on and every rule of ledgers, with their sources; in full as JSON or Markdown.',
    ),
  examples: EXAMPLES,
  forms: {
    table: async (facts, { layout }) =>
      (await import('../report/theorems/theorems-page.ts')).theoremsTable(facts, await layout()),
    json: async (facts, { version }) =>
      (await import('../report/theorems/theorem-json.ts')).theoremsJson(facts, version),
    markdown: async (facts) => (await import('../report/theorems/theorems-page.ts')).theoremsMarkdown(facts),
  },
  async read() {
    const { ruleFacts, theoremFacts } = await import('../report/theorems/theorem-facts.ts');
    return () => ({ result: [...theoremFacts(), ...ruleFacts()] });
  },
});
