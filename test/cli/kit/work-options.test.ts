import { describe, expect, it, vi } from 'vitest';
import { readOptions, type Typed } from '../../../src/cli/kit/option.ts';
import { WORK, workOf, type WorkOptions } from '../../../src/cli/kit/shared-options.ts';
import type { InputError } from '../../../src/document/core/specification.ts';

const work = (typed: Readonly<Record<string, Typed>>, errors: InputError[] = []): WorkOptions =>
  workOf(readOptions(WORK(), typed, errors));

describe('work options', () => {
  it('are absent where nothing is said', () => {
    expect(work({})).toEqual({});
  });

  it('name each bound once, in the order typed', () => {
    expect(work({ bounds: 'zcdp, basic,zcdp' }).bounds).toEqual(['zcdp', 'basic']);
  });

  it('end the work when the time is up', () => {
    const now = vi.spyOn(globalThis.performance, 'now').mockReturnValue(1000);
    const { exhausted } = work({ maxSeconds: '2.5' });
    now.mockReturnValue(3499);
    expect(exhausted?.()).toBe(false);
    now.mockReturnValue(3500);
    expect(exhausted?.()).toBe(true);
    now.mockRestore();
  });

  it('collect all that is wrong with them', () => {
    const errors: InputError[] = [];
    work({ bounds: 'basic,x,y', tolerance: '1', maxSeconds: '-1' }, errors);
    expect(errors.map(({ code, path }) => `${path} ${code}`)).toEqual([
      '--bounds unknown-bound',
      '--bounds unknown-bound',
      '--tolerance out-of-range',
      '--max-seconds out-of-range',
    ]);
  });
});
