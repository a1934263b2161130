import { parseArgs } from 'node:util';
import { verdictOf } from './campaign.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!Number.isSafeInteger(cases) || !Number.isSafeInteger(seed) || cases < 1 || seed < 0) {
  throw new Error('npm run enumerate -- [--cases N] [--seed S]');
}
let [breaches, largest] = [0, 0];
for (let number = 0; number < cases; number++) {
  const verdict = verdictOf(seed, number);
  largest = Math.max(largest, verdict.share);
  if (verdict.breaches.length === 0) continue;
  breaches++;
  print(verdict.instance);
  for (const breach of verdict.breaches) print(`  BREACH ${breach}`);
}
print(
  `${cases} instances (seed ${seed}), ${breaches} with a breach; the nearest has ${largest.toFixed(4)} of its bound`,
);
process.exitCode = breaches === 0 ? 0 : 1;
