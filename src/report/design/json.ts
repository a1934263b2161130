import type { Change, Design, Noise, Times } from '../../composition/design/design.ts';
import { definitionsIn, statementsOf, type Link, type Taint } from '../../composition/design/data-flow.ts';
import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { ANSWER, PLAN_TOTALS, THEOREM } from '../compose/answer-json.ts';
import {
  choice,
  described,
  document,
  documentText,
  from,
  list,
  object,
  optional,
  orNull,
  plain,
  type Codec,
  type ValueOf,
} from '../kit/codec.ts';
import { FINITE, FLAG, GIVEN, INPUT, NEAREST, QUERY, TEXT } from '../kit/codecs.ts';
import { jsonForm } from '../kit/json-value.ts';
import { NODE, NODE_REFERENCE } from '../plan/json.ts';
import { placeText } from '../refusal/design-reasons.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { DESIGN_PROPERTIES, LINK } from '../refusal/json.ts';
import { trusted } from './facts.ts';
import type { Designed } from './statement.ts';

/** A number of times; unbounded: without an end that is known in advance. */
const TIMES = plain<Times>({ anyOf: [{ type: 'integer', minimum: 0 }, { const: 'unbounded' }] });

const CHANGE: Codec<Change, number | 'any'> = {
  schema: { anyOf: [GIVEN.schema, { const: 'any' }], description: 'A number with all its digits, or "any".' },
  encode: jsonForm,
};

const VARIABLE = object({
  name: TEXT,
  tainted: FLAG,
  reached: described(
    'From where the input reaches it, on a shortest way; null where it does not, and of an input.',
    orNull(from(object(LINK), (link: Link) => ({ ...link, path: placeText(link.at) }))),
  ),
});

const NOISE = from(
  object({ on: TEXT, distribution: choice('laplace', 'gaussian'), scale: NEAREST, exact: TEXT }),
  (noise: Noise) => ({ ...noise, exact: noise.scale.toString() }),
);

const SUBMECHANISM = from(
  object({
    mechanism: TEXT,
    kind: choice('noninteractive', 'interactive', 'continual'),
    instances: described('How many instances there may be.', TIMES),
    differing: described(
      'In how many messages neighbours may differ, and to how many instances.',
      object({ messages: TIMES, instances: TIMES }),
    ),
    arguments: list(object({ name: TEXT, change: CHANGE, covered: CHANGE })),
    noise: list(NOISE),
  }),
  ({ exposure, noise }: { readonly exposure: Exposure; readonly noise: readonly Noise[] }) => ({
    ...exposure,
    instances: exposure.created,
    differing: exposure,
    noise,
  }),
);

/** A design that has its properties. */
export const DESIGN = document(
  'design',
  'A mechanism that runs sub-mechanisms, why it is as private as they are together, and what that costs, as design --json prints it.',
  {
    input: INPUT,
    query: QUERY,
    properties: DESIGN_PROPERTIES,
    variables: list(VARIABLE),
    submechanisms: list(SUBMECHANISM),
    theorem: THEOREM,
    answer: ANSWER,
    plan: optional(PLAN_TOTALS),
    tree: NODE_REFERENCE,
    trusted: described('What the description says and the program cannot check.', list(TEXT)),
    errorShape: described(
      'Of a ready design, the order in which its error grows, up to constants that are not known: no bound on the error.',
      orNull(object({ order: TEXT, where: TEXT, value: orNull(FINITE) })),
    ),
    warnings: list(WARNING),
  },
  { node: NODE.schema },
);

/** Every name of a design, and from where the input reaches it, if it does. */
function variablesOf(design: Design, taint: Taint): readonly ValueOf<typeof VARIABLE>[] {
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

/** A design that has its properties as `dpcompose.design/1`. */
export function designJson({ check, plan, design, specification, errorShape }: Designed, version: string): string {
  const { answer, tree } = plan;
  const noiseOf = (mechanism: string): readonly Noise[] =>
    design.submechanisms.find((each) => each.mechanism === mechanism)?.noise ?? [];
  return documentText(DESIGN, {
    ...answer,
    version,
    input: exactForm(specification),
    properties: check.verdicts,
    variables: variablesOf(design, check.taint),
    submechanisms: check.exposures.map((exposure) => ({ exposure, noise: noiseOf(exposure.mechanism) })),
    theorem: ofSubmechanisms,
    answer,
    tree,
    trusted: trusted(design, specification.entries),
    errorShape,
  });
}
