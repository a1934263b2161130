import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { OutputName } from '../../../src/output/schema/schemas.ts';
import { violations } from '../../output/schema.ts';
import { run, type Run, type World } from '../run.ts';

/** A folder with ledgers, and commands that are typed there; it goes away with the tests of the file. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'dpcompose-desk-'));

  constructor() {
    afterAll(() => {
      rmSync(this.folder, { recursive: true });
    });
  }

  /** `ledger ...` as a person types it; text in single quotes is one word. */
  type(line: string, world: World = {}): Promise<Run> {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    return run(['ledger', ...words], { cwd: this.folder, ...world });
  }

  /** The same where it has to end well; what it prints. */
  async done(line: string, world?: World): Promise<string> {
    const { code, stdout, stderr } = await this.type(line, world);
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
    return stdout;
  }

  /** The document that the command prints with --json, which must be of this kind. */
  async json<T = Record<string, unknown>>(kind: OutputName, line: string, code = 0): Promise<T> {
    const { code: actual, stdout } = await this.type(`${line} --json`);
    expect({ line, code: actual }).toEqual({ line, code });
    expect(violations(kind, stdout), line).toEqual([]);
    const document = JSON.parse(stdout) as T & { schema: string };
    expect(document.schema).toBe(`dpcompose.${kind}/1`);
    return document;
  }

  /** The exit codes of commands, one after the other. */
  async codes(...lines: string[]): Promise<number[]> {
    const codes: number[] = [];
    for (const line of lines) codes.push((await this.type(line)).code);
    return codes;
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, content: string | Uint8Array): void {
    writeFileSync(join(this.folder, file), content);
  }

  /** The names of what is in a folder, but for what is hidden. */
  files(folder = '.'): string[] {
    const names = readdirSync(join(this.folder, folder));
    return names.filter((name) => !name.startsWith('.')).sort();
  }

  lines(file: string): Record<string, unknown>[] {
    return this.read(file)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

/** The decision that spend and check print. */
export interface DecisionDocument {
  readonly granted: boolean;
  readonly code: string | null;
  readonly record: { readonly number: number; readonly hash: string } | null;
  readonly mechanisms: { readonly first: number; readonly last: number } | null;
  readonly after: { readonly spent: Record<string, number>; readonly totals: Record<string, number> };
  readonly recovered: string;
}
