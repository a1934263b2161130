import type { ParallelBound } from '../../composition/attack/verify/parallel-bounds.ts';
import type { VerifiedCopies, VerifyAnswer } from '../../composition/attack/verify/verify.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { pageText, type PageTable } from './page.ts';
import type { Layout } from '../kit/columns.ts';
import { rationalText } from '../kit/exact-text.ts';
import { PARALLEL_BOUNDS } from './parallel-bound-text.ts';
import { grouped, printable } from '../kit/prose.ts';

const messagesText = (rounds: number | null): string =>
  rounds === null ? '' : `, at most ${grouped(rounds)} ${rounds === 1 ? 'message' : 'messages'}`;

function aloneTable({ alone, question, properties }: VerifyAnswer): PageTable {
  const limits = [question.rounds, properties.longest].flatMap((limit) => limit ?? []);
  const directed = alone.some(({ forward, backward }) => !forward.equals(backward));
  const fixed = alone.some(({ oblivious, delta }) => oblivious?.equals(delta) !== true);
  return {
    title: `One copy alone${messagesText(limits.length === 0 ? null : Math.min(...limits))}`,
    head: [
      'e^epsilon',
      'delta',
      ...(directed ? ['0 against 1', '1 against 0'] : []),
      ...(fixed ? ['messages fixed in advance'] : []),
    ],
    rows: alone.map(({ factor, delta, forward, backward, oblivious }) => [
      factor.toString(),
      rationalText(delta),
      ...(directed ? [rationalText(forward), rationalText(backward)] : []),
      ...(fixed ? [oblivious === null ? 'not computed' : rationalText(oblivious)] : []),
    ]),
  };
}

function remark({ delta, applies }: ParallelBound, optimum: VerifiedCopies['delta']): string {
  const compared = optimum.compare(delta);
  if (!applies) {
    const why = 'does not apply, as pairs cannot be swapped';
    return compared > 0 ? `${why}: too small` : why;
  }
  return compared === 0 ? 'exact' : 'holds';
}

function togetherTable(together: readonly VerifiedCopies[], { question }: VerifyAnswer): PageTable {
  const { copies, sparsity, rounds } = question;
  const which =
    sparsity === copies
      ? 'all of which may receive different messages'
      : `${sparsity === 0 ? 'none' : grouped(sparsity)} of which may receive different messages`;
  return {
    title: `${grouped(copies)} copies, ${which}${messagesText(rounds)}`,
    head: ['e^epsilon', 'what', 'delta', 'theorem'],
    rows: together.flatMap(({ factor, delta, bounds }) => [
      [factor.toString(), 'exact', rationalText(delta), 'all adaptive adversaries'],
      ...bounds.map((bound) => {
        const { name, place } = PARALLEL_BOUNDS[bound.id];
        return ['', name, rationalText(bound.delta), `${place}: ${remark(bound, delta)}`];
      }),
    ]),
  };
}

function guaranteeText({ guarantee }: VerifyAnswer): string[] {
  const { factor, claimed, exact, swapped, holds } = guarantee;
  const at = `at e^epsilon ${factor.toString()}`;
  const both = exact.equals(swapped) ? '' : ` Where pairs may also be swapped, it is ${rationalText(swapped)}.`;
  if (claimed === null) return both === '' ? [] : [`Delta of one copy is ${rationalText(exact)} ${at}.${both}`];
  const tight = claimed.equals(exact) ? ', and no smaller one does' : `; it is ${rationalText(exact)}`;
  return holds
    ? [`The claimed delta of ${rationalText(claimed)} ${at} holds${tight}.${both}`]
    : [`The claimed delta of ${rationalText(claimed)} ${at} does not hold: it is ${rationalText(exact)}.${both}`];
}

/** What was verified, for a person; `shows` says what an example is there for. */
export function verifyTable(answer: VerifyAnswer, shows: string | null, layout: Layout): string {
  const { question, together } = answer;
  const heading = [question.name ?? 'A finite mechanism', ...(shows === null ? [] : [shows])].join(': ');
  return pageText(
    {
      heading: printable(heading),
      tables: [aloneTable(answer), ...(together === null ? [] : [togetherTable(together, answer)])],
      sentences: [
        ...guaranteeText(answer),
        `Every number is exact: the largest over all adaptive adversaries who keep to the verification function. [${henzingerSafaviVadhan('Def 10.2 and Cor 10.7')}]`,
      ].map(printable),
    },
    layout,
  );
}
