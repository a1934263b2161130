import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { campaign, classesOf } from './campaign.ts';
import { CLASSES } from './classes.ts';
import { judge } from './judge.ts';
import { recordsRegion } from './records-region.ts';
import { reportText } from './report.ts';
import { sampledRegion } from './sampled-region.ts';
import type { CaseSpec } from './specification.ts';

const USAGE = `npm run soundness -- [--cases N] [--seed S] [--class NAME] [--replay JSON]
       npm run soundness -- --only sampled [--cases N]
       npm run soundness -- --only records [--cases N] [--seed S]
classes, or their first words: ${CLASSES.map(({ name }) => name).join(', ')}`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs exactly the case that was printed. */
function replay(json: string): number {
  const verdict = judge(JSON.parse(json) as CaseSpec);
  const { misses, ...rest } = verdict;
  print(JSON.stringify(rest));
  for (const miss of misses) print(`MISS ${miss}`);
  if (misses.length === 0) print('holds');
  return misses.length === 0 ? 0 : 1;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a whole number: ${text}`);
  return value;
}

/** Complains of how far it is, each half minute. */
function saying(begin: number): (done: number) => void {
  let last = begin;
  return (done) => {
    const now = performance.now();
    if (now - last < 30_000) return;
    last = now;
    complain(`${done} cases, ${((now - begin) / 1000).toFixed(0)} s`);
  };
}

/** All questions of a table. */
const ALL = 1e6;

/** The campaign of one region. */
function only(name: string, cases: number | null, seed: number): number {
  const say = saying(performance.now());
  if (name === 'records') return recordsRegion(cases ?? 200, seed, print, say) === 0 ? 0 : 1;
  if (name !== 'sampled') throw new Error(`unknown region ${name}`);
  return sampledRegion(cases ?? ALL, print, say) === 0 ? 0 : 1;
}

function run(): number {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string' },
      seed: { type: 'string', default: '1' },
      class: { type: 'string' },
      only: { type: 'string' },
      replay: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    print(USAGE);
    return 0;
  }
  if (values.replay !== undefined) return replay(values.replay);
  if (values.only !== undefined) {
    const cases = values.cases === undefined ? null : wholeNumber(values.cases);
    return only(values.only, cases, wholeNumber(values.seed));
  }
  const name = values.class;
  if (name !== undefined && classesOf(name).length === 0) throw new Error(`unknown class ${name}`);
  const begin = performance.now();
  const say = saying(begin);
  const report = campaign({
    cases: wholeNumber(values.cases ?? '2000'),
    seed: wholeNumber(values.seed),
    ...(name === undefined ? {} : { class: name }),
    onMiss(spec, { misses }) {
      print(JSON.stringify(spec));
      for (const miss of misses) print(`  MISS ${miss}`);
    },
    onProgress: say,
  });
  print(reportText(report, (performance.now() - begin) / 1000));
  return report.misses === 0 ? 0 : 1;
}

try {
  process.exitCode = run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  complain(USAGE);
  process.exitCode = 2;
}
