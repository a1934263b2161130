import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Io } from '../../../src/cli/kit/io.ts';
import { withProgress, type Report } from '../../../src/cli/kit/progress.ts';

const nothing = { write: () => undefined };

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Io['env'];
  readonly quiet?: boolean;
}

/** What is written to standard error while `work` reports, in the order of writing. */
function written(
  work: (report: Report | undefined) => void,
  { isTTY = true, columns, env = {}, quiet }: Terminal = {},
) {
  const writes: string[] = [];
  const io: Io = {
    stdin: Readable.from([]),
    stdout: nothing,
    stderr: { isTTY, columns, write: (text) => writes.push(text) },
    env,
    cwd: () => '/',
  };
  withProgress(quiet === undefined ? {} : { quiet }, io, work);
  return writes;
}

/** The line a terminal shows after all that: a carriage return goes back to its beginning. */
function screen(writes: readonly string[]): string {
  const line: string[] = [];
  let column = 0;
  for (const character of writes.join('')) {
    if (character === '\r') column = 0;
    else line[column++] = character;
  }
  return line.join('').trimEnd();
}

describe('progress', () => {
  let time = 0;
  const after = (milliseconds: number, report: Report | undefined, what: string, share: number): void => {
    time += milliseconds;
    report?.(what, share);
  };
  beforeEach(() => {
    time = 5000;
    vi.spyOn(globalThis.performance, 'now').mockImplementation(() => time);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is one line with what is done, how much of it, and since when', () => {
    const writes = written((report) => {
      after(3200, report, 'br-adaptive', 0.429);
    });
    expect(screen(writes.slice(0, 1))).toBe('br-adaptive: 42%  3 s');
  });

  it('stays while work goes on that waits, and leaves nothing behind after it', async () => {
    const writes: string[] = [];
    const io: Io = {
      stdin: Readable.from([]),
      stdout: nothing,
      stderr: { isTTY: true, write: (text) => writes.push(text) },
      env: {},
      cwd: () => '/',
    };
    const work = async (report: Report | undefined): Promise<number> => {
      after(1500, report, 'rounds', 0.1);
      await Promise.resolve();
      expect(screen(writes)).toBe('rounds: 10%  1 s');
      after(1500, report, 'rounds', 0.5);
      return 7;
    };
    expect(await withProgress({}, io, work)).toBe(7);
    expect(screen(writes.slice(0, 2))).toBe('rounds: 50%  3 s');
    expect(screen(writes)).toBe('');
  });

  it('leaves nothing behind', () => {
    const writes = written((report) => {
      after(1500, report, 'a long name', 0.999);
      after(1500, report, 'short', 1);
    });
    expect(writes).toHaveLength(3);
    expect(screen(writes.slice(0, 2))).toBe('short: 100%  3 s');
    expect(screen(writes)).toBe('');
    expect(writes.at(-1)).toMatch(/^\r *\r$/);
    expect(writes.join('')).not.toContain('\n');
    expect(writes.join('')).not.toContain('\u001b');
  });

  it('is erased before an error is told', () => {
    const writes: string[] = [];
    const io = { stderr: { isTTY: true, write: (text: string) => writes.push(text) }, env: {} } as unknown as Io;
    const work = (report: Report | undefined): void => {
      after(2000, report, 'basic', 0);
      throw new Error('boom');
    };
    expect(() => {
      withProgress({}, io, work);
    }).toThrow('boom');
    expect(writes).toHaveLength(2);
    expect(screen(writes)).toBe('');
  });

  it('is not shown in the first second, and nothing has to be erased then', () => {
    const writes = written((report) => {
      for (let i = 0; i < 99; i++) after(10, report, 'basic', i / 99);
    });
    expect(writes).toEqual([]);
  });

  it('is redrawn at most ten times a second, however often it is told', () => {
    const writes = written((report) => {
      for (let i = 0; i < 3000; i++) after(1, report, 'basic', i / 3000);
    });
    expect(writes.length).toBeLessThanOrEqual(22);
    expect(writes.length).toBeGreaterThan(15);
  });

  it('fits in the width of the terminal', () => {
    for (const columns of [10, 20, 80]) {
      const [first = ''] = written(
        (report) => {
          after(2000, report, 'a'.repeat(100), 0.5);
        },
        { columns },
      );
      expect(first.length).toBe(columns);
    }
  });

  it('shows a share that makes no sense as none or all', () => {
    const show = (share: number): string =>
      screen(
        written((report) => {
          after(1000, report, 'x', share);
        }).slice(0, 1),
      );
    expect([-1, 7].map(show)).toEqual(['x: 0%  1 s', 'x: 100%  1 s']);
  });

  it.each([
    ['a file or a pipe', { isTTY: false }],
    ['a dumb terminal', { env: { TERM: 'dumb' } }],
    ['--quiet', { quiet: true }],
  ])('is not for %s: there the work has nobody to tell', (_, terminal) => {
    const told: unknown[] = [];
    const writes = written((report) => {
      told.push(report);
      after(5000, report, 'basic', 0.5);
    }, terminal);
    expect(told).toEqual([undefined]);
    expect(writes).toEqual([]);
  });
});
