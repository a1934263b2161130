/** The types of elements that hold others. */
export const STRUCTURE_TYPES: readonly string[] = ['group', 'parallel', 'partition', 'local'];
