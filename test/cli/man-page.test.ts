import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../src/cli/commands.ts';
import { manPage } from '../../src/cli/man-page.ts';
import { type } from './run.ts';

const page = await manPage();

describe('the man page', () => {
  it('has every command with its options', async () => {
    for (const name of COMMAND_NAMES) {
      expect(page).toContain(`.SS "dpcompose ${name.replaceAll('-', '\\-')}`);
      const options = [...(await type(`${name} --help`)).stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(
        ([, option]) => option ?? '',
      );
      expect(options.filter((option) => !page.includes(option.replaceAll('-', '\\-')))).toEqual([]);
    }
  });

  it('takes no line of text for a request', () => {
    const requests = [...page.matchAll(/^[.'](\S*)/gm)].map(([, name]) => name);
    expect(new Set(requests)).toEqual(new Set(['TH', 'SH', 'SS', 'TP', 'PP', 'B', 'nf', 'fi']));
  });

  it('is printed without a warning where groff is there', () => {
    const { error, stderr } = spawnSync('groff', ['-man', '-Tascii', '-ww', '-z'], { input: page, encoding: 'utf8' });
    if (error !== undefined) process.stderr.write('left out: there is no groff here\n');
    else expect(stderr).toBe('');
  });
});
