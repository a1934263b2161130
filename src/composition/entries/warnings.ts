import type { Entry } from '../../privacy/mechanism.ts';
import type { Warning } from '../core/outcome.ts';

/** How a message names an entry. */
const nameOf = ({ label }: Entry, index: number): string => label ?? `mechanisms[${String(index)}]`;

const named = (entries: readonly Entry[], selects: (entry: Entry) => boolean): string[] =>
  entries.flatMap((entry, index) => (selects(entry) ? [nameOf(entry, index)] : []));

const isInteractive = ({ kind }: Entry): boolean => kind !== 'noninteractive';

/** Classes that one tight bound covers together. */
type Family = 'single pairs' | 'bounded-range' | 'zcdp' | 'rdp';

function family({ mechanism, kind }: Entry): Family {
  const { type } = mechanism;
  if (type === 'zcdp' || type === 'rdp') return type;
  return type === 'bounded-range' && kind === 'noninteractive' ? type : 'single pairs';
}

/** Interactive noise has no exact composition: pure noise goes by its (e, 0)-DP guarantee, Gaussian noise by Renyi DP. */
function interactiveWarnings(entries: readonly Entry[]): Warning[] {
  const interactive = (...types: Entry['mechanism']['type'][]): string[] =>
    named(entries, (entry) => isInteractive(entry) && types.includes(entry.mechanism.type));
  const ranged = interactive('bounded-range');
  const laplace = interactive('laplace', 'discrete-laplace');
  const pairs = interactive('gaussian', 'discrete-gaussian', 'gdp');
  return [
    ...(ranged.length > 0 ? [{ code: 'bounded-range-interactive', entries: ranged } as const] : []),
    ...(laplace.length > 0 ? [{ code: 'laplace-as-dp', entries: laplace } as const] : []),
    ...(pairs.length > 0 ? [{ code: 'single-pair-interactive', entries: pairs } as const] : []),
  ];
}

/** The warnings that the entries alone give about the quality of every bound; `tight`: one of the bounds is exact. */
export function entryWarnings(entries: readonly Entry[], tight: boolean): Warning[] {
  const families = new Set(entries.map(family));
  const classes = [...new Set(entries.map(({ mechanism }) => mechanism.type))];
  return [
    ...interactiveWarnings(entries),
    ...(families.size > 1 && !tight ? [{ code: 'mixed-classes', classes } as const] : []),
  ];
}
