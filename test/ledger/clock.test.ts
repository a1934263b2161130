import { afterEach, expect, it, vi } from 'vitest';
import { create } from '../../src/ledger/stores/file/create.ts';
import { reservationIn } from '../../src/ledger/reservation.ts';
import { dp } from '../mechanisms.ts';
import { FILES, HEADER, newPath, OPTIONS } from './stores/file/files.ts';

const HOUR = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Reserves a tenth of the budget while the clock of the machine says this; what it expires at, or why it is refused. */
async function reserve(path: string, now: string, until: string | number, acceptClock = false): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  const request = { event: 'hold', hold: now + String(until), until, entries: [dp('0.1')], evidence: null } as const;
  const done = await reservationIn(FILES, [path], request, { ...OPTIONS, acceptClock });
  if (done.kind === 'failed') return done.fault;
  const { decision, event } = done.value[0]!;
  if (decision.kind === 'refused') return decision.refusal;
  return event?.event === 'hold' ? event.until : null;
}

it('a reservation for an hour is not one for years where the clock was years ahead once', async () => {
  const path = newPath();
  create(path, HEADER);
  expect(await reserve(path, '2036-03-02T09:00:00Z', HOUR)).toBe('2036-03-02T10:00:00.000Z');
  // Half a day is a zone or a wrong summer time, by which nobody is kept out for long.
  expect(await reserve(path, '2036-03-01T21:00:00Z', HOUR)).toBe('2036-03-02T10:00:00.000Z');
  const refused = { code: 'invalid-terms', path: '--expires-in' };
  expect(await reserve(path, '2026-03-02T09:00:00Z', HOUR)).toMatchObject(refused);
  const until = '2036-03-02T12:00:00.000Z';
  expect(await reserve(path, '2026-03-02T09:00:00Z', until)).toMatchObject({ code: 'clock-behind', record: 2 });
  expect(await reserve(path, '2026-03-02T09:00:00Z', until, true)).toBe(until);
});
