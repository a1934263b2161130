import { EXIT } from './kit/io.ts';
import { commandOf, formsOf } from './kit/command.ts';
import type { CheckGroup } from '../composition/self-test/elementary.ts';

const EXAMPLES = `
Examples:
  dpcompose self-test
  dpcompose self-test --json | jq .passed
  dpcompose self-test --quiet && dpcompose compose privacy.json`;

/** `dpcompose self-test`: whether the program computes here what it was tested to compute. */
export const selfTestCommand = commandOf<{ readonly groups: readonly CheckGroup[]; readonly node: string }>({
  name: 'self-test',
  about:
    'Recomputes values that independent code computed to many digits, and compares the elementary functions of this Node.js with decimal arithmetic. Exits with code 1 if a value is wrong.',
  examples: EXAMPLES,
  forms: formsOf(
    async ({ groups, node }) => (await import('../output/self-test.ts')).selfTestOutput(groups, node),
    'table',
    'json',
  ),
  async read({ io }) {
    const { default: golden } = await import('../../fixtures/golden/reference.json', { with: { type: 'json' } });
    const { runSelfTest } = await import('../composition/self-test/run.ts');
    return () => {
      const groups = runSelfTest(golden);
      const passes = groups.every(({ checks }) => checks.every(({ passed }) => passed));
      return { result: { groups, node: io.version ?? 'unknown' }, exit: passes ? EXIT.done : EXIT.no };
    };
  },
});
