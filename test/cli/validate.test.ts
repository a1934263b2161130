import { describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { type } from './run.ts';

describe('dpcompose validate', () => {
  it('says in one line what a valid specification holds', async () => {
    expect(await type('validate fixtures/dashboard.json')).toEqual({
      code: 0,
      stdout:
        'fixtures/dashboard.json is valid: "quarterly dashboard", 97 mechanisms in 4 entries, adaptively chosen, target delta 1e-6.\n',
      stderr: '',
    });
  });

  it('says that the order is declared', async () => {
    const stdin = '{"dpcompose":1,"order":"declared","mechanisms":[{"type":"dp","epsilon":1,"count":2}]}';
    const { stdout } = await type('validate -', { stdin });
    expect(stdout).toContain('2 mechanisms in 1 entry, adaptively chosen in the declared order, no target.');
    const fixed = await type('validate -', { stdin: stdin.replace('{', '{"adaptivity":"nonadaptive",') });
    expect(fixed.stdout).toContain('2 mechanisms in 1 entry, all fixed in advance, no target.');
  });

  it('does not need a target', async () => {
    const stdin = '{"dpcompose":1,"mechanisms":[{"type":"dp","epsilon":1}]}';
    const { code, stdout } = await type('validate -', { stdin });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'standard input is valid: 1 mechanism in 1 entry, no target.\n',
    });
  });

  it('prints the normal form, which is valid again and stays as it is', async () => {
    const first = await type('validate fixtures/mixed.json --json');
    expect(violations('validate', first.stdout)).toEqual([]);
    const { input } = JSON.parse(first.stdout) as { input: object };
    const second = await type('validate - --json', { stdin: JSON.stringify(input) });
    expect(JSON.parse(second.stdout)).toEqual(JSON.parse(first.stdout));
  });

  it('prints nothing with --quiet', async () => {
    expect(await type('validate fixtures/mixed.json -q')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each(['dashboard', 'selection', 'mixed', 'infeasible', 'adaptive-parameters'])(
    'accepts the example %s',
    async (name) => {
      expect((await type(`validate fixtures/${name}.json`)).code).toBe(0);
    },
  );
});
