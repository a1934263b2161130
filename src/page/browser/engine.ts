import type { Part, Request } from '../question.ts';
import { byId } from './element.ts';

/** The address of the program, which stands packed in the page: a page from a disk may not load it from there. */
async function unpacked(): Promise<string> {
  const packed = Uint8Array.from(atob(byId('program').textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return URL.createObjectURL(new Blob([await new Response(stream).text()], { type: 'text/javascript' }));
}

let address: Promise<string> | null = null;

/** Answers one question at a time; the next one, or a stop, ends it. */
export class Engine {
  #worker: Promise<Worker> | null = null;
  /** Counts questions: the parts of an earlier one are not shown. */
  asked = 0;
  #isBusy = false;

  /** Asks, and gives each part of the answer to `show`. */
  async ask(request: Request, show: (part: Part) => void): Promise<void> {
    this.stop();
    const own = ++this.asked;
    this.#isBusy = true;
    const post = (part: Part): void => {
      if (own !== this.asked) return;
      if (part.part === 'end') this.#isBusy = false;
      show(part);
    };
    const fail = (message: string): void => {
      post({ part: 'failure', message });
      post({ part: 'end' });
    };
    try {
      this.#worker ??= (address ??= unpacked()).then((script) => new Worker(script));
      const worker = await this.#worker;
      if (own !== this.asked) return;
      worker.onmessage = ({ data }: MessageEvent<Part>) => {
        post(data);
      };
      worker.onerror = ({ message }) => {
        fail(message);
      };
      worker.postMessage(request);
    } catch (error) {
      fail(`this browser cannot run it (${String(error)})`);
    }
  }

  /** Whether a question is being answered. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Ends the work on a question, whatever it does. */
  stop(): void {
    this.asked++;
    if (this.#isBusy) this.end();
  }

  /** Ends the thread that works. */
  end(): void {
    this.#isBusy = false;
    void this.#worker?.then((worker) => {
      worker.terminate();
    });
    this.#worker = null;
  }
}
