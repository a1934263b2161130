import type { Learned, ObliviousAttack } from '../../composition/attack/oblivious.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { encloseRational } from '../../numeric/rational.ts';
import { disagreement, INTERVAL_HEADING, pageText, rateCells, runsText, type PageTable } from './page.ts';
import type { Layout } from '../kit/columns.ts';
import { rationalText } from '../kit/exact-text.ts';
import { givenText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';

function tableOf({ oblivious, adaptive, repetition }: ObliviousAttack): PageTable {
  const row = (name: string, { exact, simulated }: Learned): string[] => [
    name,
    rationalText(exact),
    ...(simulated ? rateCells(simulated) : []),
  ];
  return {
    head: ['data learned', 'expected', ...(repetition ? [runsText(repetition), INTERVAL_HEADING] : [])],
    rows: [row('messages fixed in advance', oblivious), row('messages chosen on the way', adaptive)],
  };
}

/** The attack of footnote 1 for a person. */
export function obliviousTable(attack: ObliviousAttack, layout: Layout): string {
  const { delta, many, oblivious } = attack;
  const { simulated } = oblivious;
  return pageText(
    {
      heading: `Attack on a mechanism that is (0, ${givenText(delta)})-DP where all messages are fixed in advance`,
      tables: [tableOf(attack)],
      sentences: [
        `The mechanism announces one of ${grouped(many)} numbers, all equally likely, and publishes its data to whoever then says that number. [${henzingerSafaviVadhan('footnote 1')}]`,
        'So a guarantee that holds only where all messages are fixed in advance says nothing of anybody who reads the answers: dpcompose refuses it for mechanisms that are interactive or continual ("adaptiveAdversary": false; oblivious-guarantee, exit code 3). Use a guarantee that is proved against adaptive adversaries, or a pure one (delta 0), for which the two are the same.',
        ...(simulated ? disagreement(simulated, encloseRational(oblivious.exact)) : []),
      ],
    },
    layout,
  );
}
