import { documentWarnings } from '../../composition/design/document-warnings.ts';
import { Command } from 'commander';
import type { Designed } from '../../report/design/design.ts';
import { tellFailure } from '../kit/design-failure.ts';
import { DESIGN } from './options.ts';
import { loadDesign } from './source.ts';
import { EFFORT, effortOf } from '../kit/effort-options.ts';
import { inGroup, PRINTED, type ValuesOf } from '../kit/option.ts';
import { STRICT } from '../kit/shared-options.ts';
import { commandOf, refused } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';

const EXAMPLES = `
A design is the pseudocode of a mechanism that runs the mechanisms of its
document: what it creates, sends, computes and outputs, variables and functions
named only. It has the privacy of its sub-mechanisms if what it does and outputs
depends on the input through their answers alone, and if neighbouring inputs make
it send them no more than their guarantees cover.

Examples:
  dpcompose design mechanism.json --delta 1e-6
  dpcompose design --example histogram --total-epsilon 1 --counter-delta 1e-6
  dpcompose design --example histogram --dimension 64 --delta 1e-6
  dpcompose design --example histogram --interval-delta 1e-8 --intervals 20
  dpcompose design --example core-decomposition --total-epsilon 1
  dpcompose design --example histogram --spec > mechanism.json`;

const OPTIONS = { ...DESIGN, ...EFFORT, ...inGroup(PRINTED, STRICT) };

/** `dpcompose design`: whether a mechanism that runs others has their privacy, and what that is. */
export const designCommand = commandOf<Designed | string, ValuesOf<typeof OPTIONS>>({
  command: () =>
    new Command('design')
      .description(
        'Checks whether a described mechanism that runs sub-mechanisms is as private as they are together, says which variable breaks that if it is not, and what they cost if it is.',
      )
      .argument('[SPEC]', 'JSON or YAML file with a "design"; - or nothing for what is piped in'),
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (designed) =>
      typeof designed === 'string' ? designed : (await import('../../report/design/design.ts')).designOutput(designed),
    'table',
    'json',
    'markdown',
  ),
  async read({ operands: [source], flags, isTyped, errors, io }) {
    const effort = effortOf(flags);
    const loaded = await loadDesign(source, flags, isTyped, errors, io);
    if (loaded.kind === 'refusal') return refused(loaded.refusal);
    if (loaded.kind === 'document') return () => ({ result: loaded.text });
    const { specification, design, target, errorShape } = loaded;
    const { composeDesign } = await import('../../composition/design/check-design.ts');
    return (progress) => {
      const problem = { ...specification, design };
      const outcome = composeDesign(problem, target, { ...effort, ...(progress && { progress }) });
      switch (outcome.kind) {
        case 'fails': {
          const { entries } = specification;
          return { tell: (manner) => tellFailure(outcome.check, { entries, design }, manner) };
        }
        case 'refusal':
          return refused(outcome.refusal, { ...specification, example: flags.example ?? null });
        case 'priced': {
          const { plan } = outcome;
          const warnings = [...documentWarnings(specification), ...plan.answer.warnings];
          const warned = { ...plan, answer: { ...plan.answer, warnings } };
          const asked = { ...specification, target };
          return { result: { ...outcome, plan: warned, design, errorShape, specification: asked }, warnings };
        }
      }
    };
  },
});
