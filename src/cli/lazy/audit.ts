import { Command } from 'commander';
import type { AuditFlags } from './audit-question.ts';
import { commandOf } from '../kit/command.ts';
import type { Audit } from '../../lazy/accounting/audit.ts';
import type { Decimal } from '../../numeric/decimal.ts';

const EXAMPLES = `
Named parameters: theorem-3.10 (as stated) and theorem-3.10-proof (as its proof
has them) with --experts, theorem-3.12 with --dimension, repaired with either.

Examples:
  dpcompose lazy audit --setting theorem-3.10-proof --rounds 1e6 \\
    --experts 1000 --epsilon 0.1 --delta 1e-8
  dpcompose lazy audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01 --delta1 1e-12
  dpcompose lazy audit --rounds 1e6 --batch 3 --eta 1.44e-5 --p 1.44e-3 \\
    --delta 1e-8 --measure convex --beta 2.7e-5 --lambda 2.6e6`;

/** `dpcompose lazy audit`: Theorem 3.2 and exact accounting of one setting, side by side. */
export const lazyAuditCommand = commandOf<{ readonly found: Audit; readonly target: Decimal | null }, AuditFlags>({
  command: () =>
    new Command('audit')
      .summary('Theorem 3.2 and exact accounting side by side')
      .description(
        'What Theorem 3.2 claims for parameters of L2P, with every term and every hypothesis, at the delta that it gives; and what exact accounting guarantees for the same parameters at --delta.',
      )
      .optionsGroup('Parameters that a formula gives:')
      .option('--setting <NAME>', 'theorem-3.10, theorem-3.10-proof, theorem-3.12 or repaired')
      .option('--experts <D>', 'the number of experts')
      .option('--dimension <D>', 'the dimension of convex losses')
      .option('--epsilon <E>', 'the epsilon they are for')
      .optionsGroup('Parameters of your own:')
      .option('--batch <B>', 'rounds in a batch')
      .option('--eta <ETA>', 'the learning rate of experts; the switching parameter')
      .option('--p <P>', 'the probability of a fake switch')
      .option('--c <C>', 'x is kept with chance e^(-c - eta loss), without y')
      .option('--delta1 <D1>', 'delta1 of Theorem 3.2; default: a share of --delta')
      .option('--delta0 <D0>', 'delta0 of Assumption 3.1')
      .option('--measure <M>', 'experts (default), convex, or any (Assumption 3.1)')
      .option('--beta <B>', 'beta of convex losses')
      .option('--lambda <L>', 'lambda of convex losses')
      .optionsGroup('Both:')
      .option('--rounds <T>', 'the number of rounds')
      .option('--delta <D>', 'the delta of the accounting (that of the theorem)')
      .option('--lipschitz <L>', 'Lipschitz constant of convex losses (1)')
      .option('--diameter <D>', 'diameter of their set, around the origin (1)'),
  examples: EXAMPLES,
  forms: {
    table: async ({ found, target }, { layout }) =>
      (await import('../../report/lazy/audit-table.ts')).lazyAuditTable(found, target, await layout()),
    json: async ({ found, target }, { version }) =>
      (await import('../../report/lazy/audit-json.ts')).lazyAuditJson(found, target, version),
    csv: async ({ found }) => (await import('../../report/lazy/audit-csv.ts')).lazyAuditCsv(found),
  },
  async read({ flags, errors }) {
    const { readAuditTask } = await import('./audit-question.ts');
    const { question, target } = readAuditTask(flags, errors);
    const { audit } = await import('../../lazy/accounting/audit.ts');
    return () => ({ result: { found: audit(question), target } });
  },
});
