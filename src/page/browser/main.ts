import type { InputError } from '../../document/core/specification.ts';
import { fragmentOf, LINK_KEY } from '../../output/link.ts';
import type { Forms } from '../forms.ts';
import type { Cells, Part, Question, Rows } from '../question.ts';
import { answerView, chartView, mistakesView, refusalView, riskView } from './answer-view.ts';
import { byId, element, typedById } from './element.ts';
import { Engine } from './engine.ts';
import { QuestionForm } from './question-form.ts';
import { goToLine, markLines } from './text-editor.ts';

/** The ways to ask. */
const TABS = ['rows', 'training', 'text'] as const;
type Tab = (typeof TABS)[number];

/** What is asked where the address says nothing. */
const FIRST: Rows = { settings: { delta: '1e-6' }, mechanisms: [{ type: 'dp', epsilon: '0.1', count: '100' }] };
const FIRST_TRAINING: Cells = {
  examples: '60000',
  batch: '256',
  epochs: '60',
  'noise-multiplier': '1.1',
  scheme: 'poisson',
  delta: '1e-5',
};

/** After so many milliseconds without another letter, what is typed is asked. */
const PAUSE = 250;

const NARROW = matchMedia('(max-width: 44rem)');

const status = byId('status');
const result = byId('answer');
const more = byId('more');
const area = typedById('text', HTMLTextAreaElement);
const stop = byId('stop');
const again = byId('again');

const engine = new Engine();
const forms = JSON.parse(byId('forms').textContent) as Forms;
const form = new QuestionForm(forms, byId('form'), () => {
  askSoon();
});

let tab: Tab = 'rows';
let training = FIRST_TRAINING;
/** The document, and its rows; null: it has none. */
let rows: Rows | null = FIRST;
let wait = 0;

const announce = (text: string): void => {
  status.textContent = text;
};

/** What is shown where this browser computes otherwise than every certificate assumes: no number at all. */
function distrust(): void {
  engine.stop();
  byId('work').replaceChildren(byId('distrust'));
  byId('distrust').hidden = false;
}

/** Tests the arithmetic of this browser, in a thread of its own. */
const selfTest = (): Promise<boolean> =>
  new Promise((resolve) => {
    const tester = new Engine();
    void tester.ask({ question: { kind: 'self-test' }, isNarrow: false }, (part) => {
      if (part.part !== 'self-test') return;
      const { passed, values, sentence } = part;
      const line = byId('self-test');
      line.textContent = passed
        ? `The self-test of this browser's arithmetic passes: ${String(values)} values.`
        : sentence;
      line.className = passed ? '' : 'fail';
      if (!passed) distrust();
      resolve(passed);
      tester.end();
    });
  });

let trust: Promise<boolean> | null = null;

/** Whether this browser computes as it must: tested once, when the first answer is there. */
const isTrusted = (): Promise<boolean> => (trust ??= selfTest());

function questionHere(): Question {
  if (tab === 'training') return { kind: 'training', cells: form.training };
  return tab === 'rows' ? { kind: 'rows', rows: form.rows } : { kind: 'text', text: area.value };
}

function setAddress(values: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', `#${fragmentOf(values)}`);
}

function setBusy(isBusy: boolean): void {
  stop.hidden = !isBusy;
  byId('computing').hidden = !isBusy;
  byId('work').setAttribute('aria-busy', String(isBusy));
}

/** Marks the inputs of mistakes. */
function markInputs(mistakes: readonly InputError[]): void {
  for (const control of form.controls.values()) control.removeAttribute('aria-invalid');
  for (const mistake of mistakes) controlOf(mistake)?.setAttribute('aria-invalid', 'true');
  markLines(mistakes);
}

/** The input of a mistake: at its place, at that of what holds it, or of the option. */
function controlOf({ path }: InputError): HTMLElement | undefined {
  const name = path.replace(/^--|^target\./, '');
  const index = /^mechanisms\[\d+\]/.exec(path)?.[0];
  return form.controls.get(name) ?? form.controls.get(`${index ?? ''}.type`) ?? form.controls.get('delta');
}

function goTo(mistake: InputError): void {
  if (tab === 'text') goToLine(mistake);
  else controlOf(mistake)?.focus();
}

/** Shows a part of an answer. */
function show(part: Part, question: Question): void {
  switch (part.part) {
    case 'document': {
      ({ rows } = part);
      setAddress({ [LINK_KEY]: part.text });
      if (question.kind !== 'text') area.value = part.text;
      const isOther = question.kind === 'fix' || (question.kind === 'text' && tab === 'rows');
      if (isOther && tab === 'rows') {
        if (rows === null) select('text');
        else form.showRows(rows);
      }
      markInputs([]);
      break;
    }
    case 'mistakes':
      markInputs(part.mistakes);
      result.replaceChildren(...mistakesView(part, goTo));
      announce('There are mistakes to correct.');
      break;
    case 'refusal':
      result.replaceChildren(
        ...refusalView(part, (fix) => {
          ask({ kind: 'fix', text: area.value, fix });
        }),
      );
      announce('No theorem covers this.');
      break;
    case 'answer':
      markInputs([]);
      result.replaceChildren(...answerView(part, announce));
      if (part.headline !== null) {
        announce(`${part.headline.solveFor} is at most ${part.headline.upper} at ${part.headline.given}.`);
      }
      break;
    case 'risk':
      more.append(element('section', {}, ...riskView(part)));
      break;
    case 'chart':
      more.append(element('section', {}, ...chartView(part)));
      break;
    case 'failure':
      result.replaceChildren(element('p', { class: 'warning' }, `There is no answer: ${part.message}.`));
      break;
    case 'end':
      setBusy(false);
      break;
    case 'self-test':
  }
}

function ask(question: Question): void {
  clearTimeout(wait);
  again.hidden = true;
  setBusy(true);
  more.replaceChildren();
  if (question.kind === 'training') setAddress(question.cells);
  const request = { question, isNarrow: NARROW.matches };
  let before = Promise.resolve();
  void engine.ask(request, (part) => {
    const asked = engine.asked;
    before = before.then(async () => {
      // They say "certified".
      if (part.part === 'risk' || part.part === 'chart' || question.kind === 'training') await isTrusted();
      if (asked !== engine.asked) return;
      show(part, question);
      if (part.part !== 'document') void isTrusted();
    });
  });
}

function askSoon(): void {
  clearTimeout(wait);
  engine.stop();
  wait = window.setTimeout(() => {
    ask(questionHere());
  }, PAUSE);
}

/** Shows a way to ask. */
function select(next: Tab): void {
  if (tab === 'training') training = form.training;
  tab = next;
  for (const name of TABS) {
    const own = byId(`tab-${name}`);
    own.setAttribute('aria-selected', String(name === tab));
    own.tabIndex = name === tab ? 0 : -1;
  }
  byId('panel').setAttribute('aria-labelledby', `tab-${tab}`);
  byId('editor').hidden = tab !== 'text';
  byId('form').hidden = tab === 'text';
  byId('parts').hidden = tab !== 'rows' || rows !== null;
  if (tab === 'training') form.showTraining(training);
  else if (tab === 'rows' && rows !== null) form.showRows(rows);
  else byId('form').replaceChildren();
}

function start(): void {
  const values = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const { [LINK_KEY]: text, ...cells } = values;
  if (text !== undefined) {
    area.value = text;
    select('rows');
    ask({ kind: 'text', text });
  } else if (Object.keys(cells).length > 0) {
    training = cells;
    select('training');
    ask({ kind: 'training', cells });
  } else {
    rows = FIRST;
    select('rows');
    ask({ kind: 'rows', rows });
  }
}

TABS.forEach((name, index) => {
  const own = byId(`tab-${name}`);
  own.addEventListener('click', () => {
    select(name);
    if (name !== 'rows' || rows !== null) ask(questionHere());
  });
  own.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = byId(`tab-${TABS[(index + step + TABS.length) % TABS.length]!}`);
    next.focus();
    next.click();
  });
});
area.addEventListener('input', () => {
  markLines([]);
  askSoon();
});
stop.addEventListener('click', () => {
  engine.stop();
  setBusy(false);
  again.hidden = false;
  again.focus();
  announce('Stopped.');
});
again.addEventListener('click', () => {
  ask(questionHere());
});
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && engine.isBusy) stop.click();
});
addEventListener('hashchange', start);
start();
