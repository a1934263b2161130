import { describe, expect, it } from 'vitest';
import { MECHANISM_TYPES } from '../../../src/document/mechanism/entry-schema.ts';
import { NOT_OFFERED, notOffered } from '../../../src/document/core/not-offered.ts';

describe('the types that are not offered', () => {
  it('are found whatever their case and separators', () => {
    expect(notOffered('Subsampled_Gaussian')).toBe('subsampled-gaussian');
    expect(notOffered('Noisy Max')).toBe('noisy-max');
    expect(notOffered('dp')).toBeNull();
    expect(notOffered('constructor')).toBeNull();
  });

  it('are none of those that are', () => {
    for (const type of MECHANISM_TYPES) expect(notOffered(type)).toBeNull();
  });

  it.each(Object.entries(NOT_OFFERED))('%s: why, and what to do instead', (type, { why, instead }) => {
    expect(notOffered(type)).toBe(type);
    expect(why).toMatch(/^[a-z].*[^.]$/);
    expect(instead).toMatch(/^[A-Z].*\.$/);
  });
});
