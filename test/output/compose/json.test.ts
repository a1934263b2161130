import { describe, expect, it } from 'vitest';
import { errorJson } from '../../../src/output/compose/error.ts';
import { composeJson } from '../../../src/output/compose/json.ts';
import { validateJson } from '../../../src/output/validate.ts';
import { refusalJson } from '../../../src/output/refusal/refusal.ts';
import { answer, bracket, brNonadaptive, deltaAnswer, infeasible } from '../answers.ts';
import { exactEntry, type ExactForm } from '../../../src/document/structure/normal-form.ts';
import { dp } from '../../mechanisms.ts';
import { violations } from '../schema.ts';

const input: ExactForm = { dpcompose: 1, adaptivity: 'adaptive', order: 'any', mechanisms: [] };
const error = {
  code: 'unknown-key',
  path: 'mechanisms[0].epsilom',
  message: 'there is no key "epsilom" here',
  hint: 'Did you mean "epsilon"?',
};

describe('compose --json', () => {
  it('is what its schema says, for every kind of answer', () => {
    for (const each of [answer, deltaAnswer, infeasible]) {
      expect(violations('compose', composeJson(each, input, '0.1.0'))).toEqual([]);
    }
  });

  it('is one document with the answer, every bound and the input', () => {
    expect(JSON.parse(composeJson(answer, input, '0.1.0'))).toEqual({
      schema: 'dpcompose.compose/1',
      version: '0.1.0',
      input,
      query: { solveFor: 'epsilon', delta: 1e-6 },
      answer: {
        epsilon: { lower: 4.774567588107, upper: 4.774567588109 },
        delta: { lower: 1e-6, upper: 1e-6 },
        bound: 'dp-optimal',
        tight: true,
      },
      bounds: [
        {
          id: 'dp-optimal',
          name: 'Optimal composition',
          reference: 'Murtagh and Vadhan 2016, Thm 1.5',
          applies: true,
          epsilon: { lower: 4.774567588107, upper: 4.774567588109 },
          delta: { lower: 1e-6, upper: 1e-6 },
        },
        {
          id: 'zcdp',
          name: 'Zero-concentrated DP',
          reference: 'Bun and Steinke 2016',
          applies: true,
          epsilon: { lower: null, upper: 5.0731532 },
          delta: { lower: 1e-6, upper: 1e-6 },
        },
        {
          id: 'basic',
          name: 'Basic composition',
          reference: 'Dwork et al. 2006',
          applies: true,
          epsilon: { lower: null, upper: 10 },
          delta: { lower: 1e-6, upper: 1e-6 },
          exact: '10',
        },
        {
          id: 'br-nonadaptive',
          name: 'Nonadaptive bounded range',
          reference: 'Dong, Durfee and Rogers 2020, Thm 3',
          applies: false,
          code: 'needs-types',
          reason: 'holds for bounded-range mechanisms only; the list has dp',
        },
      ],
      warnings: [],
    });
  });

  it('spells infinity out, because JSON has none', () => {
    const text = composeJson(infeasible, input, '0.1.0');
    expect(JSON.parse(text)).toMatchObject({
      answer: { epsilon: { lower: 'Infinity', upper: 'Infinity' } },
      warnings: [{ code: 'delta-infeasible' }],
    });
  });

  it('has no negative zero', () => {
    expect(composeJson({ ...answer, epsilon: bracket(-0, 0) }, input, '0.1.0')).not.toMatch(/-0[,\n]/);
  });

  it('is not written at all rather than with a NaN in it', () => {
    expect(() => composeJson({ ...answer, epsilon: bracket(NaN, 1) }, input, '0.1.0')).toThrow('not a number');
  });

  it('has the numbers of the input with all their digits', () => {
    const digits = '0.12345678901234567890123456789';
    const mechanisms = [exactEntry(dp(digits, '1e-7'))];
    expect(composeJson(answer, { ...input, mechanisms }, '0.1.0')).toContain(
      `"epsilon": ${digits},\n        "delta": 1e-7,`,
    );
  });

  it('carries doubles without loss', () => {
    const upper = 0.1 + 0.2;
    const text = composeJson({ ...answer, epsilon: bracket(5e-324, upper) }, input, '0.1.0');
    expect(JSON.parse(text)).toMatchObject({ answer: { epsilon: { lower: 5e-324, upper } } });
  });
});

describe('the other JSON outputs', () => {
  it('are what their schemas say', () => {
    expect(violations('validate', validateJson(input, [{ code: 'design-not-checked' }], '0.1.0'))).toEqual([]);
    expect(
      violations('error', errorJson([error, { ...error, line: 3, column: 7 }], { file: 'a.json', more: 4 }, '0.1.0')),
    ).toEqual([]);
    expect(violations('refusal', refusalJson({ code: 'adaptive-parameters' }, '0.1.0'))).toEqual([]);
    expect(
      violations('refusal', refusalJson({ code: 'not-offered', path: 'mechanisms[0]', type: 'svt' }, '0.1.0')),
    ).toEqual([]);
    expect(
      violations('refusal', refusalJson({ code: 'no-bound', bounds: [brNonadaptive], warnings: [] }, '0.1.0')),
    ).toEqual([]);
  });

  it('say first what is wrong, and how much besides', () => {
    const said = (more: number): unknown => JSON.parse(errorJson([error, error], { file: 'a.json', more }, '0.1.0'));
    expect(said(0)).toMatchObject({
      version: '0.1.0',
      message: 'mechanisms[0].epsilom: there is no key "epsilom" here; and 1 more',
      file: 'a.json',
    });
    expect(said(4)).toMatchObject({ message: expect.stringMatching(/; and 5 more$/) as string, more: 4 });
  });

  it('have schemas that reject what they should', () => {
    expect(violations('error', '{"schema":"dpcompose.error/1","errors":[],"more":0}')).not.toEqual([]);
    expect(violations('compose', composeJson(answer, input, '0.1.0').replace('"tight"', '"thight"'))).not.toEqual([]);
    expect(violations('compose', composeJson(answer, input, '0.1.0').replace('4.774567588109', 'null'))).not.toEqual(
      [],
    );
  });
});
