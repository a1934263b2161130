import type {
  ImpossibilityBound,
  PlanRefusal,
  AlongTheWay,
  Place,
  SamplingRefusal,
} from '../../composition/core/outcome.ts';
import { isEntry, below } from '../../composition/core/plan-node.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { jsonNumber, type Json } from '../kit/json-value.ts';
import { fix, plainRefusal, type KeyChange, type Fix, type RefusalText } from '../kit/fix.ts';
import { listed } from '../kit/prose.ts';
import { elementAt, isWithoutEnd, placeOf, type Held, type RefusedDocument } from './refused-document.ts';
import { unboundedRefusal } from './unbounded-refusal.ts';
import { lowerText, upperText } from '../kit/number.ts';

/** `mechanisms[2] ("svt")`. */
export const placeText = (place: Place): string => placeOf(place, null);

/** A mechanism that the setting keeps out. */
type Denied = Extract<PlanRefusal, { readonly type: unknown }>;

/** Rounding, by which answers become discrete, and that the document no longer denies it. */
const ROUNDED = 'round every answer to a grid, and remove "discrete": false at the top of the document';
const UNDENIED: KeyChange = { path: '', key: 'discrete', value: null };

/** Where a design sends messages one after the other, nothing answers once. */
const answersOnce = (path: string, { design }: RefusedDocument): Fix[] =>
  design !== null
    ? []
    : [
        fix(`set "kind" to "noninteractive" at ${path}, if it answers once`, {
          path,
          key: 'kind',
          value: 'noninteractive',
        }),
      ];

/** A pure guarantee in place of another, with rounding where the document denies that answers are discrete. */
function pureFix(path: string, type: string, { setting }: RefusedDocument): Fix {
  const denied = setting.discrete === 'denied';
  const also = denied ? `; ${ROUNDED}` : '';
  const changes = denied ? [UNDENIED] : [];
  if (type === 'dp') {
    const text = `set "delta" to 0 at ${path}, if it has a pure guarantee, for which the two are the same${also}`;
    return fix(text, { path, key: 'delta', value: 0 }, ...changes);
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
    mends: [
      fix(
        `use guarantees that are proved against adaptive adversaries for all mechanisms here, and remove "adaptiveAdversary": false at the top of the document${rounded ? `; ${ROUNDED}` : ''}`,
        { path: '', key: 'adaptiveAdversary', value: null },
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
    mends: [
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

/** Things that are created or chosen along the way, in words that follow the name of the part. */
const ALONG_THE_WAY: Readonly<Record<AlongTheWay, string>> = {
  parallel: 'creates instances along the way, and which of them get data in which neighbours differ is chosen then',
  partition: 'has several parts, and in which of them neighbours differ may show only along the way',
  local: 'has several users, and whose data differ may show only along the way',
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
    mends: [
      fix('leave out --nonadaptive, and set "adaptivity" to "adaptive" at the top of the document', {
        path: '',
        key: 'adaptivity',
        value: 'adaptive',
      }),
      ...(what === 'continual'
        ? [
            fix(`set "kind" to "interactive" at ${path}, if its data are fixed from the start`, {
              path,
              key: 'kind',
              value: 'interactive',
            }),
            ...answersOnce(path, document),
          ]
        : []),
    ],
  };
}

/** The reason why a plan is refused, and what would fix it. */
export function planRefusalText(refusal: PlanRefusal, document: RefusedDocument): RefusalText {
  switch (refusal.code) {
    case 'unbounded-approximate':
    case 'unbounded-renyi':
    case 'unbounded-f-dp':
      return unboundedRefusal(refusal, document);
    case 'oblivious-guarantee':
      return obliviousRefusal(refusal, document);
    case 'answers-not-discrete':
      return continuousRefusal(refusal, document);
    case 'too-many-mechanisms':
      return manyRefusal(refusal, document);
    case 'chosen-along-the-way':
      return alongTheWayRefusal(refusal, document);
  }
}

/** The theorem behind each refusal; null where there is none. */
export const PLAN_REFERENCES: Readonly<Record<PlanRefusal['code'], string | null>> = {
  'unbounded-approximate': `${henzingerSafaviVadhan('Thm 5.2')} (what fixes it: Thm 5.4, Cor 5.5, Thm 5.14, Cor 5.15)`,
  'unbounded-renyi': `${henzingerSafaviVadhan('Thm 13.5')} (what fixes it: Cor 13.4, Thm 13.6, Cor 13.7)`,
  'unbounded-f-dp': `${henzingerSafaviVadhan('Thm 5.2 and Sec 14')} (what fixes it: Cor 14.7, 14.8 and 14.9)`,
  'oblivious-guarantee': henzingerSafaviVadhan('footnote 1 and Thm 4.10'),
  'answers-not-discrete': henzingerSafaviVadhan('Def 4.6 and Thm 4.10'),
  'chosen-along-the-way': 'Dong, Durfee, Rogers 2020, Thm 3 (mechanisms and data fixed in advance)',
  'too-many-mechanisms': null,
};

/** The impossibility lower bound of a counterexample, and its limit as instances are added. */
export function impossibilityBoundJson(bound: ImpossibilityBound | null): Json {
  if (bound === null) return null;
  const { instances } = bound;
  switch (bound.solveFor) {
    case 'delta':
      return {
        instances,
        epsilon: bound.epsilon === 'any' ? 'any' : jsonNumber(bound.epsilon.toNumber()),
        delta: jsonNumber(bound.delta),
        supremum: 1,
      };
    case 'epsilon':
      return {
        instances,
        epsilon: jsonNumber(bound.epsilon),
        delta: jsonNumber(bound.delta.toNumber()),
        supremum: 'Infinity',
      };
    case 'renyi':
      return {
        instances,
        alpha: jsonNumber(bound.alpha.toNumber()),
        epsilon: jsonNumber(bound.epsilon),
        supremum: 'Infinity',
      };
  }
}

type InStructure = Extract<SamplingRefusal, { code: 'sampled-in-structure' }>;

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
function inStructureText({ path, within, element, several }: InStructure): RefusalText {
  const message = `No theorem here covers the samples of ${path}`;
  if (!several) {
    return {
      message: `${message}: a replaced record may move between the parts of ${within}, which changes their sizes.`,
      mends: [fix('use Poisson samples, for add-remove neighbours: only one part has a record that is added')],
    };
  }
  const key = element === 'local' ? 'differing' : 'sparsity';
  return {
    message: `${message}: where several in ${within} may differ, a record may be added in one and removed in another.`,
    mends: [
      fix(`set "${key}" to 1 at ${within}, if neighbouring data differ in one of them only`, {
        path: within,
        key,
        value: 1,
      }),
    ],
  };
}

/** Why mechanisms on samples are refused, and what would fix it. */
export function samplingRefusalText(refusal: SamplingRefusal): RefusalText {
  switch (refusal.code) {
    case 'mixed-neighbours':
      return {
        message: `The mechanisms are for different neighbours (${listed(refusal.relations)}): guarantees of one relation do not add to those of another.`,
        mends: [fix('describe all of them for the same neighbours, with the sensitivities of that relation')],
      };
    case 'sampled-in-structure':
      return inStructureText(refusal);
    case 'shuffled-batches':
      return {
        message: shuffledText(refusal),
        mends: [
          fix('draw Poisson samples in the training, and write "scheme": "poisson"'),
          fix(
            'leave out the sampling, with one run of the mechanism for each epoch and "neighbours": "replace-one": a record that is replaced is in one batch of it, and no amplification is needed',
          ),
        ],
      };
  }
}
