import type { Entry, Mechanism } from '../privacy/mechanism.ts';
import type { Warning } from './outcome.ts';

/** How a message names an entry. */
const nameOf = ({ label }: Entry, index: number): string => label ?? `mechanisms[${String(index)}]`;

/** At most this many entries are named in a warning. */
const NAMED = 5;

function named(entries: readonly Entry[], selects: (entry: Entry) => boolean): string[] {
  const names = entries.flatMap((entry, index) => (selects(entry) ? [nameOf(entry, index)] : []));
  return names.length <= NAMED ? names : [...names.slice(0, NAMED), `${String(names.length - NAMED)} more`];
}

const isInteractive = ({ kind }: Entry): boolean => kind !== 'noninteractive';

/** The family of exact bounds an entry belongs to. */
function family({ mechanism, kind }: Entry): Mechanism['type'] {
  switch (mechanism.type) {
    case 'laplace':
      return 'dp';
    case 'gdp':
      return 'gaussian';
    case 'bounded-range':
      return kind === 'noninteractive' ? 'bounded-range' : 'dp';
    case 'dp':
    case 'gaussian':
    case 'zcdp':
    case 'rdp':
      return mechanism.type;
  }
}

/** What the choice of entries alone says about the quality of every bound. */
export function entryWarnings(entries: readonly Entry[]): Warning[] {
  const warnings: Warning[] = [];
  const laplace = named(entries, ({ mechanism }) => mechanism.type === 'laplace');
  if (laplace.length > 0) warnings.push({ code: 'laplace-as-dp', entries: laplace });
  const ranged = named(entries, (entry) => entry.mechanism.type === 'bounded-range' && isInteractive(entry));
  if (ranged.length > 0) warnings.push({ code: 'bounded-range-interactive', entries: ranged });
  const pairs = named(
    entries,
    (entry) => (entry.mechanism.type === 'gaussian' || entry.mechanism.type === 'gdp') && isInteractive(entry),
  );
  if (pairs.length > 0) warnings.push({ code: 'single-pair-interactive', entries: pairs });
  const classes = [...new Set(entries.map(family))];
  if (classes.length > 1) warnings.push({ code: 'mixed-classes', classes });
  return warnings;
}
