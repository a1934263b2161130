import type { Design, Submechanism } from '../composition/design/design.ts';
import { partOf, type Described, type Part } from '../composition/design/part.ts';
import type { PlanNode } from '../composition/plan-node.ts';
import { at, repeated, twice, unknownName } from './design-mistakes.ts';
import type { Mistake, Path } from './input-error.ts';
import { quote } from './quote.ts';

/** Mechanisms of the document that the design cannot name, or does not. */
export function coverMistakes(design: Design, described: readonly Described[]): Mistake[] {
  const named = new Set(design.submechanisms.map(({ mechanism }) => mechanism));
  const labels = described.map(({ node }) => node.label);
  return described.flatMap(({ node, path }, index): Mistake[] => {
    const { label } = node;
    if (label === null) {
      const message = 'this mechanism has no label, so that the design cannot name it';
      const hint = 'Add a "label", and describe it under that name in design.submechanisms.';
      return [at(path, { code: 'missing-key', message, hint })];
    }
    if (labels.indexOf(label) < index) return [at([...path, 'label'], twice(label, 'mechanisms'))];
    if (!named.has(label)) {
      const message = `the design says nothing of ${quote(label)}`;
      const hint = 'Describe it in design.submechanisms, or remove it.';
      return [at(path, { code: 'not-described', message, hint })];
    }
    if (partOf(node) !== null) return [];
    const message = `a design cannot send to ${quote(label)}: its mechanisms are of several kinds, are created inside it, or run on parts of the data`;
    const hint = 'Label its parts and describe those, or write it as parallel or as a group of mechanisms of one kind.';
    return [at(path, { code: 'unknown-value', message, hint })];
  });
}

/** Arguments that do not fit the way in which a mechanism is used. */
function argumentMistakes({ data, receives }: Submechanism, part: Part, path: Path): Mistake[] {
  const conflict = (place: Path, message: string, hint: string): Mistake =>
    at([...path, ...place], { code: 'conflicting-keys', message, hint });
  if (!part.firstPairConsistent) {
    if (data.length === 0) return [];
    const message = `${part.kind} mechanisms are given all their data in messages, but ${quote(part.label)} has data to start with`;
    return [
      conflict(['data'], message, 'Move it to "receives", or set "kind" to "interactive" if the data never change.'),
    ];
  }
  return receives.flatMap(({ change }, index) => {
    if (change !== 'any' && change.isZero()) return [];
    const message = `of ${quote(part.label)} only the first message may differ between neighbours, so that later ones change by 0`;
    return [
      conflict(
        ['receives', index, 'change'],
        message,
        'Remove change, or move what holds data to "data"; if the data are updated, set "kind" to "continual".',
      ),
    ];
  });
}

/** Descriptions of sub-mechanisms that do not fit the mechanisms of the document. */
export function submechanismMistakes(design: Design, nodes: ReadonlyMap<string, PlanNode>): Mistake[] {
  const { submechanisms } = design;
  const names = submechanisms.map(({ mechanism }) => mechanism);
  return [
    ...repeated(names).map(({ name, index }) =>
      at(['design', 'submechanisms', index, 'mechanism'], twice(name, 'submechanisms')),
    ),
    ...submechanisms.flatMap((submechanism, index) => {
      const path = ['design', 'submechanisms', index];
      const node = nodes.get(submechanism.mechanism);
      if (node === undefined) {
        const problem = unknownName(
          submechanism.mechanism,
          'the label of a mechanism of this document',
          [...nodes.keys()],
          'Write the "label" of one of "mechanisms".',
        );
        return [at([...path, 'mechanism'], problem)];
      }
      const part = partOf(node);
      return part === null ? [] : argumentMistakes(submechanism, part, path);
    }),
  ];
}
