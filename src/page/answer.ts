import { compose } from '../composition/compose/compose.ts';
import type { Answer, Refusal } from '../composition/core/outcome.ts';
import { isEntry } from '../composition/core/plan-node.ts';
import { curve, type CurveQuestion } from '../composition/curve/curve.ts';
import { uncheckedWarnings } from '../composition/design/design.ts';
import { riskCurve } from '../composition/risk-curve/risk-curve.ts';
import { risk, USUAL_RISKS } from '../composition/risk/risk.ts';
import { checkElementary } from '../composition/self-test/elementary.ts';
import { sgd } from '../composition/sgd/sgd.ts';
import { createSession } from '../bounds/core/session.ts';
import type { InputError, Specification } from '../document/core/specification.ts';
import { readSpecification, requireTarget } from '../document/read-specification.ts';
import { exactForm, normalForm } from '../document/structure/normal-form.ts';
import { ascending, Decimal } from '../numeric/decimal.ts';
import { chartSvg } from '../output/chart/svg.ts';
import type { DrawnOutput } from '../output/chart/chart.ts';
import { composeJson } from '../output/compose/json.ts';
import { boundsTable, inapplicableTable, planNote } from '../output/compose/table.ts';
import { curveOutput } from '../output/curve.ts';
import { givenIn, lowerText, upperText } from '../output/kit/number.ts';
import { pageMarkdown, paragraph } from '../output/kit/page.ts';
import { statement } from '../output/kit/statement.ts';
import { riskCurveOutput } from '../output/risk-curve.ts';
import { shortText, subjectOf } from '../output/risk-words.ts';
import { riskOutput } from '../output/risk.ts';
import { refusalReference, refusalText } from '../output/refusal/messages.ts';
import { UNKNOWN_DOCUMENT, type RefusedDocument } from '../output/refusal/refused-document.ts';
import { warningMessage } from '../output/refusal/warnings.ts';
import { selfTestOutput } from '../output/self-test.ts';
import { runSpecification, sgdOutput } from '../output/sgd.ts';
import type { Query } from '../privacy/curve.ts';
import { documentText } from '../output/written-document.ts';
import { checkStep, composeCommandLine, sgdCommandLine } from './copies.ts';
import type { Cells, Copies, Headline, Part, Question, Request } from './question.ts';
import { documentOf, fixed, rowsOf } from './rows.ts';
import { trainingQuestion } from './training.ts';

/** The version of the program, which the build writes here. */
declare const VERSION: string;

/** Takes the parts of an answer as they come. */
type Post = (part: Part) => void;

const headlineOf = (answer: Answer): Headline => {
  const { solveFor } = answer.query;
  const value = answer[solveFor];
  return {
    solveFor,
    upper: upperText(value),
    lower: value.lower === null ? null : lowerText(value.lower),
    given: givenIn(answer.query),
    bound: answer.bound,
  };
};

/** The step of a workflow for a document that was answered. */
function stepOf(answer: Answer, text: string): Copies {
  const step = checkStep(headlineOf(answer), answer.query, { text, version: VERSION });
  return step === null ? {} : { 'CI step': step };
}

function postRefusal(refusal: Refusal, post: Post, document: RefusedDocument = UNKNOWN_DOCUMENT): void {
  post({ part: 'refusal', ...refusalText(refusal, document), reference: refusalReference(refusal) });
}

/** A specification that says what to solve for. */
type Asked = Specification & { readonly target: Query };

/** The charts and the risks of what was answered; what is refused there has none. */
function postMore(asked: Asked, isNarrow: boolean, post: Post): void {
  const effort = { session: createSession() };
  const input = exactForm({ ...asked, target: null });
  const name = subjectOf(asked);
  const chart = (output: DrawnOutput): void => {
    const chart = output.chart();
    const svg = isNarrow ? chartSvg(chart, { width: 262, height: 230 }) : chartSvg(chart);
    post({ part: 'chart', title: chart.title, svg, markdown: pageMarkdown(output.page(VERSION).slice(1)) });
  };
  const risks = risk(asked, USUAL_RISKS, effort);
  if (risks.kind === 'risk') {
    const page = riskOutput({ risk: risks.risk, specification: asked }).page(VERSION);
    post({ part: 'risk', sentence: shortText(risks.risk), markdown: pageMarkdown(page.slice(1)) });
  }
  for (const of of ['tradeoff', 'profile'] as const) {
    const scales = { x: 'linear', y: of === 'tradeoff' ? 'linear' : 'log' } as const;
    const question = { of, problems: [{ name, problem: asked }], values: null, scales, isDrawn: true };
    const outcome = riskCurve(question, effort);
    if (outcome.kind === 'curve') chart(riskCurveOutput(outcome.curve, [{ name, input }]));
  }
  const question = countQuestion(asked);
  const outcome = question && curve(question, effort);
  if (outcome?.kind === 'curve') {
    chart(curveOutput(outcome.curve, { name: asked.name, input, axes: {} }));
  }
}

/** So many points show how a list adds up. */
const POINTS = 12;

/** The answer over the count of the only mechanism, or over runs of the whole list; null for what has parts. */
function countQuestion({ target, entries, adaptivity, order, setting }: Asked): CurveQuestion | null {
  const [only, ...others] = entries;
  const given = target.solveFor === 'epsilon' ? target.delta : target.epsilon;
  const shared = { problem: { entries, adaptivity, order, setting }, solveFor: target.solveFor, given };
  const upTo = (most: number): readonly Decimal[] => {
    const counts = Array.from({ length: POINTS }, (_, index) => Math.ceil((most * (index + 1)) / POINTS));
    return ascending([...new Set([1, ...counts])].map((count) => new Decimal(count)));
  };
  if (only !== undefined && others.length === 0 && isEntry(only)) {
    return { ...shared, along: { name: 'count', entry: only }, values: upTo(Math.max(only.count, POINTS)) };
  }
  const isPlain = entries.every((node) => isEntry(node) && node.count * POINTS <= Number.MAX_SAFE_INTEGER);
  return isPlain ? { ...shared, along: { name: 'times' }, values: upTo(POINTS) } : null;
}

/** The answer to a document, then what follows from it. */
function postDocument(text: string, isNarrow: boolean, post: Post): void {
  const rows = rowsOf(text);
  post({ part: 'document', text, rows });
  const mistakes = (errors: readonly InputError[], more = 0): void => {
    post({ part: 'mistakes', mistakes: errors, more });
  };
  const reading = readSpecification(text);
  if (reading.kind === 'errors') {
    mistakes(reading.errors, reading.more);
    return;
  }
  if (reading.kind === 'refusal') {
    postRefusal(reading.refusal, post);
    return;
  }
  const { specification } = reading;
  const target = requireTarget(specification);
  if ('message' in target) {
    mistakes([target]);
    return;
  }
  const asked = { ...specification, target };
  const outcome = compose(asked, target, { directions: true });
  if (outcome.kind === 'refusal') {
    postRefusal(outcome.refusal, post, asked);
    return;
  }
  const warnings = [...uncheckedWarnings(asked), ...outcome.answer.warnings];
  const answer = { ...outcome.answer, warnings };
  const { bounds, plan } = answer;
  const others = bounds.filter((row) => !row.applies);
  post({
    part: 'answer',
    headline: headlineOf(answer),
    warnings: warnings.map(warningMessage),
    markdown: pageMarkdown([
      paragraph(statement(answer, asked)),
      boundsTable(
        answer,
        bounds.filter((row) => row.applies),
      ),
      paragraph(plan === undefined ? null : planNote(plan)),
    ]),
    details: [{ title: 'Bounds that do not apply', markdown: pageMarkdown([inapplicableTable(others)]) }],
    copies: {
      command: composeCommandLine(rows, text),
      JSON: composeJson(answer, exactForm(asked), VERSION),
      ...stepOf(answer, text),
    },
  });
  postMore(asked, isNarrow, post);
}

/** The answer to a training, then what follows from it. */
function postTraining(cells: Cells, isNarrow: boolean, post: Post): void {
  const question = trainingQuestion(cells);
  if ('mistakes' in question) {
    post({ part: 'mistakes', mistakes: question.mistakes, more: 0 });
    return;
  }
  const outcome = sgd(question);
  if (outcome.kind === 'refusal') {
    // There is no document that a fix could change.
    postRefusal(outcome.refusal, (part) => {
      post('fixes' in part ? { ...part, fixes: part.fixes.map((fix) => ({ ...fix, changes: [] })) } : part);
    });
    return;
  }
  const output = sgdOutput(outcome.answer);
  const { trained, warnings } = outcome.answer;
  const asked = trained && { ...runSpecification(trained), target: trained.answer.query };
  post({
    part: 'answer',
    headline: trained && headlineOf(trained.answer),
    warnings: warnings.map(warningMessage),
    markdown: pageMarkdown(output.page(VERSION)),
    details: [],
    copies: {
      command: sgdCommandLine(cells),
      JSON: output.json(VERSION),
      ...(asked && stepOf(trained.answer, documentText(normalForm(asked)))),
    },
  });
  if (asked !== null) postMore(asked, isNarrow, post);
}

function postSelfTest(post: Post): void {
  const group = checkElementary();
  const passed = group.checks.every((check) => check.passed);
  const [, , sentence] = selfTestOutput([group], '').page(VERSION);
  post({ part: 'self-test', passed, values: group.checks.length, sentence: sentence?.markdown() ?? '' });
}

function postQuestion(question: Question, isNarrow: boolean, post: Post): void {
  switch (question.kind) {
    case 'rows':
      postDocument(documentOf(question.rows), isNarrow, post);
      return;
    case 'text':
      postDocument(question.text, isNarrow, post);
      return;
    case 'fix':
      postDocument(fixed(question.text, question.fix), isNarrow, post);
      return;
    case 'training':
      postTraining(question.cells, isNarrow, post);
      return;
    case 'self-test':
      postSelfTest(post);
  }
}

/** Answers a question part by part, the first as soon as it is known; the last says that nothing follows. */
export function answer({ question, isNarrow }: Request, post: Post): void {
  try {
    postQuestion(question, isNarrow, post);
  } catch (error) {
    post({ part: 'failure', message: error instanceof Error ? error.message : String(error) });
  }
  post({ part: 'end' });
}
