import { flatEntries, isEntry, type PlanNode, type Structure, withDescendants } from '../composition/core/plan-node.ts';
import { effectiveOrder } from '../privacy/curve.ts';
import type { Specification } from '../document/core/specification.ts';
import { mechanismsText } from './kit/statement.ts';
import { givenIn } from './kit/number.ts';
import { grouped, listed, printable } from './kit/prose.ts';
import type { Warning } from '../composition/core/outcome.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import { INPUT } from './kit/codecs.ts';
import { WARNING } from './refusal/refusal.ts';
import * as json from './kit/codec.ts';

const MANNER = {
  adaptive: 'adaptively chosen',
  nonadaptive: 'all fixed in advance',
  parameters: 'with adaptively chosen parameters',
} as const;

const many = (count: number, singular: string, more: string): string =>
  `${grouped(count)} ${count === 1 ? singular : more}`;

const STRUCTURES: readonly (readonly [Structure['node'], string, string])[] = [
  ['group', 'group', 'groups'],
  ['parallel', 'parallel composition', 'parallel compositions'],
  ['partition', 'partition', 'partitions'],
  ['local', 'local protocol', 'local protocols'],
];

/** `a plan of 3 entries, 1 group and 2 parallel compositions`. */
function planText(nodes: readonly PlanNode[]): string {
  const all = nodes.flatMap(withDescendants);
  const entries = all.filter(isEntry).length;
  const structures = STRUCTURES.flatMap(([node, singular, more]) => {
    const count = all.filter((element) => !isEntry(element) && element.node === node).length;
    return count === 0 ? [] : [many(count, singular, more)];
  });
  return `a plan of ${listed([many(entries, 'entry', 'entries'), ...structures])}`;
}

/** One sentence for a valid specification: what it holds. */
export function validReport(source: string, specification: Specification): string {
  const { name, entries: nodes, adaptivity, order, target } = specification;
  const entries = flatEntries(nodes);
  const alone = entries?.length === 1 && entries[0]?.count === 1;
  const targetText = target === null ? 'no target' : `target ${givenIn(target)}`;
  const facts = [
    ...(name === null ? [] : [`"${name}"`]),
    entries === null ? planText(nodes) : mechanismsText(entries),
    ...(alone
      ? []
      : [`${MANNER[adaptivity]}${effectiveOrder(adaptivity, order) === 'declared' ? ' in the declared order' : ''}`]),
    targetText,
  ];
  const open =
    specification.design === null
      ? ''
      : ' Its "design" is well formed but not checked; to check it, run dpcompose design.';
  return `${printable(`${source} is valid: ${facts.join(', ')}.${open}`)}\n`;
}

/** A specification that is valid. */
export const VALIDATE = json.document(
  'validate',
  'A valid specification in normal form, as validate --json prints it.',
  {
    valid: json.is(true),
    input: INPUT,
    warnings: json.list(WARNING),
  },
);

/** A valid specification as `dpcompose.validate/1`; `input` is its normal form. */
export const validateJson = (input: ExactForm, warnings: readonly Warning[], version: string): string =>
  json.documentText(VALIDATE, { version, valid: true, input, warnings });
