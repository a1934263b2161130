import { Readable } from 'node:stream';
import { Argument, Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandOf, type Invocation } from '../../../src/cli/kit/command.ts';
import type { Options } from '../../../src/cli/kit/option.ts';
import { UsageError } from '../../../src/cli/kit/usage-error.ts';

interface Greeting {
  readonly name: string;
  readonly warned?: boolean;
}

/** A command that greets, and looks at no mistakes itself; `prints` and `codes` collect what becomes of it. */
function greeter(read: (given: Invocation<Options, readonly [string]>) => Greeting) {
  const [prints, codes]: [string[], number[]] = [[], []];
  const output = {
    write: (text: string, done: () => void) => {
      prints.push(text);
      done();
    },
  };
  const io = { stdin: Readable.from([]), stdout: output, stderr: output, env: {}, cwd: () => '/' };
  const program = new Command();
  const context = {
    io,
    version: '0',
    now: () => new Date(0),
    installation: {},
    program: () => Promise.resolve(program),
    ends: (code: number) => void codes.push(code),
  };
  const command = commandOf<Greeting, Options, readonly [string]>({
    name: 'hello',
    about: '',
    operands: [new Argument('<NAME>')],
    examples: '',
    forms: { text: ({ name }) => `Hello, ${name}.\n`, json: ({ name }) => JSON.stringify({ name }) },
    read: (given) => {
      const result = read(given);
      return () => ({ result, warnings: result.warned === true ? [{ code: 'no-finite-epsilon' }] : [] });
    },
  })(context);
  return { prints, codes, run: (...words: string[]) => command.parseAsync(words, { from: 'user' }) };
}

const plain = ({ operands: [name] }: Invocation<Options, readonly [string]>): Greeting => ({ name });

describe('a command that is data', () => {
  it('prints its first form, or the one that is asked for', async () => {
    const { prints, codes, run } = greeter(plain);
    await run('Ada');
    await run('Ada', '--json');
    expect(prints).toEqual(['Hello, Ada.\n', '{"name":"Ada"}']);
    expect(codes).toEqual([0, 0]);
  });

  it('is stopped by mistakes, also where it does not look at them itself', async () => {
    const { prints, run } = greeter(({ operands: [name], errors }) => {
      errors.push({ code: 'unknown-name', path: 'NAME', message: 'nobody is called so', hint: 'Try Ada.' });
      return { name };
    });
    const failure: unknown = await run('Ada', '--format', 'nonsense').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).errors.map(({ path }) => path)).toEqual(['--format', 'NAME']);
    expect(prints).toEqual([]);
  });

  it('tells warnings beside the result', async () => {
    const { prints, codes, run } = greeter((given) => ({ ...plain(given), warned: true }));
    await run('Ada');
    expect(prints).toHaveLength(2);
    expect(prints[1]).toBe('Hello, Ada.\n');
    expect(codes).toEqual([0]);
  });
});
