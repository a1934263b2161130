import { describe, expect, it } from 'vitest';
import { faultMessage } from '../../../src/output/ledger/faults.ts';

describe('a fault of a store', () => {
  it('is said with its whole reason, unless that is very long, and with nothing that drives a terminal', () => {
    const reason = 'a file of passwords was passed over, as others than its owner may read it; '.repeat(2);
    expect(faultMessage({ code: 'not-admitted', reason }).message).toContain(reason);
    const long = faultMessage({ code: 'unreachable', reason: 'x'.repeat(300) }).message;
    expect(long).toContain(`${'x'.repeat(200)}... (300 characters)`);
    expect(faultMessage({ code: 'damaged-store', reason: 'a\u001b[2J' }).message).toContain('a\\u001b[2J');
  });

  it('speaks of the database where it is one', () => {
    expect(faultMessage({ code: 'read-only' }).message).toBe('the file system is read-only: nothing was recorded');
    const standby = faultMessage({ code: 'read-only', of: 'database' });
    expect(standby.message).toBe('the database is read-only: nothing was recorded');
    expect(standby.hint).toContain('default_transaction_read_only');
    const reason = 'permission denied for schema dpcompose';
    for (const fault of [
      { code: 'unreadable', reason, of: 'database' },
      { code: 'not-permitted', reason },
    ] as const) {
      const { message, hint } = faultMessage(fault);
      expect(message).toContain(reason);
      expect(hint).toContain('grant it to the role');
    }
    expect(faultMessage({ code: 'unreadable', reason: 'is a pipe' }).hint).toBe('Check its permissions.');
    expect(faultMessage({ code: 'not-permitted' }).message).toBe('writing is not permitted: nothing was recorded');
    expect(faultMessage({ code: 'moved' }).message).toContain('written in another location');
  });

  it('of an address says what to write instead', () => {
    const hintOf = (problem: 'malformed' | 'unencrypted' | 'outer-space'): string =>
      faultMessage({ code: 'bad-address', problem, option: null }).hint;
    expect(hintOf('unencrypted')).toBe('Add ?sslmode=verify-full, or ?sslmode=disable if the network is trusted.');
    expect(hintOf('outer-space')).toBe('Give the file another name.');
    expect(hintOf('malformed')).toContain('postgres://USER@HOST/DATABASE');
  });
});
