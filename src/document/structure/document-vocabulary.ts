import { designKeys } from '../design/schema.ts';
import { DOCUMENT_KEYS } from './document-schema.ts';
import { misplaced } from './misplaced-keys.ts';
import { ENTRY_KEYS, MECHANISM_TYPES } from '../mechanism/entry-schema.ts';
import { TARGET_KEYS } from '../core/question-schema.ts';
import { STRUCTURE_KEYS } from './structure-schema.ts';
import { STRUCTURE_TYPES } from '../core/structure-types.ts';
import { member, type Vocabulary } from '../core/vocabulary.ts';

/** The words that a specification may hold. */
export const DOCUMENT_VOCABULARY: Vocabulary = {
  types: [...MECHANISM_TYPES, ...STRUCTURE_TYPES],
  misplaced,
  keysOf: (path, object) => {
    if (path[0] === 'design') return designKeys(path);
    const type = member(object, 'type');
    if (typeof type === 'string') return ENTRY_KEYS.get(type) ?? STRUCTURE_KEYS.get(type) ?? [];
    return path.length === 0 ? DOCUMENT_KEYS : TARGET_KEYS;
  },
};
