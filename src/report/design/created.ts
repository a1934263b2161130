import type { Violation } from '../../composition/design/violation.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { creationLimit } from '../refusal/creation-limit.ts';
import { countText } from '../refusal/design-reasons.ts';
import { countKeys, runOf, type DesignedDocument, type Run, type ViolationText } from './designed-document.ts';
import { grouped, listed } from '../kit/prose.ts';
import { lateMechanisms } from '../refusal/refused-document.ts';

type MoreCreated = Extract<Violation, { code: 'more-created' }>;

/** How many the document says there are, and where. */
function declaredText({ node, name }: Run, declared: number): string {
  const key = countKeys(node).instances;
  if (key === null) return `${name} is a group, of which there is one`;
  return isEntry(node) && declared === 1 ? `${name} is there once` : `"${key}" is ${grouped(declared)} at ${name}`;
}

const keptWithout = (node: PlanNode): string => (isEntry(node) ? 'without "label" and "count"' : 'without "label"');

/** An element that has any number of instances of what stands there. */
function replacement({ mechanism }: MoreCreated, { node, path }: Run, { exposures }: DesignedDocument): string {
  const messages = exposures.find((exposure) => exposure.mechanism === mechanism)?.messages ?? 1;
  const sparsity = messages === 'unbounded' ? 1 : Math.max(1, messages);
  return `replace ${path} by {"type": "parallel", "label": ${JSON.stringify(mechanism)}, "sparsity": ${sparsity}, "of": ...}, "of" being what stands there now, ${keptWithout(node)}`;
}

const sentence = (clauses: readonly string[]): string => {
  const text = clauses.join('; or ');
  return `${(text[0] ?? '').toUpperCase()}${text.slice(1)}.`;
};

/** More instances than the document has, and what would limit them or allow for them. */
export function moreCreated(violation: MoreCreated, document: DesignedDocument): ViolationText {
  const { mechanism, created, declared, at } = violation;
  const run = runOf(document, mechanism);
  const key = countKeys(run.node).instances;
  const does = at.statement.does === 'send' ? 'send' : 'create';
  const limit = creationLimit({ design: document.design, mechanism, does }, declared);
  const limited = limit === null || limit.texts.length === 0 ? [] : [listed(limit.texts)];
  // Without an end of their number, some mechanisms have no theorem.
  const endless = lateMechanisms({ ...run, above: [] }).length === 0;
  const without =
    key === null || isEntry(run.node)
      ? replacement(violation, run, document)
      : `set "${key}" to "unbounded" at ${run.path}`;
  const allowed =
    key !== null && created !== 'unbounded'
      ? [`set "${key}" to ${created} at ${run.path}`]
      : endless || limited.length === 0
        ? [without]
        : [];
  return {
    message: `${countText(created, 'instance')} of ${mechanism} may be created, but ${declaredText(run, declared)}.`,
    remedy: sentence([...limited, ...allowed]),
  };
}
