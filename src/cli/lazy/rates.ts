import { Command } from 'commander';
import type { RatesFlags } from './rates-question.ts';
import { commandOf } from '../kit/command.ts';
import type { RateTable } from '../../lazy/rates/rate-table.ts';

const EXAMPLES = `
Without --rounds these are exponents: the regret is T^beta, up to logarithms,
for epsilon = T^-alpha and d = T^gamma. With --rounds they are the rates
themselves, with constant 1.

Examples:
  dpcompose lazy rates --figure c                      Figure 1 (c)
  dpcompose lazy rates oco --gamma 0.2 --alpha 0:1:0.1 --format csv
  dpcompose lazy rates ope --rounds 1e6 --experts 1000 --epsilon 0.01,0.1,1`;

/** `dpcompose lazy rates`: the regret rates of Table 1 and Figure 1. */
export const lazyRatesCommand = commandOf<RateTable, RatesFlags>({
  command: () =>
    new Command('rates')
      .summary('regret rates beside prior work: Table 1 and Figure 1')
      .description(
        'The regret of L2P as the paper claims it and as it is proved here, beside prior work: exponents as in Figure 1, or the rates of Table 1 for given numbers.',
      )
      .argument('[PROBLEM]', 'ope (prediction from experts, default) or oco (convex optimisation)')
      .optionsGroup('Exponents:')
      .option('--figure <F>', 'a, b or c: a part of Figure 1')
      .option('--gamma <G>', 'd = T^gamma (default: ope 1, oco 0)')
      .option('--alpha <A>', 'epsilon = T^-alpha (default: 0:1:0.125)')
      .optionsGroup('Rates:')
      .option('--rounds <T>', 'the number of rounds')
      .option('--experts <D>', 'the number of experts (ope)')
      .option('--dimension <D>', 'the dimension (oco)')
      .option('--epsilon <E>', 'epsilon, or several'),
  examples: EXAMPLES,
  forms: {
    table: async (found, { layout }) =>
      (await import('../../report/lazy/rates-table.ts')).lazyRatesTable(found, await layout()),
    json: async (found, { version }) => (await import('../../report/lazy/rates-json.ts')).lazyRatesJson(found, version),
    csv: async (found) => (await import('../../report/lazy/rates-csv.ts')).lazyRatesCsv(found),
  },
  async read({ operands: [problem], flags, errors }) {
    const { readRatesQuestion } = await import('./rates-question.ts');
    const question = readRatesQuestion(problem, flags, errors);
    const { rateTable } = await import('../../lazy/rates/rate-table.ts');
    return () => ({ result: rateTable(question) });
  },
});
