import { CLASSES, drawCase, type CaseClass } from './classes.ts';
import { judge, type Verdict } from './judge.ts';
import { Random } from './random.ts';
import type { CaseSpec } from './specification.ts';
import { Distribution } from './statistics.ts';

export interface CampaignOptions {
  readonly cases: number;
  readonly seed: number;
  /** Only this class, or those whose names begin with this word. */
  readonly class?: string;
  /** How many milliseconds each case may be refined for; Infinity: widths do not depend on the machine. */
  readonly patience?: number;
  /** Called with every case that fails. */
  readonly onMiss?: (spec: CaseSpec, verdict: Verdict) => void;
  readonly onProgress?: (done: number) => void;
}

export interface WideCase {
  readonly width: number;
  readonly spec: CaseSpec;
}

export interface ClassReport {
  readonly name: string;
  cases: number;
  misses: number;
  /** Cases whose answer has no width: nothing above 0, an infinite epsilon, or no lower bound. */
  withoutWidth: number;
  work: number;
  reference: number;
  widest: WideCase | null;
  readonly widths: Readonly<Record<'epsilon' | 'delta', Distribution>>;
}

export interface SlowCase {
  readonly work: number;
  readonly spec: CaseSpec;
}

export interface CampaignReport {
  readonly cases: number;
  readonly misses: number;
  readonly classes: readonly ClassReport[];
  readonly slowest: readonly SlowCase[];
}

const SLOWEST = 8;

const emptyReport = (name: string): ClassReport => ({
  name,
  cases: 0,
  misses: 0,
  withoutWidth: 0,
  work: 0,
  reference: 0,
  widest: null,
  widths: { epsilon: new Distribution(), delta: new Distribution() },
});

/** The classes of a name, or of which it is the first word. */
export const classesOf = (name?: string): readonly CaseClass[] =>
  name === undefined ? CLASSES : CLASSES.filter((one) => one.name === name || one.name.startsWith(`${name}-`));

export const caseOf = (seed: number, index: number, name?: string): CaseSpec =>
  drawCase(new Random(seed, index), classesOf(name));

/** Draws cases and compares each with the truth; memory does not grow with their number. */
export function campaign({ cases, seed, class: name, patience, onMiss, onProgress }: CampaignOptions): CampaignReport {
  const reports = new Map<string, ClassReport>();
  const slowest: SlowCase[] = [];
  let misses = 0;
  for (let index = 0; index < cases; index++) {
    const spec = caseOf(seed, index, name);
    const verdict = judge(spec, patience);
    const report = reports.get(spec.class) ?? emptyReport(spec.class);
    reports.set(spec.class, report);
    report.cases++;
    report.work += verdict.work;
    report.reference += verdict.reference;
    if (verdict.width === null) report.withoutWidth++;
    else {
      report.widths[verdict.solvedFor].add(verdict.width);
      if (verdict.width > (report.widest?.width ?? 0)) report.widest = { width: verdict.width, spec };
    }
    if (verdict.misses.length > 0) {
      misses++;
      report.misses++;
      onMiss?.(spec, verdict);
    }
    if (slowest.length < SLOWEST || verdict.work > slowest.at(-1)!.work) {
      slowest.push({ work: verdict.work, spec });
      slowest.sort((a, b) => b.work - a.work);
      slowest.length = Math.min(slowest.length, SLOWEST);
    }
    onProgress?.(index + 1);
  }
  const classes = CLASSES.flatMap((one) => reports.get(one.name) ?? []);
  return { cases, misses, classes, slowest };
}
