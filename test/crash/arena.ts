import type { Header } from '../../src/ledger/record.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { bornOf, type Request } from './requests.ts';
import type { Place } from './stores.ts';
import type { Said } from './writers.ts';

const MILLIONTH = new Decimal('1e-6');

/** A store with ledgers, all that was asked of them, and all that writers said. */
export class Arena {
  readonly place: Place;
  readonly folder: string;
  /** The budgets of ledgers that were there before any request, in millionths. */
  readonly budgets = new Map<string, number>();
  readonly requests = new Map<string, Request>();
  readonly granted = new Set<string>();
  readonly refused = new Set<string>();
  readonly ended = new Set<string>();
  /** Of which it was said that they failed, and that nothing was kept. */
  readonly undone = new Set<string>();
  /** The requests that bring a ledger into being, by its name. */
  readonly births = new Map<string, Request>();

  constructor(place: Place, folder: string) {
    this.place = place;
    this.folder = folder;
  }

  async make(name: string, budget: number): Promise<void> {
    const header: Header = {
      version: 'test',
      at: null,
      id: name,
      terms: {
        mode: 'filter',
        rule: { id: 'pure' },
        budget: { epsilon: MILLIONTH.times(budget) },
        onExcess: 'refuse',
        concurrency: 'concurrent',
        maxMechanisms: null,
        distance: new Decimal(1),
        neighbours: null,
      },
      origin: null,
    };
    const made = await this.place.store.create(name, header);
    if (made.kind === 'failed') throw new Error(JSON.stringify(made.fault));
    this.budgets.set(name, budget);
  }

  ask(requests: readonly Request[]): void {
    for (const request of requests) {
      this.requests.set(request.id, request);
      for (const name of bornOf(request)) this.births.set(name, request);
    }
  }

  hear({ id, outcome, fault }: Said): void {
    if (outcome === 'granted') this.granted.add(id);
    if (outcome === 'refused') this.refused.add(id);
    if (outcome === 'ended') this.ended.add(id);
    if (outcome === 'failed' && fault?.code !== 'outcome-unknown') this.undone.add(id);
  }
}
