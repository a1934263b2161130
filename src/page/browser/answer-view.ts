import type { InputError } from '../../document/core/specification.ts';
import type { Fix } from '../../output/kit/page.ts';
import type { Copies, Headline, Part } from '../question.ts';
import { button, details, element } from './element.ts';
import { markdownElements } from './markdown.ts';

type PartOf<Name extends Part['part']> = Extract<Part, { readonly part: Name }>;

const SYMBOLS = { epsilon: 'ε', delta: 'δ' } as const;

/** The number in large type, with the other end below. */
function headlineOf({ solveFor, upper, lower, given, bound }: Headline): HTMLElement {
  const number = element('strong', { id: 'number' }, upper);
  const sign = element('span', { 'aria-hidden': 'true' }, `${SYMBOLS[solveFor]} ≤ `);
  const spoken = element('span', { class: 'spoken' }, `${solveFor} is at most `);
  const least = lower === null ? [] : ['lower bound ', element('span', { class: 'digits', id: 'lower' }, lower), ' · '];
  return element(
    'div',
    { class: 'headline' },
    element('p', {}, spoken, sign, number),
    element('p', { class: 'note' }, ...least, `at ${given} · by `, element('code', {}, bound)),
  );
}

/** What is copied by a button; where the browser does not allow that, it is shown. */
function copyButtons(copies: Copies, announce: (text: string) => void): HTMLElement {
  const shown = element('pre', { hidden: true, tabindex: 0 });
  const show = (text: string): void => {
    shown.textContent = text;
    shown.hidden = false;
  };
  // The address is that of the question as it stands when it is copied.
  const buttons = ['link', ...Object.keys(copies)].map((what) =>
    button(what, () => {
      const text = copies[what as keyof Copies] ?? location.href;
      navigator.clipboard.writeText(text).then(
        () => {
          announce(`The ${what} is copied.`);
        },
        () => {
          show(text);
          announce(`The ${what} is shown below.`);
        },
      );
    }),
  );
  return element('div', { class: 'copies' }, element('span', {}, 'Copy as'), ...buttons, shown);
}

const warningList = (warnings: readonly string[]): readonly HTMLElement[] =>
  warnings.map((warning) => element('p', { class: 'warning' }, `Warning: ${warning}`));

export function answerView(
  { headline, warnings, markdown, details: more, copies: all }: PartOf<'answer'>,
  announce: (text: string) => void,
): readonly HTMLElement[] {
  return [
    ...(headline === null ? [] : [headlineOf(headline)]),
    ...warningList(warnings),
    ...markdownElements(markdown, headline?.bound ?? null),
    copyButtons(all, announce),
    ...more
      .filter((each) => each.markdown.trim() !== '')
      .map((each) => details(each.title, ...markdownElements(each.markdown))),
  ];
}

export const riskView = ({ sentence, markdown }: PartOf<'risk'>): readonly HTMLElement[] => [
  element('h3', {}, 'What an attacker can do'),
  ...(sentence === null ? [] : [element('p', { class: 'plain' }, sentence)]),
  details('Rates, information and sources', ...markdownElements(markdown)),
];

export function chartView({ title, svg, markdown }: PartOf<'chart'>): readonly HTMLElement[] {
  const image = element('img', { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: title });
  return [element('figure', {}, image), details('The same as a table', ...markdownElements(markdown))];
}

/** Why nothing is answered, and what would be: fixes of the document are buttons. */
export const refusalView = (
  { message, fixes, reference }: PartOf<'refusal'>,
  apply: (fix: Fix) => void,
): readonly HTMLElement[] => [
  element('h3', {}, 'No theorem covers this'),
  element('p', {}, message),
  ...(fixes.length === 0
    ? []
    : [
        element('p', {}, fixes.length === 1 ? 'What fixes it:' : 'Any one of these fixes it:'),
        element(
          'ul',
          { class: 'fixes' },
          ...fixes.map((fix) =>
            fix.changes.length === 0
              ? element('li', {}, fix.text)
              : element(
                  'li',
                  {},
                  button(fix.text, () => {
                    apply(fix);
                  }),
                ),
          ),
        ),
      ]),
  ...(reference === null ? [] : [element('p', { class: 'note' }, `See ${reference}.`)]),
];

const placeOf = ({ path, line, column }: InputError): string =>
  line === undefined ? path.replace(/^--/, '') : `line ${String(line)}, column ${String(column ?? 1)}: ${path}`;

/** What is wrong with what was typed; each leads to its place. */
export const mistakesView = (
  { mistakes, more }: PartOf<'mistakes'>,
  goTo: (mistake: InputError) => void,
): readonly HTMLElement[] => [
  element('h3', {}, mistakes.length + more === 1 ? 'This has to be corrected' : 'These have to be corrected'),
  element(
    'ul',
    { class: 'mistakes' },
    ...mistakes.map((mistake) =>
      element(
        'li',
        {},
        button(
          placeOf(mistake),
          () => {
            goTo(mistake);
          },
          { class: 'place' },
        ),
        ` ${mistake.message}. ${mistake.hint}`,
      ),
    ),
    ...(more === 0 ? [] : [element('li', {}, `and ${String(more)} more`)]),
  ),
];
