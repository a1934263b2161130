import { stringify } from 'yaml';
import type { NormalValue } from '../../document/core/normal-value.ts';

/** A document in YAML; text that another version of YAML would take for something else is in quotes. */
export const documentYaml = (document: NormalValue): string =>
  stringify(document, { version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false, lineWidth: 120 });
