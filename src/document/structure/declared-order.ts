import type { Mistake, Path } from '../core/input-error.ts';

/** A declared order where mechanisms are not a list. */
export const declaredOrder = (path: Path): Mistake => ({
  path,
  anchor: 'value',
  problem: {
    code: 'conflicting-keys',
    message: 'order cannot be declared where groups, parts, users or instances run at the same time',
    hint: 'Leave order out, or list the mechanisms flat.',
  },
});
