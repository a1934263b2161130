import type { ParallelBound } from '../../composition/attack/verify/parallel-bounds.ts';
import type { VerifiedCopies, VerifiedDelta, VerifyAnswer } from '../../composition/attack/verify/verify.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import type { Layout } from '../kit/columns.ts';
import { rationalText } from '../kit/exact-text.ts';
import { PARALLEL_BOUNDS } from './parallel-bound-text.ts';
import { heading, pageText, paragraph, type Block } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';

const messagesText = (rounds: number | null): string =>
  rounds === null ? '' : `, at most ${grouped(rounds)} ${rounds === 1 ? 'message' : 'messages'}`;

function aloneTable({ alone, question, properties }: VerifyAnswer): Block[] {
  const limits = [question.rounds, properties.longest].flatMap((limit) => limit ?? []);
  const isDirected = alone.some(({ forward, backward }) => !forward.equals(backward));
  const directed: readonly Column<VerifiedDelta>[] = [
    ['0 against 1', ({ forward }) => rationalText(forward)],
    ['1 against 0', ({ backward }) => rationalText(backward)],
  ];
  const hasFixed = alone.some(({ oblivious, delta }) => oblivious?.equals(delta) !== true);
  const fixed: readonly Column<VerifiedDelta>[] = [
    ['messages fixed in advance', ({ oblivious }) => (oblivious === null ? 'not computed' : rationalText(oblivious))],
  ];
  return [
    paragraph(`One copy alone${messagesText(limits.length === 0 ? null : Math.min(...limits))}`),
    table(alone, [
      ['e^epsilon', ({ factor }) => factor.toString()],
      ['delta', ({ delta }) => rationalText(delta)],
      ...(isDirected ? directed : []),
      ...(hasFixed ? fixed : []),
    ]),
  ];
}

function remark({ delta, applies }: ParallelBound, optimum: VerifiedCopies['delta']): string {
  const compared = optimum.compare(delta);
  if (!applies) {
    const why = 'does not apply, as pairs cannot be swapped';
    return compared > 0 ? `${why}: too small` : why;
  }
  return compared === 0 ? 'exact' : 'holds';
}

function togetherTable({ question, together }: VerifyAnswer): Block[] {
  if (together === null) return [];
  const { copies, sparsity, rounds } = question;
  const which =
    sparsity === copies
      ? 'all of which may receive different messages'
      : `${sparsity === 0 ? 'none' : grouped(sparsity)} of which may receive different messages`;
  const rows = together.flatMap(({ factor, delta, bounds }) => [
    { 'e^epsilon': factor.toString(), what: 'exact', delta: rationalText(delta), theorem: 'all adaptive adversaries' },
    ...bounds.map((bound) => {
      const { name, place } = PARALLEL_BOUNDS[bound.id];
      const theorem = `${place}: ${remark(bound, delta)}`;
      return { 'e^epsilon': '', what: name, delta: rationalText(bound.delta), theorem };
    }),
  ]);
  return [
    paragraph(`${grouped(copies)} copies, ${which}${messagesText(rounds)}`),
    table(rows, ['e^epsilon', 'what', 'delta', 'theorem']),
  ];
}

function guaranteeText({ guarantee }: VerifyAnswer): string | null {
  const { factor, claimed, exact, swapped, holds } = guarantee;
  const at = `at e^epsilon ${factor.toString()}`;
  const both = exact.equals(swapped) ? '' : ` Where pairs may also be swapped, it is ${rationalText(swapped)}.`;
  if (claimed === null) return both === '' ? null : `Delta of one copy is ${rationalText(exact)} ${at}.${both}`;
  const tight = claimed.equals(exact) ? ', and no smaller one does' : `; it is ${rationalText(exact)}`;
  return holds
    ? `The claimed delta of ${rationalText(claimed)} ${at} holds${tight}.${both}`
    : `The claimed delta of ${rationalText(claimed)} ${at} does not hold: it is ${rationalText(exact)}.${both}`;
}

/** The exact deltas of a mechanism for a person; `shows`: what an example is there for. */
export const verifyTable = (answer: VerifyAnswer, shows: string | null, layout: Layout): string =>
  pageText(
    [
      heading(`${answer.question.name ?? 'A finite mechanism'}${shows === null ? '' : `: ${shows}`}`),
      ...aloneTable(answer),
      ...togetherTable(answer),
      paragraph(guaranteeText(answer)),
      paragraph(
        `Every number is exact: the largest over all adaptive adversaries who keep to the verification function. [${henzingerSafaviVadhan('Def 10.2 and Cor 10.7')}]`,
      ),
    ],
    layout,
  );
