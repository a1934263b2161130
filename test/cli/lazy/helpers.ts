import { expect } from 'vitest';
import { violations } from '../../output/schema.ts';
import { type, type Run } from '../run.ts';

/** What one command under lazy prints with --json, which must be what its schema says. */
export async function lazy<T>(line: string, world?: Parameters<typeof type>[1]): Promise<T> {
  const { code, stdout, stderr } = await type(`lazy ${line} --json`, world);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('lazy', stdout)).toEqual([]);
  const document = JSON.parse(stdout) as { schema: string };
  expect(document.schema).toBe('dpcompose.lazy/1');
  return document as T;
}

/** The records of comma-separated values, by the names of their columns. */
export function records(csv: string): Record<string, string>[] {
  expect(csv.endsWith('\r\n')).toBe(true);
  const [header = '', ...lines] = csv.slice(0, -2).split('\r\n');
  const names = header.split(',');
  return lines.map((line) => {
    const fields = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)!.slice(0, names.length);
    return Object.fromEntries(names.map((name, index) => [name, fields[index]!.replace(/,$/, '')]));
  });
}

/** The result as comma-separated values. */
export async function csv(line: string): Promise<Record<string, string>[]> {
  const { code, stdout, stderr } = await type(`lazy ${line} --format csv`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return records(stdout);
}

/** What a person sees on a terminal of this width, on which no progress is drawn: how long work takes is not tested. */
export const seen = (line: string, columns = 80): Promise<Run> =>
  type(`lazy ${line} --no-color`, { terminal: true, columns, env: { TERM: 'dumb' } });
