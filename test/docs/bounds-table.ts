import { format } from 'prettier';
import type { BoundId } from '../../src/bounds/core/bound.ts';
import { ALL_BOUNDS } from '../../src/bounds/all.ts';
import { compose } from '../../src/composition/compose/compose.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { MECHANISM_TYPES } from '../../src/document/mechanism/entry-schema.ts';
import { readSpecification } from '../../src/document/read-specification.ts';

/** Read as one of the others. */
const ALIASES = [
  'exponential',
  'report-noisy-max',
  'permute-and-flip',
  'sparse-vector',
  'tree-aggregation',
  'banded-matrix',
  'trade-off',
  'rappor',
];
const TYPES = MECHANISM_TYPES.filter((type) => !ALIASES.includes(type));

/** The keys of one mechanism of every type, with a parameter to vary; types that do not exist (yet) do no harm. */
const SAMPLES: Readonly<Record<string, (x: string) => object>> = {
  dp: (x) => ({ epsilon: x, delta: '1e-9' }),
  'bounded-range': (x) => ({ epsilon: x }),
  laplace: (x) => ({ epsilon: x }),
  'discrete-laplace': (x) => ({ scale: `${x}e2` }),
  gaussian: (x) => ({ sigma: `${x}e2` }),
  'discrete-gaussian': (x) => ({ sigma: `${x}e2` }),
  'finite-pair': (x) => ({ p: [x, new Decimal(1).minus(x).toString()], q: ['0.5', '0.5'] }),
  zcdp: (x) => ({ rho: x }),
  rdp: (x) => ({ alpha: 8, epsilon: x }),
  gdp: (x) => ({ mu: x }),
  'randomized-response': (x) => ({ epsilon: x, categories: 4 }),
  'shuffled-reports': (x) => ({ 'local-epsilon': x, users: 100 }),
  selection: (x) => ({ of: [{ type: 'gaussian', sigma: `${x}e2` }], runs: { law: 'poisson', mean: 5 } }),
};

const ADAPTIVITIES = ['adaptive', 'nonadaptive'] as const;

/** What is left out may be anything (adaptivity) or the simplest. */
interface Setting {
  readonly parameters?: readonly string[];
  readonly kind?: string;
  readonly adaptivity?: (typeof ADAPTIVITIES)[number];
}

/** What the other mechanisms of a mixture are composed with. */
const PARTNER = { type: 'bounded-range', epsilon: '0.1' };

/** Whether a bound applies to mechanisms of one type in a setting. */
function applies(id: BoundId, type: string, setting: Setting): boolean {
  const { parameters = ['0.1'], kind = 'noninteractive', adaptivity } = setting;
  if (adaptivity === undefined) return ADAPTIVITIES.some((each) => applies(id, type, { ...setting, adaptivity: each }));
  const sample = SAMPLES[type];
  if (sample === undefined) throw new Error(`The table of bounds needs a sample of ${type}: add it to SAMPLES.`);
  const mechanisms = [
    ...parameters.map((x) => ({ type, count: id === 'selection-profile' ? 1 : 2, kind, ...sample(x) })),
    ...(id === 'mixed' ? [type === 'bounded-range' ? { type: 'dp', epsilon: '0.1' } : PARTNER] : []),
  ];
  const document = { dpcompose: 1, adaptivity, target: { delta: '1e-6' }, mechanisms };
  const read = readSpecification(JSON.stringify(document));
  // Selections are of mechanisms that answer once.
  if (read.kind === 'refusal' && type === 'selection') return false;
  if (read.kind !== 'specification' || read.specification.target === null) throw new Error(JSON.stringify(read));
  // Whether it applies matters, not its value: no refinement is needed.
  const options = { bounds: [id], exhausted: () => true };
  return compose(read.specification, read.specification.target, options).kind === 'answer';
}

/** What a bound covers, found out by asking it. */
function coverage(id: BoundId): string {
  const types = TYPES.filter((type) => applies(id, type, {}));
  const never = (setting: Setting): boolean => !types.some((type) => applies(id, type, setting));
  const limits = [
    ...(never({ adaptivity: 'adaptive' }) ? ['nonadaptive'] : []),
    ...(never({ adaptivity: 'nonadaptive' }) ? ['adaptive'] : []),
    ...(never({ kind: 'interactive' }) ? ['noninteractive'] : []),
    ...(never({ parameters: ['0.1', '0.2'] }) ? ['equal parameters'] : []),
  ];
  const covered =
    id === 'mixed'
      ? `bounded-range together with ${types.filter((t) => t !== 'bounded-range').join(', ')}`
      : types.join(', ');
  return [covered, ...(limits.length === 0 ? [] : [`only ${limits.join(', ')}`])].join('; ');
}

/** Every bound with what it covers and its source, as a Markdown table. */
export async function boundsTable(): Promise<string> {
  const rows = ALL_BOUNDS.map(({ id, name, reference }) => `| \`${id}\` | ${name} | ${coverage(id)} | ${reference} |`);
  const table = ['| bound | what it is | holds for | source |', '| --- | --- | --- | --- |', ...rows].join('\n');
  return (await format(table, { parser: 'markdown' })).trimEnd();
}
