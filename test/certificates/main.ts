import { parseArgs } from 'node:util';
import { Random } from '../soundness/random.ts';
import { checkerSays } from './campaign.ts';
import { randomCertificate, type Answered, type Written } from './questions.ts';
import { FALSE_BUDGETS, randomFilter } from './filters.ts';
import { spoiled } from './spoiled.ts';

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const [cases, seed] = [Number(values.cases), Number(values.seed)];
if (!Number.isSafeInteger(cases) || !Number.isSafeInteger(seed) || cases < 1 || seed < 0) {
  throw new Error('npm run check-certificates -- [--cases N] [--seed S]');
}
/** Certificates that one process of the checker reads. */
const TOGETHER = 40;
const counts = new Map<string, number>();
const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
let [withLower, wrong] = [0, 0];

/** How many are judged, by what makes them and what makes them false. */
async function judged(
  cases: number,
  make: (stream: number) => Answered | null | Promise<Answered | null>,
  claims: Parameters<typeof spoiled>[3],
): Promise<void> {
  let [done, stream] = [0, 0];
  while (done < cases) {
    const answers: Answered[] = [];
    while (answers.length < Math.min(TOGETHER, cases - done)) {
      const answer = await make(stream++);
      if (answer === null) count('no certificate');
      else answers.push(answer);
    }
    const bad = answers.map((answer, i) => spoiled(answer, done + i, new Random(seed, done + i), claims));
    const texts = answers.map(({ text }) => text);
    for (const text of texts) {
      const { adaptivity, upper, lower } = JSON.parse(text) as Written;
      count(`of ${upper.theorem}${adaptivity === 'filter' ? ', a filter' : ''}`);
      if (lower !== null) withLower++;
    }
    checkerSays(texts).forEach((line, i) => {
      if (line.startsWith('holds: ')) return;
      wrong++;
      print(`REFUSED ${line}\n${texts[i]!}`);
    });
    checkerSays(bad.map(({ text }) => text)).forEach((line, i) => {
      const { how, text } = bad[i]!;
      count(`spoiled: ${how}`);
      if (line.startsWith('refused: ')) return;
      wrong++;
      print(`ACCEPTED with ${how}: ${line}\n${text.slice(0, 2000)}`);
    });
    done += texts.length;
  }
}

/** For each five answers the budget of one filter. */
const filters = Math.ceil(cases / 5);
await judged(cases, (stream) => randomCertificate(seed, stream), undefined);
await judged(filters, (stream) => randomFilter(seed, stream), FALSE_BUDGETS);
for (const [what, number] of [...counts].sort()) print(`${String(number).padStart(6)} ${what}`);
print(
  `${cases} certificates of answers (seed ${seed}), ${withLower} with a lower end, ${filters} of filters, and as many spoiled ones: ${wrong} judged wrongly`,
);
process.exitCode = wrong === 0 ? 0 : 1;
