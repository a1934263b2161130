import { columnsOf, drawStderr, type Io } from './io.ts';

/** Receives the name of the work under way, and the share of it that is done, 0 to 1. */
export type Report = (what: string, share: number) => void;

/** The option of a calculation by which it tells how far it is, where somebody is to know: in the words of `wording`. */
export const progressFor = <Steps extends readonly unknown[]>(
  report: Report | undefined,
  wording: (...steps: Steps) => readonly [what: string, share: number],
): { readonly progress?: (...steps: Steps) => void } =>
  report === undefined
    ? {}
    : {
        progress: (...steps) => {
          report(...wording(...steps));
        },
      };

/** Milliseconds before anything is shown, and between one line and the next. */
const PATIENCE = 1000;
const PAUSE = 100;

/** The width of a terminal that does not know it. */
const USUAL_WIDTH = 80;

const percent = (share: number): number => Math.floor(100 * Math.max(0, Math.min(1, share)));

/** One line of standard error that is drawn over and over. */
class Line {
  readonly #io: Io;
  readonly #start = performance.now();
  #next = this.#start + PATIENCE;
  #shown = 0;

  constructor(io: Io) {
    this.#io = io;
  }

  readonly report: Report = (what, share) => {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + PAUSE;
    const seconds = Math.floor((now - this.#start) / 1000);
    const room = (columnsOf(this.#io.stderr) ?? USUAL_WIDTH) - 1;
    this.#show(`${what}: ${percent(share)}%  ${seconds} s`.slice(0, room));
  };

  /** Leaves the line as it was before. */
  erase(): void {
    if (this.#shown > 0) this.#show('');
  }

  #show(text: string): void {
    // Blanks erase on every terminal, escape sequences on most.
    const rest = ' '.repeat(Math.max(0, this.#shown - text.length));
    drawStderr(this.#io, `\r${text}${rest}${text === '' ? '\r' : ''}`);
    this.#shown = text.length;
  }
}

/**
 * Does `work`, which may tell how far it is. On a terminal that is shown on standard error, in one line after the first
 * second, which is erased when the work ends, well or badly; elsewhere nothing is shown, and there is nobody to tell.
 */
export function withProgress<T>(
  { quiet }: { readonly quiet?: boolean },
  io: Io,
  work: (report: Report | undefined) => T,
): T {
  if (quiet === true || io.stderr.isTTY !== true || io.env.TERM === 'dumb') return work(undefined);
  const line = new Line(io);
  const erase = (): void => {
    line.erase();
  };
  let done: T | undefined;
  try {
    done = work(line.report);
    return done instanceof Promise ? (done.finally(erase) as T) : done;
  } finally {
    if (!(done instanceof Promise)) erase();
  }
}
