import type { PlanRefusal, AlongTheWay, SamplingRefusal } from '../../composition/core/outcome.ts';
import { isEntry, below } from '../../composition/core/plan-node.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { fix, keyChange, plainRefusal, type Fix, type RefusalText } from '../kit/page.ts';
import { listed } from '../kit/prose.ts';
import {
  elementAt,
  isWithoutEnd,
  placeOf,
  type Held,
  type RefusalEntries,
  type RefusedDocument,
} from './refused-document.ts';
import { unboundedRefusal } from './unbounded-refusal.ts';
import { lowerText, upperText } from '../kit/number.ts';

/** A mechanism that the setting keeps out. */
type Denied = Extract<PlanRefusal, { readonly type: unknown }>;

/** The adaptivity that every theorem on plans covers. */
export const ADAPTIVE = keyChange('', 'adaptivity', 'adaptive');

/** Rounding, by which answers become discrete, and that the document no longer denies it. */
const ROUNDED = 'round every answer to a grid, and remove "discrete": false at the top of the document';
const UNDENIED = keyChange('', 'discrete', null);

/** Where a design sends messages one after the other, nothing answers once. */
const answersOnce = (path: string, { design }: RefusedDocument): Fix[] =>
  design !== null
    ? []
    : [fix(`set "kind" to "noninteractive" at ${path}, if it answers once`, keyChange(path, 'kind', 'noninteractive'))];

/** A pure guarantee in place of another, with rounding where the document denies that answers are discrete. */
function pureFix(path: string, type: string, { setting }: RefusedDocument): Fix {
  const denied = setting.discrete === 'denied';
  const also = denied ? `; ${ROUNDED}` : '';
  const changes = denied ? [UNDENIED] : [];
  if (type === 'dp') {
    const text = `set "delta" to 0 at ${path}, if it has a pure guarantee, for which the two are the same${also}`;
    return fix(text, keyChange(path, 'delta', 0), ...changes);
  }
  return fix(
    `describe ${path} by a pure guarantee, such as "type": "dp", "epsilon": 0.1, if it has one: for that the two are the same${also}`,
  );
}

function obliviousRefusal(refusal: Denied, document: RefusedDocument): RefusalText {
  const { path, type } = refusal;
  const name = placeOf(refusal, elementAt(document, path));
  const rounded = type === 'dp' && document.setting.discrete === 'denied';
  return {
    message:
      `${name} answers questions or takes data over time, and the document says of all its mechanisms that their guarantees, such as this one (${type}), hold only for questions and data that are fixed in advance ("adaptiveAdversary": false at the top of the document). ` +
      'An analyst who chooses the next question after seeing an answer can break such a guarantee completely: a mechanism that first tells a random number and reveals everything when asked for that number fails rarely on fixed questions, always on chosen ones.',
    fixes: [
      fix(
        `use guarantees that are proved against adaptive adversaries for all mechanisms here, and remove "adaptiveAdversary": false at the top of the document${rounded ? `; ${ROUNDED}` : ''}`,
        keyChange('', 'adaptiveAdversary', null),
        ...(rounded ? [UNDENIED] : []),
      ),
      pureFix(path, type, document),
      ...answersOnce(path, document),
    ],
  };
}

function continuousRefusal(refusal: Denied, document: RefusedDocument): RefusalText {
  const { path, type } = refusal;
  const held = elementAt(document, path);
  // By a Renyi guarantee it would be refused for another reason.
  const renyi = !(held !== null && isWithoutEnd(held)) && document.setting.adaptiveAdversary !== 'denied';
  return {
    message: `${placeOf(refusal, held)} is interactive or continual and its answers are said not to be discrete ("discrete": false at the top of the document), but how several such mechanisms compose, and how even one goes together with what an analyst does with its answers, is proved of ${type} guarantees for answers of countably many values only.`,
    fixes: [
      fix(`${ROUNDED}: rounding costs no privacy, and to whole numbers it adds at most 1 to the error`, UNDENIED),
      ...(renyi
        ? [
            fix(
              `describe ${path} by a Renyi guarantee, such as "type": "zcdp", "rho": 0.01, if it has one: that needs no rounding`,
            ),
          ]
        : []),
      ...answersOnce(path, document),
    ],
  };
}

/** How many of them are named. */
const MOST_FACTORS = 5;

/** Numbers above 1 in an element by which what it runs is multiplied, with their places. */
const factorsOf = (held: Held): string[] =>
  below(held).flatMap(({ node, path }) => {
    const factor = (key: string, value: number | string): string[] =>
      typeof value === 'number' && value > 1 ? [`"${key}" (now ${value}) at ${path}`] : [];
    if (isEntry(node)) return factor('count', node.count);
    switch (node.node) {
      case 'group':
        return [];
      case 'parallel':
        return [...factor('sparsity', node.sparsity), ...factor('instances', node.instances)];
      case 'partition':
        return [...factor('sparsity', node.sparsity), ...factor('parts', node.parts ?? 1)];
      case 'local': {
        const users = node.users.kind === 'alike' ? factor('users', node.users.count) : [];
        return [...factor('differing', node.differing), ...users];
      }
    }
  });

function manyRefusal(refusal: PlanRefusal, document: RefusedDocument): RefusalText {
  const held = elementAt(document, refusal.path);
  const factors = held === null ? [] : factorsOf(held);
  const lower =
    factors.length === 0
      ? 'Lower how many there are of what it holds.'
      : `Lower ${listed(factors.slice(0, MOST_FACTORS), 'or')}.`;
  return plainRefusal(`${placeOf(refusal, held)} multiplies to more than 2^53 - 1 mechanisms that are alike. ${lower}`);
}

/** Things that are created or chosen adaptively, in words that follow the name of the part. */
const ALONG_THE_WAY: Readonly<Record<AlongTheWay, string>> = {
  parallel: 'creates instances adaptively, and which of them get data in which neighbors differ is chosen then',
  partition: 'has several parts, and in which of them neighbors differ may show only during the run',
  local: 'has several users, and whose data differ may show only during the run',
  continual: 'takes data over time, and these may be chosen by what was answered before',
};

function alongTheWayRefusal(
  refusal: Extract<PlanRefusal, { code: 'chosen-along-the-way' }>,
  document: RefusedDocument,
): RefusalText {
  const { path, what } = refusal;
  return {
    message:
      `${placeOf(refusal, elementAt(document, path))} ${ALONG_THE_WAY[what]}; but all mechanisms are said to be fixed in advance ("adaptivity": "nonadaptive" at the top of the document, or --nonadaptive). ` +
      'The theorem for those needs the mechanisms and their data fixed, and could claim too little here.',
    fixes: [
      fix('leave out --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document', ADAPTIVE),
      ...(what === 'continual'
        ? [
            fix(
              `set "kind" to "interactive" at ${path}, if its data are fixed from the start`,
              keyChange(path, 'kind', 'interactive'),
            ),
            ...answersOnce(path, document),
          ]
        : []),
    ],
  };
}

/** What is said of shuffled batches. */
function shuffledText({ solveFor, least, asPoisson }: Extract<SamplingRefusal, { code: 'shuffled-batches' }>): string {
  const poisson =
    asPoisson === null
      ? ''
      : `, where accounting them as Poisson samples would say ${upperText({ lower: null, upper: asPoisson })}`;
  const known = least === null ? '' : ` Here ${solveFor} is at least ${lowerText(least)} for some data${poisson}.`;
  const told = least === Infinity ? ` Here no finite ${solveFor} holds for all data.` : known;
  return `Shuffled batches are no Poisson samples, and no theorem here says how much privacy they gain.${told}`;
}

/** Why samples in an element are refused: more than one of those in it may differ, or records move between parts. */
function inStructureText({
  path,
  within,
  element,
  several,
}: Extract<SamplingRefusal, { code: 'sampled-in-structure' }>): RefusalText {
  const message = `No theorem here covers the samples of ${path}`;
  if (!several) {
    return {
      message: `${message}: a replaced record may move between the parts of ${within}, which changes their sizes.`,
      fixes: [fix('use Poisson samples, for add-remove neighbours: only one part has a record that is added')],
    };
  }
  const key = element === 'local' ? 'differing' : 'sparsity';
  return {
    message: `${message}: where several in ${within} may differ, a record may be added in one and removed in another.`,
    fixes: [
      fix(`set "${key}" to 1 at ${within}, if neighboring data differ in one of them only`, keyChange(within, key, 1)),
      fix(
        `state ${path} by what holds both ways: the (epsilon, delta) that "dpcompose compose" certifies for it alone`,
      ),
    ],
  };
}

const LIMITED =
  'Limit how many there are, describe them by a pure guarantee if they have one, or set "kind" to "interactive" where their data are fixed from the start.';

/** Every refusal of what is composed together: of elements of a plan, and of samples. */
export const PLAN_REFUSALS: RefusalEntries<PlanRefusal | SamplingRefusal> = {
  'unbounded-approximate': {
    text: unboundedRefusal,
    reference: `${henzingerSafaviVadhan('Thm 5.2')} (what fixes it: Thm 5.4, Cor 5.5, Thm 5.14, Cor 5.15)`,
    meaning:
      'There is any number of continual instances, each of which may reveal everything with some probability, and the answers may show which one is about to: no theorem limits what they reveal together.',
    remedy: `${LIMITED} A "deltaCap" limits them too.`,
  },
  'unbounded-renyi': {
    text: unboundedRefusal,
    reference: `${henzingerSafaviVadhan('Thm 13.5')} (what fixes it: Cor 13.4, Thm 13.6, Cor 13.7)`,
    meaning:
      'There is any number of continual instances with no more than a Renyi guarantee, by which each may reveal much, if rarely: no theorem limits what they reveal together.',
    remedy: LIMITED,
  },
  'unbounded-f-dp': {
    text: unboundedRefusal,
    reference: `${henzingerSafaviVadhan('Thm 5.2 and Sec 14')} (what fixes it: Cor 14.7, 14.8 and 14.9)`,
    meaning:
      'There is any number of continual instances with no more than the guarantee of their noise, by which each may reveal much, if rarely: no theorem limits what they reveal together.',
    remedy: LIMITED,
  },
  'oblivious-guarantee': {
    text: obliviousRefusal,
    reference: henzingerSafaviVadhan('footnote 1 and Thm 4.10'),
    meaning:
      'The guarantees are said to hold only for questions and data that are fixed in advance ("adaptiveAdversary": false), and an analyst who chooses the next question after an answer can break such a guarantee completely.',
    remedy: 'Use guarantees that are proved against adaptive adversaries, and remove "adaptiveAdversary": false.',
  },
  'answers-not-discrete': {
    text: continuousRefusal,
    reference: henzingerSafaviVadhan('Def 4.6 and Thm 4.10'),
    meaning:
      'The answers are said not to be discrete ("discrete": false), and how such interactive mechanisms compose is proved for answers of countably many values only.',
    remedy: 'Round every answer to a grid, which costs no privacy, and remove "discrete": false.',
  },
  'chosen-along-the-way': {
    text: alongTheWayRefusal,
    reference: 'Dong, Durfee, Rogers 2020, Thm 3 (mechanisms and data fixed in advance)',
    meaning:
      'Mechanisms are said to be fixed in advance, data and all, and the plan has something that is adaptively created or chosen: parallel instances, parts, local users or continual data.',
    remedy: 'Leave out --nonadaptive and "adaptivity": "nonadaptive": the claim then holds against whoever chooses.',
  },
  'too-many-mechanisms': {
    text: manyRefusal,
    meaning: 'An element multiplies to more than 2^53 - 1 mechanisms that are alike.',
    remedy: 'Lower its count, instances, users or sparsity.',
  },
  'mixed-neighbours': {
    text: ({ relations }) => ({
      message: `The mechanisms are for different neighbours (${listed(relations)}): guarantees of one relation do not add to those of another.`,
      fixes: [fix('describe all of them for the same neighbours, with the sensitivities of that relation')],
    }),
    meaning: 'Mechanisms on samples are for different relations of neighbours, under which guarantees do not add up.',
    remedy: 'Describe all of them for the same neighbours.',
  },
  'sampled-in-structure': {
    text: inStructureText,
    meaning:
      'A mechanism on samples stands where several instances or users may differ, or where a replaced record may move between parts.',
    remedy:
      'Let one instance or user differ, or state the (epsilon, delta) of one alone; in parts of the data, use Poisson samples for add-remove neighbours.',
  },
  'shuffled-batches': {
    text: (refusal) => ({
      message: shuffledText(refusal),
      fixes: [
        fix('draw Poisson samples in the training, and write "scheme": "poisson"'),
        fix(
          'leave out the sampling, with one run of the mechanism for each epoch and "neighbours": "replace-one": a record that is replaced is in one batch of it, and no amplification is needed',
        ),
      ],
    }),
    reference:
      'Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang, "How Private are DP-SGD Implementations?", ICML 2024, arXiv:2403.17673',
    meaning:
      'Batches are shuffled, which is no Poisson sampling: the cost may be far larger, and no theorem here bounds it from above.',
    remedy: 'Draw Poisson samples, or leave out the sampling.',
  },
};
