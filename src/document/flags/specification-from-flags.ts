import type { Refusal } from '../../composition/core/outcome.ts';
import { isEntry } from '../../composition/core/plan-node.ts';
import { USUAL_SETTING } from '../../composition/core/setting.ts';
import type { InputError, Specification } from '../core/specification.ts';
import { MAX_ERRORS } from '../core/validate.ts';
import { declaredOrder, neighboursOf, otherRelation, withImpliedSparsity } from '../structure/relation.ts';
import type { DocumentReading } from '../syntax/read-document.ts';
import {
  parseAdaptivityFlags,
  parseMechanismFlags,
  parseOrderFlag,
  parseTargetFlags,
  type SpecFlags,
} from './command-line.ts';

/** A specification; or everything that is wrong with the input; or a mechanism that is known but not offered. */
export type SpecResult =
  | { readonly kind: 'specification'; readonly specification: Specification }
  | {
      readonly kind: 'errors';
      /** The first errors, in the order of the document; those of flags after them. */
      readonly errors: readonly InputError[];
      /** How many further errors there are. */
      readonly more: number;
    }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** The error of `--set` where there is no document. */
function nothingToSet({ set = [] }: SpecFlags): InputError[] {
  if (set.length === 0) return [];
  const message = 'changes a document, and none is given';
  return [{ code: 'no-input', path: '--set', message, hint: 'Write the value into -m, or give a document.' }];
}

/** Joins a document (null: there is none) with the flags of a command line; of the two, the line wins. */
export function withFlags(reading: DocumentReading<Specification> | null, flags: SpecFlags): SpecResult {
  const mechanisms = parseMechanismFlags(flags.mechanisms ?? []);
  const adaptivity = parseAdaptivityFlags(flags);
  const order = parseOrderFlag(flags);
  const target = parseTargetFlags(flags);
  const parts = [mechanisms, adaptivity, order, target];
  const errors = [
    ...(reading === null ? nothingToSet(flags) : reading.errors),
    ...parts.flatMap((each) => each.errors),
  ];
  const more = (reading?.more ?? 0) + mechanisms.more;
  if (errors.length > 0) {
    return {
      kind: 'errors',
      errors: errors.slice(0, MAX_ERRORS),
      more: more + Math.max(0, errors.length - MAX_ERRORS),
    };
  }
  const refused = reading?.notOffered ?? mechanisms.notOffered;
  if (refused !== null) return { kind: 'refusal', refusal: { code: 'not-offered', ...refused } };

  const document = reading?.document;
  const entries = [...(document?.entries ?? []), ...mechanisms.value];
  if (entries.length === 0) {
    const message = 'there are no mechanisms to compose';
    const hint = 'Add -m TYPE:key=value,..., such as -m dp:epsilon=0.1,count=100, or give a specification file.';
    return { kind: 'errors', errors: [{ code: 'empty-list', path: '-m', message, hint }], more: 0 };
  }
  if (order.value === 'declared' && !entries.every(isEntry)) {
    const { problem } = declaredOrder([]);
    return { kind: 'errors', errors: [{ ...problem, path: '--order' }], more: 0 };
  }
  const said = flags.neighbours ?? document?.neighbours ?? null;
  const other = otherRelation(said, entries, []);
  if (other !== null) return { kind: 'errors', errors: [{ ...other.problem, path: '--neighbours' }], more: 0 };
  const neighbours = neighboursOf(said, entries);
  return {
    kind: 'specification',
    specification: {
      name: document?.name ?? null,
      adaptivity: adaptivity.value ?? document?.adaptivity ?? 'adaptive',
      order: order.value ?? document?.order ?? 'any',
      target: target.value ?? document?.target ?? null,
      neighbours,
      setting: document?.setting ?? USUAL_SETTING,
      entries: withImpliedSparsity(entries, neighbours),
      design: document?.design ?? null,
    },
  };
}

/** The specification that the flags of a command line give without a document. */
export function specificationFromFlags(flags: SpecFlags): SpecResult {
  return withFlags(null, flags);
}
