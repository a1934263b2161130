import type { Allowance } from '../../composition/check/changes.ts';

/** Seconds that may be spent, in several goes. */
export function allowanceOf(seconds: number): Allowance {
  let spent = 0;
  let since: number | null = null;
  const current = (): number => (since === null ? 0 : performance.now() - since);
  return {
    begin() {
      since = performance.now();
    },
    end() {
      spent += current();
      since = null;
    },
    isSpent: () => spent + current() >= seconds * 1000,
  };
}
