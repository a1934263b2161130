import { isEntry, type PlanNode, childrenOf, withDescendants } from '../../composition/core/plan-node.ts';
import type { Design, Noise, Submechanism } from '../../composition/design/design.ts';
import { partOf, type Described, type Part } from '../../composition/design/part.ts';
import { Rational } from '../../numeric/rational.ts';
import type { Entry, Gaussian, Laplace } from '../../privacy/mechanism.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { sigmaForm, writtenVariance } from '../../privacy/gaussian.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { formatPath, quote } from '../core/quote.ts';
import { didYouMean } from '../core/suggest.ts';

/** A mistake in a value. */
export const at = (path: Path, problem: Problem): Mistake => ({ path, anchor: 'value', problem });

/** A name that is not `what` it should be. */
export const unknownName = (name: string, what: string, names: readonly string[], hint: string): Problem => ({
  code: 'unknown-name',
  message: `${quote(name)} is not ${what}`,
  hint: `${didYouMean(name, names)}${hint}`,
});

/** A name that two things have. */
export const twice = (name: string, what: string): Problem => ({
  code: 'duplicate-name',
  message: `${quote(name)} is the name of two ${what}`,
  hint: 'Give each a name of its own.',
});

/** The names of a list that stand in it before, with their place. */
export const repeated = (names: readonly string[]): { name: string; index: number }[] =>
  names.flatMap((name, index) => (names.indexOf(name) < index ? [{ name, index }] : []));

/** A mechanism that is nothing but noise on a statistic, of a distribution that a design can name. */
type NoiseMechanism = Laplace | Gaussian;

const NAMES: Readonly<Record<Noise['distribution'], string>> = { laplace: 'Laplace', gaussian: 'Gaussian' };

/** The key of the scale of each distribution in a mechanism. */
const SCALES: Readonly<Record<Noise['distribution'], string>> = { laplace: 'scale', gaussian: 'sigma' };

/** The mechanism of an entry that is all noise; `unknown` of one whose noise the guarantee does not say. */
function noiseOf({ mechanism }: Entry): NoiseMechanism | 'other' | 'unknown' {
  if (mechanism.type === 'laplace' || mechanism.type === 'gaussian') return mechanism;
  return recordOf(mechanism).noise === undefined ? 'unknown' : 'other';
}

/** Whether noise is that of a mechanism; of one given by its guarantee or its variance, whether there is at least as much. */
function isThatOf({ distribution, scale }: Noise, mechanism: NoiseMechanism | 'other'): boolean {
  if (mechanism === 'other' || mechanism.type !== distribution) return false;
  if (mechanism.type === 'laplace') return mechanism.byEpsilon === true || scale.eq(mechanism.scale);
  const variance = writtenVariance(mechanism);
  if (variance !== null) return Rational.ofDecimal(scale.times(scale)).compare(variance) >= 0;
  const guarantee = sigmaForm(mechanism)?.guarantee ?? null;
  return guarantee === null ? scale.eq(mechanism.sigma) : scale.gte(mechanism.sigma);
}

/** The noise of a mechanism, in words. */
function described(mechanism: NoiseMechanism | 'other'): string {
  if (mechanism === 'other') return 'discrete noise';
  if (mechanism.type === 'gaussian') return `Gaussian noise of sigma ${mechanism.sigma.toString()}`;
  return mechanism.byEpsilon === true ? 'Laplace noise' : `Laplace noise of scale ${mechanism.scale.toString()}`;
}

/**
 * Noise that a design lists for mechanisms which are noise themselves, and of another distribution or scale than that which
 * is paid for: whoever builds by the list would build something else. A guarantee such as dp says nothing of the noise.
 */
function noiseMistakes({ mechanism: label, noise }: Submechanism, { node }: Described, path: Path): Mistake[] {
  const paid = withDescendants(node).filter(isEntry).map(noiseOf);
  const distributions = paid.filter((distribution) => distribution !== 'unknown');
  const [first] = distributions;
  if (first === undefined || distributions.length < paid.length) return [];
  return noise.flatMap((listed, index): Mistake[] => {
    if (distributions.some((mechanism) => isThatOf(listed, mechanism))) return [];
    const { distribution, scale } = listed;
    const message = `is ${NAMES[distribution]} noise of ${SCALES[distribution]} ${scale.toString()}, but ${quote(label)} is ${described(first)}, by which it is priced`;
    const hint =
      first === 'other'
        ? 'Remove it: a design names Laplace and Gaussian noise only.'
        : `Write the noise of the mechanism${first.type === distribution ? '' : ` ("${first.type}")`}, or correct the mechanism.`;
    return [at([...path, 'noise', index, distribution], { code: 'conflicting-keys', message, hint })];
  });
}

const APART =
  'by one element per part, at the top level (that costs more: parts are then added, not the largest taken)';

/** The obstacle that keeps a design from looking into an element, and what to write instead. */
function obstacle(node: PlanNode): { readonly because: string; readonly hint: string } {
  const inside = withDescendants(node);
  const holds = (kind: 'partition' | 'parallel' | 'local', among = inside): boolean =>
    among.some((inner) => !isEntry(inner) && inner.node === kind);
  if (holds('partition', [node])) {
    return { because: 'it is a partition', hint: `A design cannot send to a partition. Replace it ${APART}.` };
  }
  if (inside.some((inner) => !isEntry(inner) && inner.node === 'local' && inner.users.kind === 'different')) {
    const because = 'its users run different things ("each")';
    return {
      because,
      hint: `Write "of" if all users run the same; else replace it ${APART.replace('part,', 'user,')}.`,
    };
  }
  if (holds('partition')) {
    return { because: 'there is a partition in it', hint: `Replace the partition ${APART}.` };
  }
  if (holds('parallel', inside.slice(1)) || holds('local', inside.slice(1))) {
    const because = 'instances are created inside it';
    const hint =
      isEntry(node) || node.node === 'group'
        ? 'Remove its label, and label and describe what it holds.'
        : 'A design cannot create instances inside instances. Write one parallel.';
    return { because, hint };
  }
  return {
    because: 'its mechanisms are of several kinds',
    hint:
      isEntry(node) || node.node === 'group'
        ? 'Remove its label, and label and describe its parts instead; or write mechanisms of one kind.'
        : 'Write mechanisms of one kind in it, or one such element for each kind.',
  };
}

/** Whether a design could send to an element if it named it. */
const isDescribable = (node: PlanNode): boolean => partOf({ ...node, label: node.label ?? 'it' }) !== null;

/** Mechanisms of the document that the design cannot name, or does not. */
export function coverMistakes(design: Design, described: readonly Described[]): Mistake[] {
  const designLabels = new Set(design.submechanisms.map(({ mechanism }) => mechanism));
  const labels = described.map(({ node }) => node.label);
  return described.flatMap(({ node, path }, index): Mistake[] => {
    const { label } = node;
    if (!isDescribable(node) && (label === null || !designLabels.has(label))) {
      const { because, hint } = obstacle(node);
      return [at(path, { code: 'unknown-value', message: `a design cannot send to this: ${because}`, hint })];
    }
    if (label === null) {
      const message = 'this mechanism has no label, so that the design cannot name it';
      const hint = 'Add a "label", and describe it under that name in design.submechanisms.';
      return [at(path, { code: 'missing-key', message, hint })];
    }
    if (labels.indexOf(label) < index) return [at([...path, 'label'], twice(label, 'mechanisms'))];
    if (!designLabels.has(label)) {
      const message = `the design says nothing of ${quote(label)}`;
      const hint = 'Describe it in design.submechanisms, or remove it.';
      return [at(path, { code: 'not-described', message, hint })];
    }
    if (partOf(node) !== null) return [];
    const { because, hint } = obstacle(node);
    const message = `a design cannot send to ${quote(label)}: ${because}`;
    return [at(path, { code: 'unknown-value', message, hint })];
  });
}

const isDeclaredSettled = (node: PlanNode): boolean =>
  !isEntry(node) && node.node === 'parallel' && node.firstPairConsistent;

/** The places of the mechanisms in an element, as long as those are all of one kind. */
const kindPlaces = (node: PlanNode, path: Path): string[] =>
  isEntry(node)
    ? [formatPath(path)]
    : childrenOf(node).flatMap((child) => kindPlaces(child.node, [...path, ...child.steps]));

/** Arguments that do not fit the way in which a mechanism is used. */
function argumentMistakes(
  { data, receives }: Submechanism,
  part: Part,
  { node, path: where }: Described,
  path: Path,
): Mistake[] {
  const conflict = (place: Path, message: string, hint: string): Mistake =>
    at([...path, ...place], { code: 'conflicting-keys', message, hint });
  const places = kindPlaces(node, where).join(', ');
  if (!part.firstPairConsistent) {
    if (data.length === 0) return [];
    const message = `${part.kind} mechanisms are given all their data in messages, but ${quote(part.label)} has data to start with`;
    const hint = `Move it to "receives", or set "kind" to "interactive" at ${places} if the data never change.`;
    return [conflict(['data'], message, hint)];
  }
  return receives.flatMap(({ change }, index) => {
    if (change !== 'any' && change.isZero()) return [];
    const declared = part.kind === 'continual' && isDeclaredSettled(node);
    const name = `${formatPath(where)} (${quote(part.label)})`;
    const because = declared ? `, because ${name} says "firstPairConsistent": true` : '';
    const message = `of ${quote(part.label)} only the first message may differ between neighbors, so that later ones change by 0${because}`;
    const settled = 'remove "change" here, or move what holds data to "data"';
    const hint = declared
      ? `If the data are updated, remove "firstPairConsistent" at ${name}; else ${settled}.`
      : `If the data are updated, set "kind" to "continual" at ${places}; else ${settled}.`;
    return [conflict(['receives', index, 'change'], message, hint)];
  });
}

/** A label that no element has which a design can name. */
function unknownLabel(label: string, described: ReadonlyMap<string, Described>, all: readonly Described[]): Problem {
  const holder = all.find(({ node }) =>
    withDescendants(node)
      .slice(1)
      .some((inner) => inner.label === label),
  );
  if (holder === undefined || isEntry(holder.node)) {
    const hint = 'Write the "label" of one of "mechanisms".';
    return unknownName(label, 'the label of a mechanism of this document', [...described.keys()], hint);
  }
  const { node, path } = holder;
  const hint =
    node.node === 'group'
      ? `Remove the label of ${formatPath(path)}, so that the design can name what it holds.`
      : node.node === 'partition'
        ? `Replace ${formatPath(path)} ${APART}.`
        : `Write the label of ${formatPath(path)} instead, of which instances are created.`;
  return {
    code: 'unknown-name',
    message: `${quote(label)} is a label, but inside ${formatPath(path)} (${node.node}), which a design cannot look into`,
    hint,
  };
}

/** Descriptions of sub-mechanisms that do not fit the mechanisms of the document. */
export function submechanismMistakes(
  design: Design,
  described: ReadonlyMap<string, Described>,
  all: readonly Described[],
): Mistake[] {
  const { submechanisms } = design;
  const names = submechanisms.map(({ mechanism }) => mechanism);
  return [
    ...repeated(names).map(({ name, index }) =>
      at(['design', 'submechanisms', index, 'mechanism'], twice(name, 'submechanisms')),
    ),
    ...submechanisms.flatMap((submechanism, index) => {
      const { mechanism } = submechanism;
      const path = ['design', 'submechanisms', index];
      const entry = described.get(mechanism);
      if (entry === undefined) return [at([...path, 'mechanism'], unknownLabel(mechanism, described, all))];
      const part = partOf(entry.node);
      if (part === null) return [];
      return [...argumentMistakes(submechanism, part, entry, path), ...noiseMistakes(submechanism, entry, path)];
    }),
  ];
}
