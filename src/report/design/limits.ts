import {
  definitionsIn,
  statementsOf,
  actsUnder,
  fullTaint,
  type Definition,
} from '../../composition/design/data-flow.ts';
import type { Design } from '../../composition/design/design.ts';
import type { Difference, Unending } from '../../composition/design/difference.ts';
import { formatPath } from '../../document/core/quote.ts';
import { placeText } from '../refusal/design-reasons.ts';
import { listed } from '../kit/prose.ts';

const definitionsOf = (design: Design, variable: string): Definition[] =>
  definitionsIn(statementsOf(design)).filter((definition) => definition.variable === variable);

/** The places that say that any number of the values behind a variable may differ. */
function unlimitedPlaces(design: Design, variable: string, seen = new Set<string>()): string[] {
  if (seen.has(variable)) return [];
  seen.add(variable);
  const input = design.inputs.findIndex(({ name, differing }) => name === variable && differing === 'unbounded');
  const own = input < 0 ? [] : [`${formatPath(['design', 'inputs', input])} ("${variable}")`];
  const others = definitionsOf(design, variable).flatMap(({ from, at }) => {
    const { statement } = at;
    const declared = statement.does === 'set' ? statement.declared : null;
    if (declared !== null) return declared.differing === 'unbounded' ? [placeText(at)] : [];
    return from.flatMap((each) => unlimitedPlaces(design, each, seen));
  });
  return [...own, ...others];
}

/** Where the number of differing values is to be written that limits a variable. */
function limitedNumber(design: Design, variable: string): string {
  const places = unlimitedPlaces(design, variable);
  if (places.length === 0) return `Limit how many of the values in ${variable} may differ ("differing").`;
  return `Write a number as "differing", which is "unbounded" now, at ${listed([...new Set(places)])}: how many of its values may differ between neighbours (for event-level privacy, 1).`;
}

/** That an add to a variable stands under a condition on the input, and what to write instead; null where none does. */
function decidedAdd(design: Design, variable: string): string | null {
  const taint = fullTaint(design);
  for (const { how, from, at } of definitionsOf(design, variable)) {
    const condition = at.under.find((each) => !actsUnder(each) && each.statement.on.some((name) => taint.has(name)));
    if (how !== 'added' || condition === undefined) continue;
    const deciding = condition.statement.on.filter((name) => taint.has(name));
    const sources = [...new Set([...from, ...deciding])].map((name) => JSON.stringify(name)).join(', ');
    return `Whether ${listed(from)} is added to ${variable} is decided by ${listed(deciding)}: take the add at ${placeText(at)} out of the "if", and add a value that is 0 where the condition does not hold: {"set": "added", "from": [${sources}], "sensitivity": 1}, {"add": ["added"], "to": ${JSON.stringify(variable)}} (1: the most that it changes where those change by at most 1).`;
  }
  return null;
}

/** That a variable is set under a condition on the input, and where; null where it is not. */
function decidedSet(design: Design, variable: string): string | null {
  const taint = fullTaint(design);
  const found = definitionsOf(design, variable).find(({ how, at }) => {
    const decided = at.under.some((each) => !actsUnder(each) && each.statement.on.some((name) => taint.has(name)));
    return how !== 'added' && decided;
  });
  if (found === undefined) return null;
  return `Set ${variable} whatever the input is: take the set at ${placeText(found.at)} out of the "if", and compute it from what the condition depends on too ("from", with the "sensitivity" of the whole).`;
}

/** A fix for an unbounded difference: the bound to declare, or the step that would bound it. */
export function limitText({ reasons }: Difference, design: Design): string {
  const first = reasons.findLast(({ change }) => change === 'any');
  const name = first?.variable ?? '';
  const [place = ''] = definitionsOf(design, name).map(({ at }) => ` (set at ${placeText(at)})`);
  switch (first?.because) {
    case 'input':
      return `Limit by how much ${name} can differ, as by clipping it, and write that as its "change", such as "change": 1 at ${formatPath(['design', 'inputs', design.inputs.findIndex((input) => input.name === name)])}.`;
    case 'computed':
      return `Write how closely ${name}${place} follows what it is computed from, such as "sensitivity": 1: the most that it changes where those change by at most 1.`;
    case 'sum':
      return limitedNumber(design, name);
    case 'decided':
      return decidedSet(design, name) ?? `Set ${name}${place} whatever the input is, under no condition on it.`;
    case 'declared':
      return `Declare a smaller "change" of ${name}${place}, if it has one.`;
    case 'kept':
    case undefined:
      return decidedAdd(design, name) ?? `Compute ${name} in the step in which it is sent, or as a sum ("add").`;
  }
}

/** A fix for neighbours that differ again and again. */
export function endingText({ why, variable }: Unending, design: Design): string {
  switch (why) {
    case 'sum-not-reset':
      return `Reset ${variable} in the step in which it is sent: add {"set": "${variable}", "from": []} behind that; if ${variable} should go on counting, send the new value that is added to it instead, to a continual mechanism that keeps the sum itself.`;
    case 'kept':
      return (
        decidedAdd(design, variable) ??
        decidedSet(design, variable) ??
        `Compute ${variable} in the step in which it is sent, or as a sum ("add").`
      );
    case 'any-value':
      return limitedNumber(design, variable);
  }
}
