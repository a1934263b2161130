import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Ajv } from 'ajv';
import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/composition/check/check.ts';
import { checkGithub, checkJunit, checkSarif } from '../../src/output/check/ci.ts';
import { checkJson, checkMarkdown, checkText } from '../../src/output/check/check.ts';
import { type CheckItem, type CheckReport, statusOf } from '../../src/output/check/words.ts';
import { PLAIN } from '../../src/output/kit/page.ts';
import { decimal, dp } from '../mechanisms.ts';
import { SARIF_SUBSET } from './sarif-schema.ts';
import { violations } from './schema.ts';

const budget = { epsilon: decimal(1), delta: decimal(0) };
const LAYOUT = { width: 80, style: PLAIN };

function item(path: string, epsilon: string, label: string): CheckItem {
  const entries = [dp(epsilon, 0, { count: 5, label })];
  const problem = { entries, adaptivity: 'adaptive', neighbours: null, design: null } as const;
  const outcome = check([problem], { budget, risks: [] }, { most: 5 });
  return { files: [{ path, name: label }], budget, risks: [], outcome, place: { file: path, line: 3, column: 7 } };
}

const unreadable = (path: string, text: string): CheckItem => ({
  files: [{ path, name: null }],
  budget: null,
  risks: [],
  outcome: {
    kind: 'unreadable',
    unreadable: [
      {
        file: path,
        errors: [{ code: 'invalid-json', path: 'document', message: text, hint: text, line: 2, column: 5 }],
        more: 0,
      },
    ],
  },
  place: null,
});

const refused = (path: string, text: string): CheckItem => ({
  files: [{ path, name: text }],
  budget,
  risks: [],
  outcome: { kind: 'refused', refusal: { code: 'different-neighbours', neighbours: [text, `${text}!`] } },
  place: { file: path, line: 1, column: 1 },
});

const report = (path: string, text: string): CheckReport => ({
  policy: 'policy.json',
  name: text,
  scopes: [
    {
      name: text,
      together: false,
      given: null,
      items: [item('good.json', '0.1', text), item(path, '0.3', text), refused(path, text), unreadable(path, text)],
    },
  ],
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(
    '::error::x',
    'a\n::set-output name=x::y',
    ']]>',
    '<a b="c">&amp;',
    '%0A::warning::',
    '| a | b\n# c',
    '\u0000\u001b[31m',
    '\ud800',
    'a,b:c',
    '\u2028::error::',
  ),
);

const reports = fc.tuple(hostile, hostile).map(([path, text]) => report(`x${path}`, text));

const ajv = new Ajv({ strict: true, allErrors: true });
const isSarif = ajv.compile(SARIF_SUBSET);

describe('reports of a check', () => {
  const plain = report('over.json', 'counts');

  it('say for a person what is over, by how much, and what would be enough', () => {
    const text = checkText(plain, LAYOUT);
    expect(text).toContain('within      good.json\n  epsilon is 0.5 of 1 at delta 0\n');
    expect(text).toContain('exceeds     over.json\n  epsilon is at least 1.5 at delta 0, 0.5 more than 1\n');
    expect(text).toContain('mechanisms[0] "counts" ((0.3, 0)-DP): epsilon 0.2 in place of 0.3');
    expect(text).toContain('mechanisms[0] "counts" ((0.3, 0)-DP): 3 calls in place of 5');
    expect(text).toContain('over.json:2:5: counts. counts');
    expect(text).toMatch(/\n4 checked: 1 unreadable, 1 over, 1 refused and 1 within\.\n$/);
  });

  it('count what cannot be read as worst, then what is over, then what is refused', () => {
    const [good, over, no, bad] = plain.scopes[0]!.items as [CheckItem, CheckItem, CheckItem, CheckItem];
    const status = (...items: CheckItem[]) => statusOf({ ...plain, scopes: [{ ...plain.scopes[0]!, items }] });
    expect([status(good), status(good, no), status(no, over), status(over, bad)]).toEqual([
      'within',
      'refused',
      'exceeds',
      'unreadable',
    ]);
    expect(status()).toBe('unreadable');
  });

  it('keep to the schema of check --json', () => {
    expect(violations('check', checkJson(plain, '0.1.0'))).toEqual([]);
    fc.assert(
      fc.property(reports, (each) => {
        expect(violations('check', checkJson(each, '0.1.0'))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('are one workflow command for each failure, whatever files and labels are called', () => {
    fc.assert(
      fc.property(reports, (each) => {
        const lines = checkGithub(each).split('\n').slice(0, -1);
        expect(lines).toHaveLength(4);
        for (const line of lines.slice(0, 3)) {
          expect(line).toMatch(/^::error file=[^,:\r\n]+,line=\d+,col=\d+,title=[^,:\r\n]+::[^\r\n]*$/);
        }
        expect(lines[3]).toBe('4 checked: 1 unreadable, 1 over, 1 refused and 1 within.');
      }),
      { numRuns: 60 },
    );
  });

  it('give the runner back the very name of a file', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const [line = ''] = checkGithub(report(`x${name}`, 'a')).split('\n');
        const file = /file=([^,]+),/.exec(line)?.[1] ?? '';
        const decoded = file
          .replaceAll('%3A', ':')
          .replaceAll('%2C', ',')
          .replaceAll('%0D', '\r')
          .replaceAll('%0A', '\n')
          .replaceAll('%25', '%');
        expect(decoded).toBe(`x${name}`);
      }),
    );
  });

  it('are well-formed XML that an independent reader counts the same, whatever labels say', () => {
    const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testcase' });
    fc.assert(
      fc.property(reports, (each) => {
        const text = checkJunit(each);
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is a package of its own
        expect(XMLValidator.validate(text)).toBe(true);
        // eslint-disable-next-line no-control-regex
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
        const { testsuites } = parser.parse(text) as {
          testsuites: Record<string, string> & { testsuite: { testcase: Record<string, unknown>[] } };
        };
        expect([testsuites['@_tests'], testsuites['@_failures'], testsuites['@_errors']]).toEqual(['4', '1', '2']);
        const { testcase } = testsuites.testsuite;
        expect(testcase.map((one) => ['failure' in one, 'error' in one])).toEqual([
          [false, false],
          [true, false],
          [false, true],
          [false, true],
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('are SARIF 2.1.0 with a place for each result', () => {
    fc.assert(
      fc.property(reports, (each) => {
        const document = JSON.parse(checkSarif(each, '0.1.0')) as {
          runs: [{ results: { ruleId: string; ruleIndex: number }[]; tool: { driver: { rules: { id: string }[] } } }];
        };
        expect([isSarif(document), isSarif.errors]).toEqual([true, null]);
        const [{ results, tool }] = document.runs;
        expect(results.map(({ ruleId }) => ruleId)).toEqual([
          'budget-exceeded',
          'no-theorem',
          'unreadable-specification',
        ]);
        for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      }),
      { numRuns: 60 },
    );
  });

  it('are a Markdown table that labels cannot break', () => {
    fc.assert(
      fc.property(reports, (each) => {
        const rows = checkMarkdown(each)
          .split('\n')
          .filter((line) => line.startsWith('|'));
        expect(rows).toHaveLength(6);
        for (const row of rows) expect(row.replace(/\\[\\|]/g, '').match(/\|/g)).toHaveLength(4);
      }),
      { numRuns: 60 },
    );
  });

  it('leave no control character for a terminal', () => {
    fc.assert(
      fc.property(reports, (each) => {
        for (const text of [checkText(each, LAYOUT), checkMarkdown(each)]) {
          expect(text).not.toMatch(/[^\n\P{Cc}]/u);
        }
      }),
      { numRuns: 60 },
    );
  });
});
