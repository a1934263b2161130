import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refreshed } from './refreshed.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Pages whose examples are run together: each group in a test file of its own, so that they run side by side. */
export const GROUPS = {
  tasks: [
    'docs/quickstart.md',
    'docs/page.md',
    'docs/compose.md',
    'docs/budgets.md',
    'docs/checks.md',
    'docs/statement.md',
    'docs/risk.md',
    'docs/audit.md',
    'docs/curves.md',
    'docs/sgd.md',
  ],
  systems: [
    'docs/plans.md',
    'docs/designs.md',
    'docs/attacks.md',
    'docs/ledger.md',
    'docs/ledger-stores.md',
    'docs/shared-budgets.md',
    'docs/online-learning.md',
    'docs/lazy-without-y.md',
    'docs/lazy-run.md',
    'docs/theorem-3-2.md',
  ],
  reference: [
    'README.md',
    'docs/README.md',
    'docs/bounds.md',
    'docs/command-line.md',
    'docs/comparison.md',
    'docs/correctness.md',
    'docs/faq.md',
    'docs/from-other-accountants.md',
    'docs/json.md',
    'docs/library.md',
    'docs/limits.md',
    'docs/mechanisms.md',
    'docs/specification.md',
    'docs/speed.md',
  ],
} as const;

export type Page = (typeof GROUPS)[keyof typeof GROUPS][number];

export const PAGES: readonly Page[] = Object.values(GROUPS).flat();

export const textOf = (page: Page): string => readFileSync(join(ROOT, page), 'utf8');

/** The part of a page under a heading. */
export function section(page: Page, heading: string): string {
  const [, rest] = textOf(page).split(new RegExp(`^## ${heading}\n`, 'm'));
  if (rest === undefined) throw new Error(`${page} has no section "${heading}".`);
  return rest.split(/^## /m)[0] ?? '';
}

/**
 * Every example of these pages is run with the built program (`npm test` builds it) and compared byte for byte, but for random digits.
 * `npm run examples` rewrites what has changed; look at the difference before you keep it.
 */
export function itShowsWhatIsPrinted(pages: readonly Page[]): void {
  it.each(pages)('%s shows what the program prints', async (page) => {
    const text = await refreshed(textOf(page));
    await expect(text).toMatchFileSnapshot(join(ROOT, page));
    // No failure of the shell that ran the examples.
    expect(text).not.toMatch(/command not found|No such file or directory|dpcompose: internal error/);
  });
}
