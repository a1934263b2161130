import { parseArgs } from 'node:util';
import { clopperPearson } from '../../src/numeric/binomial.ts';
import { AUDITED, coverageOf, METHODS } from './campaign.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: { audits: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const [audits, seed] = [Number(values.audits), Number(values.seed)];
if (!Number.isSafeInteger(audits) || !Number.isSafeInteger(seed) || audits < 1 || seed < 0) {
  throw new Error('npm run audits -- [--audits N] [--seed S]');
}
/** What bounds at 95 % confidence may be above the truth. */
const ALLOWED = 0.05;
let breaches = 0;
for (const mechanism of AUDITED) {
  for (const method of Object.keys(METHODS)) {
    const coverage = coverageOf(mechanism, method, audits, seed);
    const { aboveEpsilon, aboveMu, medianEpsilon, medianMu } = coverage;
    // More often than chance allows, with a chance of 1 in a million.
    const isBreach = [aboveEpsilon, aboveMu].some((count) => clopperPearson(count, audits, 1 - 1e-6).lower > ALLOWED);
    if (isBreach) breaches++;
    const share = (count: number): string => `${((100 * count) / audits).toFixed(2)} %`;
    print(
      `${mechanism.name}; ${method}: above epsilon ${share(aboveEpsilon)}, above mu ${share(aboveMu)}; medians ${medianEpsilon.toFixed(4)} of ${mechanism.epsilon.toFixed(4)}, ${medianMu.toFixed(4)} of ${mechanism.mu.toFixed(4)}${isBreach ? '  BREACH' : ''}`,
    );
  }
}
print(`${audits} audits of each (seed ${seed}), ${breaches} with a breach of 5 %`);
process.exitCode = breaches === 0 ? 0 : 1;
