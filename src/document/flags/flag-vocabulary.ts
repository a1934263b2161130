import { ENTRY_KEYS, MECHANISM_TYPES } from '../mechanism/entry-schema.ts';
import { TARGET_KEYS } from '../core/question-schema.ts';
import { member, type Vocabulary } from '../core/vocabulary.ts';

/** The vocabulary of command-line flags: types of mechanisms, their keys, and those of a target. */
export const FLAG_VOCABULARY: Vocabulary = {
  types: MECHANISM_TYPES,
  keysOf: (_path, object) => {
    const type = member(object, 'type');
    return typeof type === 'string' ? (ENTRY_KEYS.get(type) ?? []) : TARGET_KEYS;
  },
};
