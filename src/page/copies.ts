import { TARGET_KEYS } from '../document/core/question-schema.ts';
import { exactGivenText } from '../output/kit/number.ts';
import { shellWord } from '../output/kit/prose.ts';
import type { Query } from '../privacy/curve.ts';
import type { Cells, Headline, Rows } from './question.ts';

/** A mechanism as a flag; null where a value has a comma, which would end it there. */
function flagOf({ type = '', ...keys }: Cells): string | null {
  const pairs = Object.entries(keys).filter(([, value]) => value !== '');
  if (pairs.some(([, value]) => value.includes(',') || value !== value.trim())) return null;
  const values = pairs.map(([key, value]) => `${key}=${value}`).join(',');
  return `-m ${shellWord(pairs.length === 0 ? type : `${type}:${values}`)}`;
}

const option = ([key, value]: readonly [string, string]): string => `--${key} ${shellWord(value)}`;

/** The settings as options; null where one has none. */
function settingFlags({ adaptivity = '', name = '', ...more }: Cells): readonly string[] | null {
  if (name !== '' || adaptivity === 'parameters') return null;
  const options = Object.entries(more).filter(([, value]) => value !== '');
  return [
    ...options.filter(([key]) => TARGET_KEYS.includes(key)).map(option),
    ...(adaptivity === 'nonadaptive' ? ['--nonadaptive'] : []),
    ...options.filter(([key]) => !TARGET_KEYS.includes(key)).map(option),
  ];
}

/** The command for the question of the page: flags where they say all of a document, else the document itself. */
export function composeCommandLine(rows: Rows | null, text: string): string {
  const parts = rows && [...rows.mechanisms.map(flagOf), ...(settingFlags(rows.settings) ?? [null])];
  if (parts?.every((part) => part !== null)) return `dpcompose compose ${parts.join(' ')}`;
  return `dpcompose compose - <<'END'\n${text.trimEnd()}\nEND`;
}

/** The command for a question about training. */
export const sgdCommandLine = (cells: Cells): string =>
  `dpcompose sgd ${Object.entries(cells)
    .filter(([, value]) => value !== '')
    .map(option)
    .join(' ')}`;

/** A step of a workflow that fails once a document costs more than now, at what is asked with all its digits. */
export function checkStep(
  { solveFor, upper }: Headline,
  query: Query,
  { text, version }: { readonly text: string; readonly version: string },
): string | null {
  if (upper === 'infinity') return null;
  const [name, value] = query.solveFor === 'epsilon' ? ['delta', query.delta] : ['epsilon', query.epsilon];
  const file = `dpcompose-${version}.tgz`;
  return `# Keep this as privacy.json, beside ${file}, which npm pack makes:
${text.trimEnd().replace(/^/gm, '#   ')}
- name: Check the privacy budget
  run: npx --yes --package ./${file} dpcompose check privacy.json --${solveFor} ${upper} --${name} ${exactGivenText(value)} --format github
`;
}
