import { effectiveOrder } from '../privacy/query.ts';
import type { Specification } from '../spec/specification.ts';
import { givenText } from './number.ts';
import { grouped, printable } from './prose.ts';

const MANNER = {
  adaptive: 'chosen adaptively',
  nonadaptive: 'all fixed in advance',
  parameters: 'with parameters chosen along the way',
} as const;

/** One sentence for a valid specification: what it holds. */
export function validReport(source: string, { name, entries, adaptivity, order, target }: Specification): string {
  const count = entries.reduce((sum, entry) => sum + BigInt(entry.count), 0n);
  const mechanisms = `${grouped(count)} ${count === 1n ? 'mechanism' : 'mechanisms'}`;
  const listed = `${grouped(entries.length)} ${entries.length === 1 ? 'entry' : 'entries'}`;
  const asked =
    target === null
      ? 'no target'
      : target.solveFor === 'epsilon'
        ? `target delta ${givenText(target.delta)}`
        : `target epsilon ${givenText(target.epsilon)}`;
  const facts = [
    ...(name === null ? [] : [`"${name}"`]),
    `${mechanisms} in ${listed}`,
    ...(count === 1n
      ? []
      : [`${MANNER[adaptivity]}${effectiveOrder(adaptivity, order) === 'declared' ? ' in the declared order' : ''}`]),
    asked,
  ];
  return `${printable(`${source} is valid: ${facts.join(', ')}.`)}\n`;
}
