import { describe, expect, it } from 'vitest';
import { shareOf } from '../reference/share.ts';
import { Random } from '../soundness/random.ts';
import { checkerSays, hasPython } from './campaign.ts';
import { FALSE_BUDGETS, randomFilter } from './filters.ts';
import { randomCertificate, type Answered } from './questions.ts';
import { FALSE_CLAIMS, MALFORMED, spoiled } from './spoiled.ts';

const SEED = 7;

// The checker is a program in Python: where there is none, CI says so, and nothing is tried.
describe.skipIf(!hasPython())('a program that shares nothing with this one', () => {
  const cases = shareOf(400);
  const answers = Array.from({ length: 2 * cases }, (_, stream) => randomCertificate(SEED, stream))
    .filter((answer) => answer !== null)
    .slice(0, cases);
  const filters = async (): Promise<readonly Answered[]> => {
    const made = await Promise.all(Array.from({ length: cases }, (_, stream) => randomFilter(SEED, stream)));
    return made.filter((filter) => filter !== null);
  };

  it('verifies every certificate', () => {
    expect(answers).toHaveLength(cases);
    expect(checkerSays(answers.map(({ text }) => text)).filter((line) => !line.startsWith('holds: '))).toEqual([]);
  });

  it('refuses every certificate that was spoiled', () => {
    const turns = 3 * Math.max(Object.keys(FALSE_CLAIMS).length, Object.keys(MALFORMED).length);
    const bad = Array.from({ length: turns }, (_, turn) =>
      spoiled(answers[turn % cases]!, turn, new Random(SEED, turn)),
    );
    const accepted = checkerSays(bad.map(({ text }) => text)).flatMap((line, i) =>
      line.startsWith('refused: ') ? [] : [`${bad[i]!.how}: ${line}`],
    );
    expect(accepted).toEqual([]);
    expect(new Set(bad.map(({ how }) => how)).size).toBeGreaterThan(Object.keys(MALFORMED).length + 8);
  });

  it('verifies the budget of every filter, and refuses every one that was spoiled', async () => {
    const budgets = await filters();
    expect(budgets.length).toBeGreaterThan(cases / 2);
    const bad = budgets.map((budget, turn) => spoiled(budget, turn, new Random(SEED, turn), FALSE_BUDGETS).text);
    const [said, saidOfBad] = [checkerSays(budgets.map(({ text }) => text)), checkerSays(bad)];
    expect(said.filter((line) => !line.startsWith('holds: '))).toEqual([]);
    expect(saidOfBad.filter((line) => !line.startsWith('refused: '))).toEqual([]);
  });
});
