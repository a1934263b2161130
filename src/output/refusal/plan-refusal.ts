import type { PlanRefusal, AdaptiveChoice, SamplingRefusal } from '../../composition/core/outcome.ts';
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
    const text = `set "delta" to 0 at ${path}, if it is (epsilon, 0)-DP: pure guarantees also hold against adaptive adversaries${also}`;
    return fix(text, keyChange(path, 'delta', 0), ...changes);
  }
  return fix(
    `describe ${path} by a pure guarantee, such as "type": "dp", "epsilon": 0.1, if it has one: pure guarantees also hold against adaptive adversaries${also}`,
  );
}

function obliviousRefusal(refusal: Denied, document: RefusedDocument): RefusalText {
  const { path, type } = refusal;
  const name = placeOf(refusal, elementAt(document, path));
  const rounded = type === 'dp' && document.setting.discrete === 'denied';
  return {
    message:
      `${name} is interactive or continual, but its ${type} guarantee is declared only for queries and data that are fixed in advance ("adaptiveAdversary": false at the top of the document). ` +
      'An analyst who chooses each query after seeing earlier answers can break such a guarantee completely. For example, a mechanism first outputs a random number, then reveals everything if the query is that number. It rarely fails on fixed queries and always fails on chosen ones.',
    fixes: [
      fix(
        `use guarantees that are proved against adaptive adversaries for all mechanisms, and remove "adaptiveAdversary": false at the top of the document${rounded ? `; ${ROUNDED}` : ''}`,
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
  const element = elementAt(document, path);
  // By a Renyi guarantee it would be refused for another reason.
  const renyi = !(element !== null && isWithoutEnd(element)) && document.setting.adaptiveAdversary !== 'denied';
  return {
    message: `${placeOf(refusal, element)} is interactive or continual, but its answers are declared not discrete ("discrete": false at the top of the document). For ${type} guarantees, concurrent composition and interactive post-processing are proved only for answers with countably many values.`,
    fixes: [
      fix(`${ROUNDED}: rounding costs no privacy, and to whole numbers it adds at most 1 to the error`, UNDENIED),
      ...(renyi
        ? [
            fix(
              `describe ${path} by a Renyi guarantee, such as "type": "zcdp", "rho": 0.01, if it has one: this needs no rounding`,
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
const factorsOf = (element: Held): string[] =>
  below(element).flatMap(({ node, path }) => {
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
  const element = elementAt(document, refusal.path);
  const factors = element === null ? [] : factorsOf(element);
  const lower =
    factors.length === 0 ? 'Lower the counts inside it.' : `Lower ${listed(factors.slice(0, MOST_FACTORS), 'or')}.`;
  return plainRefusal(`${placeOf(refusal, element)} stands for more than 2^53 - 1 equal mechanisms. ${lower}`);
}

/** Things that are created or chosen adaptively, in words that follow the name of the part. */
const ALONG_THE_WAY: Readonly<Record<AdaptiveChoice, string>> = {
  parallel:
    'creates instances adaptively, and the instances whose data differ between neighbors are chosen at run time',
  partition: 'has several parts, and the parts in which neighbors differ may be known only at run time',
  local: 'has several users, and the users whose data differ may be known only at run time',
  continual: 'takes data over time, and these may depend on earlier answers',
};

function alongTheWayRefusal(
  refusal: Extract<PlanRefusal, { code: 'chosen-along-the-way' }>,
  document: RefusedDocument,
): RefusalText {
  const { path, what } = refusal;
  return {
    message:
      `${placeOf(refusal, elementAt(document, path))} ${ALONG_THE_WAY[what]}, but all mechanisms are declared fixed in advance ("adaptivity": "nonadaptive" at the top of the document, or --nonadaptive). ` +
      'The theorem for that case needs fixed mechanisms and fixed data; its epsilon could be too small here.',
    fixes: [
      fix('remove --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document', ADAPTIVE),
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
    asPoisson === null ? '' : ` (Poisson subsampling would give ${upperText({ lower: null, upper: asPoisson })})`;
  const lowerBoundSentence =
    least === null ? '' : ` Here ${solveFor} is at least ${lowerText(least)} for some data${poisson}.`;
  const sentence = least === Infinity ? ` Here no finite ${solveFor} holds for all data.` : lowerBoundSentence;
  return `Shuffled batches are not Poisson subsamples, and no theorem in dpcompose bounds their privacy amplification.${sentence}`;
}

/** Why samples in an element are refused: more than one of those in it may differ, or records move between parts. */
function inStructureText({
  path,
  within,
  element,
  several,
}: Extract<SamplingRefusal, { code: 'sampled-in-structure' }>): RefusalText {
  const message = `No theorem in dpcompose covers the subsampling of ${path}`;
  if (!several) {
    return {
      message: `${message}: a replaced record may move between the parts of ${within} and change their sizes.`,
      fixes: [fix('use Poisson subsampling with add-remove neighbors: an added record is in one part only')],
    };
  }
  const key = element === 'local' ? 'differing' : 'sparsity';
  return {
    message: `${message}: if several in ${within} may differ, a record may be added in one and removed in another.`,
    fixes: [
      fix(`set "${key}" to 1 at ${within}, if neighboring data differ in one of them only`, keyChange(within, key, 1)),
      fix(
        `replace ${path} by the (epsilon, delta) that "dpcompose compose" certifies for it alone, which holds in both directions`,
      ),
    ],
  };
}

const LIMITED =
  'Limit their number, or describe them by a pure guarantee if they have one. If their data are fixed from the start, set "kind" to "interactive".';

/** Every refusal of what is composed together: of elements of a plan, and of samples. */
export const PLAN_REFUSALS: RefusalEntries<PlanRefusal | SamplingRefusal> = {
  'unbounded-approximate': {
    text: unboundedRefusal,
    reference: `${henzingerSafaviVadhan('Thm 5.2')} (what fixes it: Thm 5.4, Cor 5.5, Thm 5.14, Cor 5.15)`,
    meaning:
      'The number of continual instances is unlimited, and each may reveal everything with some probability. Answers may show which one is about to, so no theorem bounds their total.',
    remedy: `${LIMITED} A "deltaCap" limits them too.`,
  },
  'unbounded-renyi': {
    text: unboundedRefusal,
    reference: `${henzingerSafaviVadhan('Thm 13.5')} (what fixes it: Cor 13.4, Thm 13.6, Cor 13.7)`,
    meaning:
      'The number of continual instances is unlimited, and they have only a Renyi guarantee. Each may rarely reveal much, so no theorem bounds their total.',
    remedy: LIMITED,
  },
  'unbounded-f-dp': {
    text: unboundedRefusal,
    reference: `${henzingerSafaviVadhan('Thm 5.2 and Sec 14')} (what fixes it: Cor 14.7, 14.8 and 14.9)`,
    meaning:
      'The number of continual instances is unlimited, and they have only the guarantee of their noise. Each may rarely reveal much, so no theorem bounds their total.',
    remedy: LIMITED,
  },
  'oblivious-guarantee': {
    text: obliviousRefusal,
    reference: henzingerSafaviVadhan('footnote 1 and Thm 4.10'),
    meaning:
      'The guarantees are declared only for queries and data that are fixed in advance ("adaptiveAdversary": false). An analyst who chooses queries adaptively can break such a guarantee completely.',
    remedy: 'Use guarantees that are proved against adaptive adversaries, and remove "adaptiveAdversary": false.',
  },
  'answers-not-discrete': {
    text: continuousRefusal,
    reference: henzingerSafaviVadhan('Def 4.6 and Thm 4.10'),
    meaning:
      'The answers are declared not discrete ("discrete": false). Composition of such interactive mechanisms is proved only for answers with countably many values.',
    remedy: 'Round every answer to a grid, which costs no privacy, and remove "discrete": false.',
  },
  'chosen-along-the-way': {
    text: alongTheWayRefusal,
    reference: 'Dong, Durfee, Rogers 2020, Thm 3 (mechanisms and data fixed in advance)',
    meaning:
      'Mechanisms and data are declared fixed in advance, but the plan has parts that may be chosen at run time: parallel instances, partitions, local users or continual data.',
    remedy: 'Remove --nonadaptive and "adaptivity": "nonadaptive"; the guarantee then also covers adaptive choices.',
  },
  'too-many-mechanisms': {
    text: manyRefusal,
    meaning: 'An element stands for more than 2^53 - 1 equal mechanisms.',
    remedy: 'Lower its count, instances, users or sparsity.',
  },
  'mixed-neighbours': {
    text: ({ relations }) => ({
      message: `The mechanisms have different neighboring relations (${listed(relations)}), and guarantees for different relations do not add up.`,
      fixes: [
        fix(
          'describe all of them for one relation, with the sensitivities of that relation, and for several records of a person with "records" (at least 2) at every sample',
        ),
      ],
    }),
    meaning:
      'Subsampled mechanisms have different neighboring relations, and guarantees for different relations do not add up.',
    remedy: 'Describe all of them for one relation.',
  },
  'sampled-in-structure': {
    text: inStructureText,
    meaning:
      'A subsampled mechanism is inside an element where several instances or users may differ, or where a replaced record may move between parts.',
    remedy:
      'Let one instance or user differ, or write the (epsilon, delta) of one alone. For parts of the data, use Poisson subsampling with add-remove neighbors.',
  },
  'shuffled-batches': {
    text: (refusal) => ({
      message: shuffledText(refusal),
      fixes: [
        fix('use Poisson subsampling in training, and declare it (sampling=poisson, or --scheme poisson)'),
        fix(
          'remove the sampling: write one run for each epoch, "neighbours": "replace-one" and the sensitivity to replacing a record, which is twice the clipping norm (half the noise multiplier of sgd); a replaced record is in one batch of an epoch, so no amplification is used',
        ),
      ],
    }),
    reference:
      'Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang, "How Private are DP-SGD Implementations?", ICML 2024, arXiv:2403.17673',
    meaning:
      'Batches are shuffled, which is not Poisson subsampling. The privacy loss may be far larger, and no theorem in dpcompose bounds it from above. Reports that each user randomizes before they are shuffled are another matter: see shuffled-reports.',
    remedy:
      'Use Poisson subsampling. Or remove the sampling, and write one run for each epoch with replace-one neighbors and twice the sensitivity.',
  },
};
