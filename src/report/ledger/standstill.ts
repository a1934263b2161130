import type { Present } from '../../ledger/journal/present.ts';
import { quote } from '../../document/core/quote.ts';

/** Why a ledger grants nothing at a moment by its clock, whatever is left of its budget; null where it does. */
export function standstillText(present: Present, isCopy: boolean): string | null {
  const { successor, movedTo, state } = present;
  if (isCopy) return 'This is a copy, which grants nothing.';
  if (movedTo !== undefined) return `Nothing is granted here: it was moved to ${movedTo.name} in ${movedTo.store}.`;
  if (successor !== null) return `Nothing is granted any more: it goes on as ${quote(successor.id)}.`;
  const { window } = state.terms;
  const { clock } = state;
  if (window === undefined || clock === null) return null;
  if (window.opens !== null && clock < window.opens) return `Nothing is granted yet: it opens at ${window.opens}.`;
  return window.closes === null || clock < window.closes
    ? null
    : `Nothing is granted any more: it closed at ${window.closes}.`;
}
