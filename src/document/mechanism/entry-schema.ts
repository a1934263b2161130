import * as z from 'zod/mini';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { Entry, Mechanism, RunMechanism, Sampled, Selection } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import { recordOf, typesWith, type MechanismWith } from '../../privacy/mechanisms/records.ts';
import { isAllocation, sizesOf } from '../../privacy/sampling/random-allocation.ts';
import { rationalOf } from '../../privacy/sampling/rate.ts';
import { published } from '../core/fields.ts';
import { noNumber } from '../core/forms.ts';
import type { Path } from '../core/input-error.ts';
import type { ParsedTarget } from '../core/question-schema.ts';
import { CHUNK, validate, type Diagnostics } from '../core/validate.ts';
import { finitePair, tradeOff } from './finite-pair.ts';
import { discreteGaussian, gaussian, laplace } from './gaussian.ts';
import { rdp, zcdp } from './guarantees.ts';
import { rappor, shuffledReports } from './local.ts';
import { bandedMatrix, treeAggregation } from './matrix.ts';
import { runLawOf, runsText } from './run-law.ts';
import { onSample, samplingIsCovered } from './sampling.ts';
import { selectionIsCovered, selectionType } from './selection.ts';
import { boundedRange, permuteAndFlip, reportNoisyMax, sparseVector } from './selections.ts';
import { plainType, required, type Syntax, type Wording } from './written-type.ts';

const [dp, discreteLaplace, gdp] = [plainType('dp'), plainType('discrete-laplace'), plainType('gdp')];
const randomizedResponse = plainType('randomized-response');

/** The types that are written by the parameters of their records and have no other place in messages. */
const OTHERS = typesWith('plain')
  .filter((type) => !['dp', 'discrete-laplace', 'gdp', 'randomized-response'].includes(type))
  .map(plainType);

/** The types of which a run may consist, in the order in which messages list them. */
const RUN_SYNTAXES = [
  dp,
  boundedRange,
  reportNoisyMax,
  permuteAndFlip,
  sparseVector,
  laplace,
  gaussian,
  discreteLaplace,
  discreteGaussian,
  treeAggregation,
  bandedMatrix,
  finitePair,
  tradeOff,
  zcdp,
  rdp,
  gdp,
  randomizedResponse,
  rappor,
  shuffledReports,
  ...OTHERS,
] as const;

/** `1/100` as it is, `0.01` where it has few digits. */
function rateText(rate: Rational): string {
  const decimal = roundedDecimal(rate, 12, 'up');
  return Rational.ofDecimal(decimal).equals(rate) ? decimal.toString() : rate.toString();
}

const SCHEME_WORDS: Readonly<Record<Sampled['scheme'], string>> = {
  poisson: 'on Poisson samples',
  'without-replacement': 'on samples without replacement',
  'with-replacement': 'on samples with replacement',
  'random-allocation': 'under random allocation',
  shuffled: 'on shuffled batches',
};

/** Mechanisms on samples: written as the mechanism with a `sampling`. */
const sampled: Wording<Sampled> = {
  words: (mechanism, figures) => {
    const { of, scheme, rate, rates, records, draws } = mechanism;
    const noise = wordingOf(of).words(of, figures);
    if (!isAllocation(mechanism)) {
      const person = records ? `, ${figures.whole(records.toNumber())} records a person` : '';
      const drawn = draws ? `, drawn ${figures.whole(draws.toNumber())} times` : '';
      const often = rates
        ? `rates ${rates.map((own) => rateText(rationalOf(own))).join(', ')}`
        : `rate ${rateText(rationalOf(rate))}`;
      return `${noise} ${SCHEME_WORDS[scheme]} of ${often}${drawn}${person}`;
    }
    const { batches, selected } = sizesOf(mechanism);
    return `${noise} ${SCHEME_WORDS[scheme]} to ${figures.whole(selected)} of ${figures.whole(batches)} batches`;
  },
};

/** Selections: the law of runs, and what one of them is. */
const selectionWording: Wording<Selection> = {
  words: ({ of, runs: own }, figures) => {
    const parts = of.map(({ mechanism, count }) => {
      const words = wordingOf(mechanism).words(mechanism, figures);
      return count === 1 ? words : `${figures.whole(count)} times ${words}`;
    });
    return `the best of ${runsText(own, figures.number)} of ${parts.join(' and ')}`;
  },
};

/** How mechanisms are written out that are written in several forms. */
const WORDINGS: {
  readonly [T in Exclude<Mechanism, MechanismWith<'plain'>>['type']]: Wording<Extract<Mechanism, { type: T }>>;
} = {
  'bounded-range': boundedRange,
  laplace,
  gaussian,
  'discrete-gaussian': discreteGaussian,
  'finite-pair': finitePair,
  zcdp,
  rdp,
  'shuffled-reports': shuffledReports,
  sampled,
  selection: selectionWording,
};

/** How mechanisms of a type are written out. */
export const wordingOf = <M extends Mechanism>(mechanism: M): Wording<M> =>
  recordOf(mechanism).plain ?? (WORDINGS[mechanism.type as keyof typeof WORDINGS] as unknown as Wording<M>);

type Schemas<T extends readonly unknown[]> = { [I in keyof T]: T[I] extends Syntax<infer S> ? S : never };

/** The schemas of types, checked for what no theorem covers. */
const checkedSchemas = <T extends readonly unknown[]>(syntaxes: T): Schemas<T> =>
  (syntaxes as unknown as readonly Syntax<z.ZodMiniObject>[]).map(({ schema, mechanismOf: plain }) => {
    const checked = schema
      .check(samplingIsCovered(plain as (parsed: object) => Mechanism) as never)
      .check(selectionIsCovered as never);
    const metadata = published.get(schema);
    if (metadata !== undefined) published.add(checked, metadata);
    return checked;
  }) as unknown as Schemas<T>;

const RUN_SCHEMAS = checkedSchemas(RUN_SYNTAXES);

/** A mechanism of one run. */
const runSchema = z.discriminatedUnion('type', RUN_SCHEMAS);

const selection = selectionType(runSchema, (parsed) => entryOfRun(parsed));

/** Every type that may be written. */
const SYNTAXES = [...RUN_SYNTAXES, selection] as const;

/** The schemas of mechanisms, type by type. */
export const ENTRY_SCHEMAS = [...RUN_SCHEMAS, ...checkedSchemas([selection] as const)] as const;

/** A mechanism. */
export const entrySchema = z.discriminatedUnion('type', ENTRY_SCHEMAS);

/** A validated entry as it was written, defaults filled in. */
export type ParsedEntry = z.infer<typeof entrySchema>;

/** A list of mechanisms. */
const entriesSchema = z.array(z.pipe(noNumber('each item'), entrySchema)).check(z.minLength(1));

const BY_TYPE: ReadonlyMap<string, (typeof SYNTAXES)[number]> = new Map(
  SYNTAXES.flatMap((syntax) => [...syntax.schema.shape.type.def.values].map((type) => [type, syntax] as const)),
);

/** The mechanism that a validated entry means, but for a selection among its runs. */
const mechanismOf = (parsed: ParsedEntry): Mechanism =>
  onSample((BY_TYPE.get(parsed.type)!.mechanismOf as (parsed: ParsedEntry) => Mechanism)(parsed), parsed);

/** How many mechanisms a validated entry means. */
const countOf = (parsed: ParsedEntry): number => {
  const rounds = BY_TYPE.get(parsed.type)!.rounds as ((parsed: ParsedEntry) => number) | undefined;
  return parsed.count.toNumber() * (rounds?.(parsed) ?? 1);
};

/** The keys that an entry of each type may have. */
export const ENTRY_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  [...BY_TYPE].map(([type, { schema }]) => [type, Object.keys(schema.shape)]),
);

/** The types a document may name. */
export const MECHANISM_TYPES: readonly string[] = [...BY_TYPE.keys()];

/** A mechanism of one run as an entry: a selection is refused where it stands. */
const entryOfRun = (parsed: z.infer<typeof runSchema>): Entry<RunMechanism> => toSingle(parsed) as Entry<RunMechanism>;

/** The normal form of a validated entry: aliases resolved, every default filled in, all of it one run where the best is released. */
export function toEntry(parsed: ParsedEntry): Entry {
  const single = toSingle(parsed);
  const { 'best-of': law } = parsed;
  if (law === undefined || single.mechanism.type === 'selection') return single;
  const of = [{ ...single, label: null } as Entry<RunMechanism>];
  return {
    mechanism: { type: 'selection', of, runs: runLawOf(law) },
    count: 1,
    kind: single.kind,
    label: single.label,
  };
}

function toSingle(parsed: ParsedEntry): Entry {
  const mechanism = mechanismOf(parsed);
  const { neighbours } = parsed;
  return {
    mechanism,
    count: countOf(parsed),
    kind: parsed.kind,
    label: parsed.label ?? null,
    ...(neighbours === undefined || mechanism.type === 'sampled' ? {} : { neighbours }),
  };
}

/** The query that a validated target asks. */
export function toQuery({ delta, epsilon }: ParsedTarget): Query {
  return delta === undefined ? { solveFor: 'delta', epsilon: required(epsilon) } : { solveFor: 'epsilon', delta };
}

/** Checks a list of entries; `toPath` leads from paths in the list to those of the input. */
export function validateEntries(
  raw: readonly unknown[],
  diagnostics: Diagnostics,
  toPath: (path: Path) => Path,
): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < raw.length; start += CHUNK) {
    const chunk = validate(entriesSchema, raw.slice(start, start + CHUNK), diagnostics, ([index, ...rest]) =>
      toPath([start + Number(index), ...rest]),
    );
    for (const entry of chunk ?? []) entries.push(toEntry(entry));
  }
  return entries;
}
