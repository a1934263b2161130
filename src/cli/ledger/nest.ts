import { conflict, UsageError } from '../kit/usage-error.ts';
import { Argument } from 'commander';
import type { Terms } from '../../ledger/rules/terms.ts';
import type { Nested } from '../../ledger/record.ts';
import { inGroup, textOption } from '../kit/option.ts';
import { decisionResult, ledgerRefusal } from './answer.ts';
import { AMOUNT_NAMES, optionOf } from './kit/budget-flags.ts';
import { givenTerms, invalidTerm, readTerms, TERMS, termsHelp, type GivenTerms } from './kit/terms-flags.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { ledgerDecision, orThrow, WHERE } from './kit/store-option.ts';
import { idOf, idOption, RECORD, recordOptions } from './kit/write-options.ts';

const EXAMPLES = `
The parent pays the whole budget of the nested ledger at once. Several files are
ledgers for disjoint partitions of the data (parallel composition): if neighbors
differ in one partition only, all of them together cost as much as one. The
neighboring relation, distance and evidence are those of the parent.

Examples:
  dpcompose ledger nest budget.jsonl team-a.jsonl --epsilon 0.3 --label "team A"
  dpcompose ledger nest year.jsonl q1.jsonl --rho 0.01
  dpcompose ledger nest budget.jsonl north.jsonl south.jsonl --epsilon 0.5`;

/** The terms, with the distance, neighbours and evidence of the ledger that pays where no flag is given. */
const inherited = (terms: Terms, typed: GivenTerms, parent: Terms): Terms => ({
  ...terms,
  ...(typed.distance === undefined ? { distance: parent.distance } : {}),
  ...(typed.neighbours === undefined ? { neighbours: parent.neighbours } : {}),
  ...(typed.evidence === undefined && parent.evidence ? { evidence: parent.evidence } : {}),
});

/** `dpcompose ledger nest`: ledgers inside a ledger. */
export const nestCommand = ledgerCommand({
  name: 'nest',
  summary: 'create a ledger within another',
  about: 'Creates a ledger whose budget is a part of that of another, which pays for it at once.',
  operands: [
    new Argument('<FILE>', 'ledger that pays (parent)'),
    new Argument('<CHILD...>', 'file to create; several for disjoint partitions'),
  ],
  options: {
    ...TERMS,
    ...inGroup('Description:', {
      id: idOption('; several get -1, -2, ... after it'),
      label: textOption('--label <TEXT>', 'purpose, for people to read'),
    }),
    ...RECORD,
    ...WHERE,
  },
  examples: termsHelp() + EXAMPLES,
  async run(run, file: string, children: readonly string[]) {
    const { flags, errors } = run;
    const location = await run.open();
    const ledger = location.ledgerNamed(file);
    const typed = givenTerms(flags);
    const childTerms = readTerms(typed, [], errors);
    const id = idOf(flags.id);
    const ids = children.map((_, i) => (children.length === 1 ? id : `${id}-${i + 1}`));
    const names = children.map((child) => ledger.store.reference(file, child));
    if (new Set(names).size < children.length) {
      errors.push(conflict('CHILD', 'the same file is named twice', 'Name a file for each partition of the data.'));
    }
    run.check();
    await run.openOutput([ledger, ...children.map(location.ledgerNamed)]);
    const [{ readPresent }, { nestIn }, { open }] = await Promise.all([
      import('../../ledger/present.ts'),
      import('../../ledger/succession.ts'),
      import('../../ledger/open.ts'),
    ]);
    const parent = orThrow(await readPresent(ledger.store, file), ledger).header.terms;
    const opened = open('distance' in childTerms ? inherited(childTerms, typed, parent) : childTerms);
    if (opened.kind === 'refused') {
      const { refusal } = opened;
      if (refusal.code === 'invalid-terms') throw new UsageError([invalidTerm(refusal, typed)]);
      throw ledgerRefusal(refusal, { file });
    }
    const { terms } = opened.state;
    const childIds = children.map((name, i) => ({ name, id: ids[i] ?? '' }));
    const label = flags.label ?? null;
    const nested = await nestIn(ledger.store, file, { children: childIds, terms, label }, recordOptions(run));
    const { value, records, settled } = await run.settled(nested, ledger);
    // What the parent is to count is what the budget was given by.
    const budget = AMOUNT_NAMES.find((name) => typed[name] !== undefined);
    const earlier = value.again?.fields.nested as Pick<Nested, 'ids'> | undefined;
    const request = { nested: { ids: earlier?.ids ?? ids, names, terms }, label };
    const answered = ledgerDecision(file, value, records[0]);
    return decisionResult(
      { command: 'nest', request, ...answered, settled, store: flags.store },
      budget && optionOf(budget),
    );
  },
});
