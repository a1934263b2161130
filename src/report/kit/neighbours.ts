import { printable } from './prose.ts';

/** Relations that are more than words. */
const RELATIONS: Readonly<Record<string, string>> = {
  'add-remove': 'those of which one has one record more',
  'replace-one': 'those that differ in the value of one record',
};

/** Which data are neighbouring, as a sentence. */
export const neighboursText = (neighbours: string): string =>
  `Neighbouring data: ${RELATIONS[neighbours] ?? printable(neighbours).replace(/[.\s]+$/, '')}.`;
