import type { Learned, ObliviousAttack } from '../../composition/attack/oblivious.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { encloseRational } from '../../numeric/rational.ts';
import type { Layout } from '../kit/columns.ts';
import { rationalText } from '../kit/exact-text.ts';
import { givenText } from '../kit/number.ts';
import { heading, pageText, paragraph } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { disagreement, quantities, rateText, type Quantity } from './simulated.ts';

const learned = (name: string, { exact, simulated }: Learned): Quantity => ({
  name,
  expected: rationalText(exact),
  seen: simulated && rateText(simulated),
});

/** The attack of footnote 1 for a person. */
export function obliviousTable(attack: ObliviousAttack, layout: Layout): string {
  const { delta, many, oblivious, adaptive, repetition } = attack;
  const { simulated } = oblivious;
  return pageText(
    [
      heading(`Attack on a mechanism that is (0, ${givenText(delta)})-DP where all messages are fixed in advance`),
      quantities(
        'data learned',
        [learned('messages fixed in advance', oblivious), learned('messages chosen on the way', adaptive)],
        repetition,
      ),
      paragraph(
        `The mechanism announces one of ${grouped(many)} numbers, all equally likely, and publishes its data to whoever then says that number. [${henzingerSafaviVadhan('footnote 1')}]`,
      ),
      paragraph(
        'So a guarantee that holds only where all messages are fixed in advance says nothing of anybody who reads the answers: dpcompose refuses it for mechanisms that are interactive or continual ("adaptiveAdversary": false; oblivious-guarantee, exit code 3). Use a guarantee that is proved against adaptive adversaries, or a pure one (delta 0), for which the two are the same.',
      ),
      paragraph(simulated && disagreement(simulated, encloseRational(oblivious.exact))),
    ],
    layout,
  );
}
