import { FiniteMechanism } from '../../composition/attack/interaction/finite-mechanism.ts';
import { PairVerification } from '../../composition/attack/interaction/pair-verification.ts';
import type { VerifyQuestion } from '../../composition/attack/verify/question.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { quote, shorten } from '../core/quote.ts';
import { didYouMean } from '../core/suggest.ts';

const TRANSITIONS = ['verify', 'mechanism', 'transitions'] as const;
const ALLOWS = ['verify', 'verification', 'allows'] as const;

const at = (path: Path, problem: Problem): Mistake => ({ path, anchor: 'value', problem });

/** A beginning that nothing goes on from. */
function unknownStart(start: string, froms: readonly string[], path: Path, what: string): Mistake[] {
  if (froms.includes(start)) return [];
  const message = `nothing is said of the ${what} ${quote(start)}, with which it begins`;
  const hint = `${didYouMean(start, froms)}Write the "from" of something that is listed.`;
  return [at([...path, 'start'], { code: 'unknown-name', message, hint })];
}

/** The mistake that the mechanism goes to an undefined state, in which messages may be sent. */
function unknownState(state: string, states: readonly string[], { mechanism }: VerifyQuestion): Mistake {
  const index = mechanism.transitions.findIndex(({ to }) => to === state);
  return at([...TRANSITIONS, index, 'to'], {
    code: 'unknown-name',
    message: `nothing is said of the state ${quote(state)}, in which messages may be sent`,
    hint: `${didYouMean(state, states)}Write the "from" of a transition, or add transitions from ${quote(state)}.`,
  });
}

function wrongSums({ mechanism: { transitions } }: VerifyQuestion, mechanism: FiniteMechanism): Mistake[] {
  return mechanism.troubles().map(({ from, message, sum }) => {
    const index = transitions.findIndex((each) => each.from === from && each.messages.includes(message));
    return at([...TRANSITIONS, index, 'probability'], {
      code: 'wrong-sum',
      message: `the probabilities in the state ${quote(from)} on the message ${quote(message)} must sum to exactly 1, got ${shorten(sum.toString())}`,
      hint: 'Correct them; 1/3 can be written as "1/3".',
    });
  });
}

function duplicatePairs({ verification: { allows } }: VerifyQuestion): Mistake[] {
  const seen = new Set<string>();
  return allows.flatMap(({ from, pairs }, row) =>
    pairs.flatMap(([zero, one], index) => {
      const key = JSON.stringify([from, zero, one]);
      if (!seen.has(key)) {
        seen.add(key);
        return [];
      }
      const message = `the pair (${quote(zero)}, ${quote(one)}) is allowed twice at the stage ${quote(from)}`;
      const problem: Problem = { code: 'duplicate-pair', message, hint: 'Keep one of the two.' };
      return [at([...ALLOWS, row, 'pairs', index], problem)];
    }),
  );
}

/** The mistakes of a question whose parts are right one by one. */
export function verifyMistakes(question: VerifyQuestion): Mistake[] {
  const mechanism = new FiniteMechanism(question.mechanism);
  const verification = new PairVerification(question.verification);
  const { start, transitions } = question.mechanism;
  const { allows } = question.verification;
  const states = transitions.map(({ from }) => from);
  const stages = allows.map(({ from }) => from);
  const found = [
    ...unknownStart(start, states, TRANSITIONS.slice(0, 2), 'state'),
    ...unknownStart(question.verification.start, stages, ALLOWS.slice(0, 2), 'stage'),
    ...wrongSums(question, mechanism),
    ...duplicatePairs(question),
  ];
  if (found.length > 0) return found;
  const lacking = verification.unanswered(mechanism);
  const unknown = [...new Set(lacking.map(({ state }) => state))].filter((state) => !states.includes(state));
  const unanswered = [
    ...unknown.map((state) => unknownState(state, states, question)),
    ...lacking
      .filter(({ state }) => !unknown.includes(state))
      .map(({ stage, state, message }) =>
        at(TRANSITIONS, {
          code: 'missing-law',
          message: `nothing is said of the state ${quote(state)} on the message ${quote(message)}, which may be sent there at the stage ${quote(stage)}`,
          hint: 'Add what it answers, or do not allow that pair.',
        }),
      ),
  ];
  if (unanswered.length > 0 || question.rounds !== null || verification.longest() !== null) return unanswered;
  return [
    at(['verify', 'rounds'], {
      code: 'missing-key',
      message: 'rounds is missing, and pairs may be sent without end',
      hint: 'Add "rounds", the most messages that may be sent, such as 4, or --rounds 4.',
    }),
  ];
}
