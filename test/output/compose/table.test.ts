import { describe, expect, it } from 'vitest';
import { PLAIN } from '../../../src/output/kit/page.ts';
import { tableReport, type TableOptions } from '../../../src/output/compose/table.ts';
import { answer, brNonadaptive, deltaAnswer, hundred, infeasible } from '../answers.ts';

const options: TableOptions = { width: 120, all: false, style: PLAIN };
const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

describe('the table', () => {
  it('puts the best bound first and marks it', () => {
    expect(tableReport(answer, hundred, options)).toMatchInlineSnapshot(`
      "The composition of these 100 mechanisms, adaptively chosen with parameters fixed in advance, is (4.774567589,
      1e-6)-differentially private. No epsilon below 4.774567588 holds for this class of mechanisms.

        bound       epsilon      lower bound
      * dp-optimal  4.774567589  4.774567588
        zcdp        5.073153201
      Theorem: Optimal composition [Murtagh and Vadhan 2016, Thm 1.5].

      1 bound is larger than twice the best; 1 bound does not apply. Add --all to show them.
      "
    `);
  });

  it('lists the bounds that do not apply with their reasons when all are asked for', () => {
    expect(tableReport(answer, hundred, { ...options, all: true })).toMatchInlineSnapshot(`
      "The composition of these 100 mechanisms, adaptively chosen with parameters fixed in advance, is (4.774567589,
      1e-6)-differentially private. No epsilon below 4.774567588 holds for this class of mechanisms.

        bound       epsilon      lower bound
      * dp-optimal  4.774567589  4.774567588
        zcdp        5.073153201
        basic       10
      Theorem: Optimal composition [Murtagh and Vadhan 2016, Thm 1.5].

        does not apply  reason
        br-nonadaptive  holds for bounded-range mechanisms only; the list has dp
      "
    `);
  });

  it('shows delta when delta is what was asked', () => {
    expect(tableReport(deltaAnswer, hundred, options)).toMatchInlineSnapshot(`
      "The composition of these 100 mechanisms, adaptively chosen with parameters fixed in advance, is (3,
      0.001361398695)-differentially private. No delta below 0.001361398694 holds for this class of mechanisms.

        bound       delta           lower bound
      * dp-optimal  0.001361398695  0.001361398694
      Theorem: Optimal composition [Murtagh and Vadhan 2016, Thm 1.5].

      1 bound is larger than twice the best. Add --all to show them.
      "
    `);
  });

  it('writes infinity as a word', () => {
    const text = tableReport(infeasible, hundred, { ...options, width: Infinity });
    expect(text).toContain('* dp-optimal  infinity');
    expect(text).toContain('no finite epsilon at delta 0.02, and no theorem could give one');
  });

  it('is headed by the name of the specification', () => {
    expect(tableReport(answer, { ...hundred, name: 'dashboard' }, options)).toMatch(/^dashboard\n\nThe composition/);
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
      "The composition of these 100 mechanisms,
      adaptively chosen with parameters fixed in
      advance, is (4.774567589, 1e-6)-differentially
      private. No epsilon below 4.774567588 holds for
      this class of mechanisms.

        bound       epsilon      lower bound
      * dp-optimal  4.774567589  4.774567588
        zcdp        5.073153201
      Theorem: Optimal composition [Murtagh and Vadhan
      2016, Thm 1.5].

      1 bound is larger than twice the best; 1 bound
      does not apply. Add --all to show them.
      "
    `);
    expect(tableReport(answer, hundred, { ...options, width: 30 })).toMatchInlineSnapshot(`
      "The composition of these 100
      mechanisms, adaptively chosen
      with parameters fixed in
      advance, is (4.774567589,
      1e-6)-differentially private.
      No epsilon below 4.774567588
      holds for this class of
      mechanisms.

      * dp-optimal
          epsilon 4.774567589
          lower bound 4.774567588
        zcdp
          epsilon 5.073153201
      Theorem: Optimal composition
      [Murtagh and Vadhan 2016, Thm
      1.5].

      1 bound is larger than twice
      the best; 1 bound does not
      apply. Add --all to show them.
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
