import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../../src/report/kit/page.ts';
import { tableReport, type TableOptions } from '../../../src/report/compose/table.ts';
import { answer, brNonadaptive, deltaAnswer, hundred, infeasible } from '../answers.ts';

const options: TableOptions = { width: 120, all: false, style: PLAIN };
const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

describe('the table', () => {
  it('puts the best bound first and marks it', () => {
    expect(tableReport(answer, hundred, options)).toMatchInlineSnapshot(`
      "  bound       epsilon      at least     theorem
      * dp-optimal  4.774567589  4.774567588  Optimal composition [Murtagh and Vadhan 2016, Thm 1.5]
        zcdp        5.073153201               Zero-concentrated DP [Bun and Steinke 2016]
        basic       10                        Basic composition [Dwork et al. 2006]

      Together these 100 mechanisms, chosen adaptively with parameters fixed in advance, are (4.774567589,
      1e-6)-differentially private. No epsilon below 4.774567588 can be claimed for this class.

      1 more bound does not apply here; --all says why.
      "
    `);
  });

  it('lists the bounds that do not apply with their reasons when all are asked for', () => {
    expect(tableReport(answer, hundred, { ...options, all: true })).toMatchInlineSnapshot(`
      "  bound       epsilon      at least     theorem
      * dp-optimal  4.774567589  4.774567588  Optimal composition [Murtagh and Vadhan 2016, Thm 1.5]
        zcdp        5.073153201               Zero-concentrated DP [Bun and Steinke 2016]
        basic       10                        Basic composition [Dwork et al. 2006]

        does not apply  because it
        br-nonadaptive  holds for bounded-range mechanisms only; here there is dp

      Together these 100 mechanisms, chosen adaptively with parameters fixed in advance, are (4.774567589,
      1e-6)-differentially private. No epsilon below 4.774567588 can be claimed for this class.
      "
    `);
  });

  it('shows delta when delta is what was asked', () => {
    expect(tableReport(deltaAnswer, hundred, options)).toMatchInlineSnapshot(`
      "  bound       delta           at least        theorem
      * dp-optimal  0.001361398695  0.001361398694  Optimal composition [Murtagh and Vadhan 2016, Thm 1.5]
        basic       1                               Basic composition [Dwork et al. 2006]

      Together these 100 mechanisms, chosen adaptively with parameters fixed in advance, are (3,
      0.001361398695)-differentially private. No delta below 0.001361398694 can be claimed for this class.
      "
    `);
  });

  it('writes infinity as a word', () => {
    const text = tableReport(infeasible, hundred, { ...options, width: Infinity });
    expect(text).toContain('* dp-optimal  infinity');
    expect(text).toContain('no finite epsilon at delta 0.02, and no theorem could give one');
  });

  it('is headed by the name of the specification', () => {
    expect(tableReport(answer, { ...hundred, name: 'dashboard' }, options)).toMatch(/^dashboard\n\n {2}bound/);
  });

  it('writes out control characters of a name instead of sending them to the terminal', () => {
    const text = tableReport(answer, { ...hundred, name: 'a\u001b[31mb\nc\u202ed' }, options);
    expect(text.split('\n')[0]).toBe('a\\u001b[31mb\\u000ac\\u202ed');
  });

  it.each([120, 80, 60, 40, 30])('fits in %d columns', (width) => {
    const text = tableReport(answer, hundred, { ...options, width, all: true });
    expect(longest(text)).toBeLessThanOrEqual(width);
    expect(text).toContain('4.774567589');
    expect(text).toContain('dp-optimal');
  });

  it('gives up the theorems before the columns, and the columns at last', () => {
    expect(tableReport(answer, hundred, { ...options, width: 50 })).toMatchInlineSnapshot(`
      "  bound       epsilon      at least
      * dp-optimal  4.774567589  4.774567588
        zcdp        5.073153201
        basic       10

      Together these 100 mechanisms, chosen adaptively
      with parameters fixed in advance, are
      (4.774567589, 1e-6)-differentially private. No
      epsilon below 4.774567588 can be claimed for this
      class.

      1 more bound does not apply here; --all says why.
      "
    `);
    expect(tableReport(answer, hundred, { ...options, width: 30 })).toMatchInlineSnapshot(`
      "* dp-optimal
          epsilon 4.774567589
          at least 4.774567588
        zcdp
          epsilon 5.073153201
        basic
          epsilon 10

      Together these 100 mechanisms,
      chosen adaptively with
      parameters fixed in advance,
      are (4.774567589,
      1e-6)-differentially private.
      No epsilon below 4.774567588
      can be claimed for this class.

      1 more bound does not apply
      here; --all says why.
      "
    `);
  });

  it('has no escape sequence in it unless the style puts one there', () => {
    const style = { ...PLAIN, best: (text: string) => `\u001b[32m${text}\u001b[39m` };
    expect(tableReport(answer, hundred, options)).not.toContain('\u001b');
    expect(tableReport(answer, hundred, { ...options, style })).toContain('\u001b[32m* dp-optimal\u001b[39m');
  });

  it('has no trailing blanks', () => {
    const text = tableReport({ ...answer, bounds: [...answer.bounds, brNonadaptive] }, hundred, {
      ...options,
      all: true,
    });
    expect(text).not.toMatch(/ $/m);
  });
});
