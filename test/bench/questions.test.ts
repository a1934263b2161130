import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CASES } from './cases.js';
import { prepared } from './questions.js';

/** Those that are answered in no time, with few entries in their ledgers. */
const SMALL = CASES.flatMap(({ name, question }) => {
  if (question.lazy !== undefined) return [{ name, question }];
  if (question.ledger === undefined) return [];
  return [{ name, question: { ledger: { ...question.ledger, entries: 3, copies: 2 } } }];
});

test.each(SMALL)('what the benchmark times is a command that is answered: $name', ({ question }) => {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-bench-'));
  try {
    const { words } = prepared(question, folder);
    const { status, stderr } = spawnSync(process.execPath, ['bin/dpcompose.js', ...words], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
