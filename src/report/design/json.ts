import type { Design, Noise } from '../../composition/design/design.ts';
import type { Exposure } from '../../composition/design/neighbouring-mapping.ts';
import type { Taint } from '../../composition/design/taint.ts';
import { ofSubmechanisms } from '../../composition/theorems/design.ts';
import { definitionsIn } from '../../composition/design/definitions.ts';
import { statementsOf } from '../../composition/design/statements.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { trusted } from './facts.ts';
import { placeText } from '../refusal/design-reasons.ts';
import type { Designed } from './statement.ts';
import { answerJson, planTotals, queryJson, theoremJson, warningRow } from '../compose/json.ts';
import { jsonDocument, jsonForm, jsonNumber, type Json } from '../kit/json-value.ts';
import { nodeJson } from '../plan/json.ts';

/** Every name of a design, and from where the input reaches it, if it does. */
function variablesJson(design: Design, taint: Taint): Json {
  const names = new Set([
    ...design.inputs.map(({ name }) => name),
    ...design.constants,
    ...definitionsIn(statementsOf(design)).map(({ variable }) => variable),
  ]);
  return [...names].map((name) => {
    const chain = taint.get(name);
    const [link] = chain ?? [];
    return {
      name,
      tainted: chain !== undefined,
      reached: link === undefined ? null : { from: link.from, how: link.how, path: placeText(link.at) },
    };
  });
}

const noiseJson = ({ on, distribution, scale }: Noise): Json => ({
  on,
  distribution,
  scale: jsonNumber(scale.toNumber()),
  exact: scale.toString(),
});

const exposureJson = (
  { mechanism, kind, created, messages, instances, arguments: parts }: Exposure,
  noise: readonly Noise[],
): Json => ({
  mechanism,
  kind,
  instances: created,
  differing: { messages, instances },
  arguments: parts.map(({ name, change, covered }) => ({
    name,
    change: jsonForm(change),
    covered: jsonForm(covered),
  })),
  noise: noise.map(noiseJson),
});

/** A design that has its properties as `dpcompose.design/1`. */
export function designJson({ check, plan, design, specification, errorShape }: Designed, version: string): string {
  const { answer, tree } = plan;
  const noiseOf = (mechanism: string): readonly Noise[] =>
    design.submechanisms.find((each) => each.mechanism === mechanism)?.noise ?? [];
  return jsonDocument({
    schema: 'dpcompose.design/1',
    version,
    input: jsonForm(exactForm(specification)),
    query: queryJson(answer.query),
    properties: Object.fromEntries(check.verdicts.map(({ property, state }) => [property, state])),
    variables: variablesJson(design, check.taint),
    submechanisms: check.exposures.map((exposure) => exposureJson(exposure, noiseOf(exposure.mechanism))),
    theorem: theoremJson(ofSubmechanisms),
    answer: answerJson(answer),
    ...planTotals(answer),
    tree: nodeJson(tree),
    trusted: trusted(design, specification.entries),
    errorShape:
      errorShape === null
        ? null
        : {
            order: errorShape.order,
            where: errorShape.where,
            value: errorShape.value === null ? null : jsonNumber(errorShape.value),
          },
    warnings: answer.warnings.map(warningRow),
  });
}
