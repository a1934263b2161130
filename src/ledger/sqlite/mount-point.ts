import { readFileSync } from 'node:fs';

/** The mounts of this process; empty where the system does not tell them. */
function mountsHere(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return '';
  }
}

/** A path as the table of mounts has it written, with blanks and backslashes by their numbers. */
const written = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Whether something is mounted at this very path, without links on the way. Source: proc_pid_mountinfo(5). */
export const isMountPoint = (path: string, mounts = mountsHere()): boolean =>
  mounts.split('\n').some((line) => {
    const [, , , , point] = line.split(' ');
    return point !== undefined && written(point) === path;
  });
