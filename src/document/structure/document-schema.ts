import * as z from 'zod/mini';
import { designSchema } from '../design/schema.ts';
import { issueOf, published } from '../core/fields.ts';
import { noNumber } from '../core/forms.ts';
import { nodesSchema } from './structure-schema.ts';
import { orderField, targetSchema } from '../core/question-schema.ts';
import { version } from '../core/version-field.ts';

const fact = (description: string) => z.optional(z.boolean()).register(published, { description });

/** Assumptions of theorems on interactive and continual mechanisms. */
const facts = {
  discrete: fact(
    'Whether every answer of an interactive or continual mechanism has countably many possible values, as rounded ones have; assumed where nothing is said.',
  ),
  adaptiveAdversary: fact(
    'Whether guarantees of interactive and continual mechanisms hold against adversaries who choose each message after seeing the answers so far; assumed where nothing is said.',
  ),
  symmetric: fact('Whether neighbouring data are neighbouring the other way round too; assumed where nothing is said.'),
  finiteCommunication: fact(
    'Whether interactive and continual mechanisms have finitely many possible messages and answers and end after finitely many, so that their distributions compose concurrently; not assumed.',
  ),
};

const contradictionFree = z.check<Readonly<Record<string, unknown>>>(({ value, issues }) => {
  if (value.finiteCommunication !== true || value.discrete !== false) return;
  const message = 'discrete is false, but finitely many possible answers ("finiteCommunication": true) are discrete';
  const hint = 'Correct one of the two.';
  issues.push(issueOf({ code: 'conflicting-keys', message, hint }, value, ['discrete']));
});

const document = z
  .strictObject({
    dpcompose: version,
    name: z.optional(z.string()),
    adaptivity: z._default(z.enum(['adaptive', 'nonadaptive', 'parameters']), 'adaptive'),
    order: orderField,
    neighbours: z.optional(z.string()).register(published, {
      description: 'Which data are neighbouring, in words: repeated where the guarantee is stated.',
    }),
    ...facts,
    target: z.optional(targetSchema),
    mechanisms: nodesSchema,
    design: z.optional(designSchema),
  })
  .check(contradictionFree);

/** Those facts in a validated document. */
export type ParsedFacts = Pick<z.infer<typeof document>, keyof typeof facts>;

/** A whole specification document: its type, its validation and, with `published`, its JSON Schema. */
export const documentSchema = z.pipe(noNumber('the document'), document);

/** The keys of a document. */
export const DOCUMENT_KEYS: readonly string[] = Object.keys(document.shape);
