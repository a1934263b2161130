import type { DesignCheck } from '../../composition/design/check-design.ts';
import type { Design, Noise } from '../../composition/design/design.ts';
import type { ErrorShape } from '../../composition/design/algorithms.ts';
import { isEntry } from '../../composition/core/plan-node.ts';
import type { PricedPlan } from '../../composition/plan/price-plan.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Specification } from '../../document/core/specification.ts';
import { changeText, countText, placeText } from '../refusal/design-reasons.ts';
import { lowerText, meet, pairText, queryText } from '../kit/number.ts';
import { listed, printable } from '../kit/prose.ts';
import { definitionsIn, statementsOf, type Link, type Taint } from '../../composition/design/data-flow.ts';
import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { ANSWER, PLAN_TOTALS, THEOREM } from '../compose/json.ts';
import { COUNT, FINITE, FLAG, GIVEN, INPUT, NEAREST, QUERY, TEXT } from '../kit/codecs.ts';
import { NODE, NODE_REFERENCE } from '../plan/json.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { DESIGN_PROPERTIES, LINK } from '../refusal/json.ts';
import { trusted, exposureTable, noiseTable, taintSentence, verdictTable } from './facts.ts';
import { heading, label, list, paragraph, stack, type Output } from '../kit/page.ts';
import { notes, pricedTree, totals, treeBlock } from '../plan/page.ts';
import * as json from '../kit/codec.ts';

/** A design that has its properties, and what it costs. */
export interface Designed {
  readonly check: DesignCheck;
  readonly plan: PricedPlan;
  readonly design: Design;
  readonly specification: Specification & { readonly target: Query };
  /** Of a ready design. */
  readonly errorShape: ErrorShape | null;
}

/** Which inputs are neighbouring: in the user's words, and as the design was checked. */
function neighbours({ design: { inputs }, specification }: Designed): string {
  const differ = inputs.map(
    ({ name, differing, change }) =>
      `${differing === 'unbounded' ? '' : 'at most '}${countText(differing, 'value')} of ${name}${change === 'any' ? '' : `, by at most ${changeText(change)}`}`,
  );
  const words =
    specification.neighbours === null ? '' : `${printable(specification.neighbours).replace(/[.\s]+$/, '')}: `;
  return `Neighboring inputs: ${words}they differ in ${listed(differ)}.`;
}

/** The same guarantee in the local model, where users hold the data; else nothing. */
const inLocalModel = ({ specification: { entries } }: Designed): string =>
  entries.some((node) => !isEntry(node) && node.node === 'local')
    ? ' Its output being all that the server sees, the protocol has that guarantee in the local model.'
    : '';

/** The guarantee of the mechanism in plain words. */
function designStatement(report: Designed): string {
  const { answer } = report.plan;
  const { query } = answer;
  const value = answer[query.solveFor];
  const about = neighbours(report);
  const against = 'against adversaries who choose each input after seeing the outputs so far';
  if (query.solveFor === 'epsilon' && value.upper === Infinity) {
    return `The mechanism has no finite ${queryText(query)} by the bounds that apply. ${about}`;
  }
  const claim = `The mechanism is ${pairText(query, value)}-differentially private, ${against}`;
  if (query.solveFor === 'delta' && value.upper >= 1) return `${claim}, which is no guarantee at all. ${about}`;
  const floor =
    value.lower === null || meet(value.lower, value.upper)
      ? ''
      : ` No ${query.solveFor} below ${lowerText(value.lower)} holds for sub-mechanisms with these guarantees.`;
  return `${claim}.${floor}${inLocalModel(report)} ${about}`;
}

/** How the error grows; nothing is promised. */
function errorShapeText({ order, where, value }: ErrorShape): string {
  const size = value === null ? '' : `, here ${Number(value.toPrecision(4))}`;
  return `The error grows in the order of ${order}${size}, with ${where}, up to constants that are not known: no bound on the error is claimed.`;
}

/** A number of times; unbounded: without an end that is known in advance. */
const TIMES = json.orWord(COUNT, 'unbounded');

const CHANGE = json.described('A number with all its digits, or "any".', json.orWord(GIVEN, 'any'));

const VARIABLE = json.object({
  name: TEXT,
  tainted: FLAG,
  reached: json.described(
    'From where the input reaches it, on a shortest way; null where it does not, and of an input.',
    json.orNull(json.from(json.object(LINK), (link: Link) => ({ ...link, path: placeText(link.at) }))),
  ),
});

const NOISE = json.from(
  json.object({ on: TEXT, distribution: json.choice('laplace', 'gaussian'), scale: NEAREST, exact: TEXT }),
  (noise: Noise) => ({ ...noise, exact: noise.scale.toString() }),
);

const SUBMECHANISM = json.from(
  json.object({
    mechanism: TEXT,
    kind: json.choice('noninteractive', 'interactive', 'continual'),
    instances: json.described('How many instances there may be.', TIMES),
    differing: json.described(
      'In how many messages neighbours may differ, and to how many instances.',
      json.object({ messages: TIMES, instances: TIMES }),
    ),
    arguments: json.list(json.object({ name: TEXT, change: CHANGE, covered: CHANGE })),
    noise: json.list(NOISE),
  }),
  ({ exposure, noise }: { readonly exposure: Exposure; readonly noise: readonly Noise[] }) => ({
    ...exposure,
    instances: exposure.created,
    differing: exposure,
    noise,
  }),
);

/** A design that has its properties. */
export const DESIGN = json.document(
  'design',
  'A mechanism that runs sub-mechanisms, why it is as private as they are together, and what that costs, as design --json prints it.',
  {
    input: INPUT,
    query: QUERY,
    properties: DESIGN_PROPERTIES,
    variables: json.list(VARIABLE),
    submechanisms: json.list(SUBMECHANISM),
    theorem: THEOREM,
    answer: ANSWER,
    plan: json.optional(PLAN_TOTALS),
    tree: NODE_REFERENCE,
    trusted: json.described('What the description says and the program cannot check.', json.list(TEXT)),
    errorShape: json.described(
      'Of a ready design, the order in which its error grows, up to constants that are not known: no bound on the error.',
      json.orNull(json.object({ order: TEXT, where: TEXT, value: json.orNull(FINITE) })),
    ),
    warnings: json.list(WARNING),
  },
  { node: NODE.schema },
);

/** Every name of a design, and from where the input reaches it, if it does. */
function variablesOf(design: Design, taint: Taint): readonly json.ValueOf<typeof VARIABLE>[] {
  const names = new Set([
    ...design.inputs.map(({ name }) => name),
    ...design.constants,
    ...definitionsIn(statementsOf(design)).map(({ variable }) => variable),
  ]);
  return [...names].map((name) => {
    const chain = taint.get(name);
    return { name, tainted: chain !== undefined, reached: chain?.[0] ?? null };
  });
}

/**
 * A design that has its properties: why it has them, what reaches each sub-mechanism, what those cost as a tree of
 * theorems, and the guarantee of the mechanism.
 */
export function designOutput(report: Designed): Output {
  const { check, design, plan, specification, errorShape } = report;
  const { answer, tree } = plan;
  const premises = trusted(design, specification.entries);
  const noiseOf = (mechanism: string): readonly Noise[] =>
    design.submechanisms.find((each) => each.mechanism === mechanism)?.noise ?? [];
  const hasNoise = design.submechanisms.some(({ noise }) => noise.length > 0);
  const properties = [verdictTable(check, design), paragraph(taintSentence(check)), exposureTable(check)];
  const growth = paragraph(errorShape && errorShapeText(errorShape));
  return {
    page: () => [
      heading(specification.name),
      ...properties,
      noiseTable(design),
      treeBlock(plan),
      paragraph(designStatement(report)),
      ...notes(plan),
      stack([label('Taken on trust:'), list(premises)]),
      growth,
    ],
    markdown: () => [
      heading(specification.name ?? 'Design'),
      paragraph(designStatement(report)),
      totals(plan),
      heading('Properties', 2),
      ...properties,
      paragraph(
        `With these properties the mechanism is as private as its sub-mechanisms are together (${ofSubmechanisms.reference}).`,
      ),
      heading(hasNoise ? 'Noise' : null, 2),
      noiseTable(design),
      heading('Price', 2),
      ...pricedTree(plan),
      heading('Taken on trust', 2),
      list(premises),
      growth,
    ],
    json: (version) =>
      json.documentText(DESIGN, {
        ...answer,
        version,
        input: exactForm(specification),
        properties: check.verdicts,
        variables: variablesOf(design, check.taint),
        submechanisms: check.exposures.map((exposure) => ({ exposure, noise: noiseOf(exposure.mechanism) })),
        theorem: ofSubmechanisms,
        answer,
        tree,
        trusted: premises,
        errorShape,
      }),
  };
}
