import { constants, type Stats } from 'node:fs';
import { access, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode, OutputError, systemReason, type Destination, type Io } from './io.ts';
import { checkWritten, type WrittenFile } from './written-file.ts';

const failure = (file: string, error: unknown): OutputError =>
  new OutputError(`${file} cannot be written: ${systemReason(error)}`, { cause: error });

async function existing(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

async function fill(path: string, flags: string, mode: number, text: string | AsyncIterable<string>): Promise<void> {
  const handle = await open(path, flags, mode);
  try {
    // From where the last one has ended.
    for await (const part of typeof text === 'string' ? [text] : text) await handle.writeFile(part);
  } finally {
    await handle.close();
  }
}

/** Writes a file beside `path` and moves it there, so that nobody sees half of it. */
async function replace(path: string, mode: number, text: string | AsyncIterable<string>): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${Math.random().toString(36).slice(2)}.tmp`);
  try {
    await fill(draft, 'wx', mode, text);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

async function prepare(path: string): Promise<Destination> {
  const found = await existing(path);
  if (found?.isDirectory() === true) throw new Error('it is a directory');
  if (found !== null && !found.isFile()) {
    return (text) => fill(path, 'w', 0o666, text);
  }
  const target = found === null ? path : await realpath(path);
  await access(dirname(target), constants.W_OK);
  if (found !== null) await access(target, constants.W_OK);
  return (text) => replace(target, found === null ? 0o666 : found.mode & 0o777, text);
}

/**
 * The file of an option, ready to be written; throws where it must not be.
 *
 * A file that cannot be written is found out here, before the work; it is replaced as a whole or not at all.
 */
export async function openFile(file: string, written: WrittenFile, io: Io): Promise<Destination> {
  checkWritten(file, written, io);
  try {
    const put = await prepare(resolve(io.cwd(), file));
    return async (text) => {
      try {
        await put(text);
      } catch (error) {
        // A pipe whose reader has gone away, as with standard output.
        if (!hasCode(error, 'EPIPE')) throw failure(file, error);
      }
    };
  } catch (error) {
    throw failure(file, error);
  }
}
