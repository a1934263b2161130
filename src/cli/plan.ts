import { Command } from 'commander';
import type { Refusal } from '../composition/core/outcome.ts';
import type { PricedPlan } from '../composition/plan/price-plan.ts';
import { isEntry } from '../composition/core/plan-node.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { InputError, Specification } from '../document/core/specification.ts';
import type { Context } from './kit/context.ts';
import { composedOptions, specArgument } from './kit/document-options.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { Io } from './kit/io.ts';
import { loadQuestion, type SpecificationFlags } from './kit/load-specification.ts';
import { withProgress } from './kit/progress.ts';
import { tellRefusal } from './kit/refusal.ts';
import { SHARED, type PrintFlags } from './kit/shared-options.ts';
import { tellWarnings, warned } from './kit/warnings.ts';
import { readEffortOptions, type EffortFlags } from './kit/effort-options.ts';
import { printOptions } from './kit/print-options.ts';

interface PlanFlags extends SpecificationFlags, PrintFlags, EffortFlags {
  readonly strict?: boolean;
}

const FORMATS = ['tree', 'json', 'markdown'] as const;

const EXAMPLES = `
Beside mechanisms, the "mechanisms" of a document may hold, nested freely:
  {"type": "group", "mechanisms": [...]}
      mechanisms on the same data, as one part
  {"type": "parallel", "sparsity": K, "of": {...}}
      instances created along the way, of which at most K get data in which
      neighbours differ; "instances": N or "unbounded", "deltaCap": D,
      "firstPairConsistent": true, "kind": the kind of what they run
  {"type": "partition", "of": [...]}
      mechanisms on disjoint parts of the data; "sparsity": how many differ
  {"type": "local", "differing": K, "of": {...}} (or "each": [...])
      users who answer a server from their own data; "users": N

Examples:
  dpcompose plan system.json --delta 1e-6
  dpcompose plan system.json --epsilon 1 --format markdown > plan.md
  dpcompose plan system.json --json | jq '.tree.children[0].price'`;

/** `dpcompose plan`: which theorem covers each part of a composition with structure, and what it costs. */
export function planCommand(context: Context): Command {
  return printOptions(
    composedOptions(
      new Command('plan')
        .description(
          'Shows a specification as a tree: the theorem that covers each part, what that takes for granted, and what the part costs alone.',
        )
        .addArgument(specArgument()),
    )
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilons at this delta')
      .option('--epsilon <E>', 'the smallest deltas at this epsilon')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
    FORMATS,
    [SHARED.strict()],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: PlanFlags) => {
      context.ends(await plan(source, flags, context));
    });
}

async function plan(source: string | undefined, flags: PlanFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  const loaded = await loadQuestion({ command: 'plan', source, flags, errors }, io);
  const telling = { format, color: flags.color, io };
  if (loaded.kind === 'refusal') return await tellRefusal(loaded.refusal, telling);
  const { specification, target } = loaded;
  const refuse = (refusal: Refusal): Promise<number> => tellRefusal(refusal, { ...telling, document: specification });
  const { adaptivity, entries: nodes, order, setting } = specification;
  const put = await openDestination(flags, io);
  if (adaptivity === 'parameters') {
    return await refuse({ code: nodes.every(isEntry) ? 'adaptive-parameters' : 'adaptive-parameters-in-parallel' });
  }
  const { pricePlan } = await import('../composition/plan/price-plan.ts');
  const priced = withProgress(flags, io, (progress) =>
    pricePlan({ nodes, adaptivity, order, setting }, target, { ...effort, ...(progress && { progress }) }),
  );
  if (priced.kind === 'refusal') return await refuse(priced.refusal);
  const answer = warned(priced.answer, specification);
  const { warnings } = answer;
  if (flags.quiet !== true) await tellWarnings(warnings, { color: flags.color, io });
  if (put !== null)
    await put(await text({ ...priced, answer }, { ...specification, target }, { format, version, flags, io }));
  return flags.strict === true && warnings.length > 0 ? EXIT.no : EXIT.done;
}

/** How the plan is shown. */
interface Shown {
  readonly format: (typeof FORMATS)[number];
  readonly version: string;
  readonly flags: PlanFlags;
  readonly io: Io;
}

async function text(priced: PricedPlan, asked: Specification, { format, version, flags, io }: Shown): Promise<string> {
  switch (format) {
    case 'json': {
      const { planJson } = await import('../report/plan/json.ts');
      return planJson(priced, exactForm(asked), version);
    }
    case 'markdown': {
      const { planMarkdown } = await import('../report/plan/page.ts');
      return planMarkdown(priced, asked);
    }
    case 'tree': {
      const { planTree } = await import('../report/plan/page.ts');
      return planTree(priced, asked, await layoutFor(flags, io));
    }
  }
}
