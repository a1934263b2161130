import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = process.cwd();

/** Whether a Python that can run the checker is there. */
export const hasPython = (): boolean => spawnSync('python3', ['--version']).status === 0;

/** What the checker says of each document, which are files of one run: `holds: ...` or `refused: ...`. */
export function checkerSays(texts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  try {
    const files = texts.map((text, i) => {
      const file = join(folder, `${i}.json`);
      writeFileSync(file, text);
      return file;
    });
    const { stdout, stderr } = spawnSync('python3', [join(ROOT, 'docs/checker.py'), ...files], { encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    if (lines.length !== texts.length) throw new Error(`The checker broke off: ${stderr}`);
    return lines;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
