import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from './requests.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What a writer said of one request before it was killed. */
export interface Said {
  readonly id: string;
  /** `ended`: one of the ledgers goes on in another; `recovered`: it had to set aside what another one had left. */
  readonly outcome: 'granted' | 'refused' | 'ended' | 'recovered' | 'failed';
  readonly fault?: { readonly code: string };
  readonly settled?: 'none' | 'finished' | 'removed';
}

export class Writer {
  readonly #child: ChildProcess;
  readonly said: Said[] = [];
  readonly ready: Promise<void>;
  #awaited: { readonly count: number; readonly reached: () => void } | null = null;
  #begun = false;
  readonly #ended: Promise<unknown>;

  constructor() {
    this.#child = spawn(process.execPath, [join(ROOT, 'test/crash/writer.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = once(this.#child, 'close');
    this.ready = new Promise((resolve) => {
      createInterface({ input: this.#child.stdout! }).on('line', (line) => {
        if (line === 'ready') resolve();
        else if (line === 'begun') this.#begun = true;
        // A line that the knife cut in two was never heard.
        else if (line.endsWith('}')) this.said.push(JSON.parse(line) as Said);
        this.#look();
      });
    });
  }

  #look(): void {
    if (this.#begun && this.#awaited !== null && this.said.length >= this.#awaited.count) this.#awaited.reached();
  }

  /** Returns when it has begun and said so much, or has come to its end. */
  async hasSaid(count: number): Promise<void> {
    const said = new Promise<void>((reached) => {
      this.#awaited = { count, reached };
    });
    this.#look();
    await Promise.race([said, this.#ended]);
  }

  start(task: object): void {
    this.#child.stdin!.on('error', () => undefined);
    this.#child.stdin!.write(`${JSON.stringify(task)}\n`);
  }

  /** Kills it, and returns when nothing more can be heard of it. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

const ACT = {
  spend: ({ ledgers, units }: Extract<Request, { kind: 'spend' }>): string[] => [
    'spend',
    ledgers[0]!,
    '-m',
    `dp:epsilon=${units}e-6`,
  ],
  nest: ({ ledger, children, units }: Extract<Request, { kind: 'nest' }>): string[] => [
    'nest',
    ledger,
    ...children,
    '--epsilon',
    `${units}e-6`,
  ],
  convert: ({ ledger, heir }: Extract<Request, { kind: 'convert' }>): string[] => [
    'convert',
    ledger,
    heir,
    '--id',
    heir,
  ],
};

const wordsOf = (request: Request): string[] =>
  request.kind === 'spend' ? ACT.spend(request) : request.kind === 'nest' ? ACT.nest(request) : ACT.convert(request);

interface Answer {
  readonly granted?: boolean;
  readonly code?: string | null;
  readonly errors?: readonly { readonly code: string }[];
}

/** The whole program, asked once, and killed or not; null where nothing whole was heard of it. */
export async function runProgram(address: string, request: Request, life: number): Promise<Said | null> {
  const words = [
    ...wordsOf(request),
    '--store',
    address,
    '--key',
    request.id,
    '--at',
    'none',
    '--wait',
    '60',
    '--json',
  ];
  const child = spawn(process.execPath, [join(ROOT, 'bin/dpcompose.js'), 'ledger', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close');
  await Promise.race([ended, sleep(life)]);
  child.kill('SIGKILL');
  await ended;
  if (!text.endsWith('}\n')) return null;
  const { granted, errors, code } = JSON.parse(text) as Answer;
  const { id } = request;
  const [fault] = errors ?? [];
  if (fault !== undefined)
    return fault.code === 'converted' ? { id, outcome: 'ended' } : { id, outcome: 'failed', fault };
  if (granted === undefined && request.kind !== 'convert') throw new Error(text);
  if (granted !== false) return { id, outcome: 'granted' };
  return { id, outcome: code === 'converted' ? 'ended' : 'refused' };
}
