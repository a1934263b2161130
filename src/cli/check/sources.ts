import { stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Budget } from '../../composition/compose/compose.ts';
import type { RiskLimit } from '../../composition/risk/limits.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { decodeText } from '../../document/core/input-error.ts';
import {
  parseAdaptivityFlags,
  parseMechanismFlags,
  parseOrderFlag,
  type SpecFlags,
} from '../../document/flags/command-line.ts';
import type { Policy, Scope } from '../../document/policy/read-policy.ts';
import type { SyntaxName } from '../../document/syntax/document-syntax.ts';
import { placeIn } from '../../document/syntax/document-syntax.ts';
import { pathOf } from '../../document/syntax/places.ts';
import type { Query } from '../../privacy/curve.ts';
import { COMMAND_LINE, type PartialBudget } from '../../output/check/words.ts';
import type { Invocation } from '../kit/command.ts';
import { COMPOSED, specFlags } from '../kit/shared-options.ts';
import type { Io } from '../kit/io.ts';
import { inGroup, numberOption, switchOption, textOption } from '../kit/option.ts';
import { atLeastZero, budgeted, probability } from '../kit/number-option.ts';
import { limitsOf, RISK_LIMITS } from '../kit/risk-flags.ts';
import { nothingToRead, readGiven, readSource, type SourceHints, syntaxNamed, syntaxNameOf } from '../kit/source.ts';
import { conflict, UsageError, lacking } from '../kit/usage-error.ts';

/** Where specifications are looked for. */
interface Where {
  /** The directory to which patterns are relative. */
  readonly directory: string;
  readonly cwd: string;
  /** The name of a pattern in messages. */
  readonly nameOf: (index: number) => string;
  /** A file that no pattern matches, as that is the policy itself. */
  readonly except: string | null;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The files that one pattern matches; null where it is the name of a file. */
async function matches(pattern: string, ignore: readonly string[], { directory }: Where): Promise<string[] | null> {
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(pattern) || (await exists(resolve(directory, pattern)))) return null;
  return await glob(pattern, { cwd: directory, ignore, absolute: true, expandDirectories: false });
}

/**
 * The files that paths and patterns name, each once, as seen from the working directory; those of a pattern in the order
 * of their names. `-` is itself. A pattern that matches nothing is a mistake, which goes to `errors`: nothing that was
 * to be checked may silently be missing.
 */
async function findSpecs(patterns: readonly string[], where: Where, errors: InputError[]): Promise<string[]> {
  const { directory, cwd, nameOf, except } = where;
  const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const paths = new Set<string>();
  const displayPath = (path: string): string => relative(cwd, path) || '.';
  for (const [index, pattern] of patterns.entries()) {
    if (pattern.startsWith('!')) continue;
    const matched = pattern === '-' ? null : await matches(pattern, ignore, where);
    if (matched === null) {
      paths.add(pattern === '-' ? pattern : displayPath(resolve(directory, pattern)));
      continue;
    }
    const files = matched.map((path) => resolve(path)).filter((path) => path !== except);
    if (files.length === 0) {
      const message = `no file matches ${quote(pattern)}`;
      const hint = 'Correct or remove the pattern.';
      errors.push({ code: 'no-such-file', path: nameOf(index), message, hint });
    }
    for (const path of files.map(displayPath).sort(compare)) paths.add(path);
  }
  return [...paths];
}

/** The options of what is composed and of what it is checked against. */
export const CHECK = {
  ...COMPOSED,
  ...inGroup('Budget:', {
    policy: textOption('--policy <FILE>', 'read specifications and budgets from this file'),
    epsilon: numberOption('--epsilon <E>', 'budget: largest epsilon', budgeted(atLeastZero), '1'),
    delta: numberOption('--delta <D>', 'budget: largest delta', budgeted(probability), '1e-6'),
    ...RISK_LIMITS,
    together: switchOption('--together', 'compose all specifications (same data) under one budget'),
  }),
};

/** What was typed, as far as it says what is checked. */
type Checking = Pick<
  Invocation<typeof CHECK, readonly [patterns: readonly string[]]>,
  'operands' | 'flags' | 'isTyped' | 'refuse' | 'errors' | 'io'
>;
type IsTyped = Checking['isTyped'];
type CheckFlags = Checking['flags'];

/** Files and what they may spend. */
export interface Source {
  readonly name: string | null;
  readonly together: boolean;
  /** null where risks alone are limited. */
  readonly budget: PartialBudget | null;
  readonly risks: readonly RiskLimit[];
  /** As seen from the working directory, each once; at least one. */
  readonly files: readonly string[];
}

/** How specifications are read. */
export interface Reading {
  /** The flags that are joined with each of them. */
  readonly flags: SpecFlags;
  /** The flags of the command line as a specification of its own, where it is one of them. */
  readonly commandLine: SpecFlags;
  /** In which syntax all are written; null where each says that. */
  readonly inputFormat: SyntaxName | null;
  /** The bytes of standard input, where it was read already. */
  readonly piped: Uint8Array | null;
}

/** All that is to be checked. */
export interface Sources {
  readonly policy: string | null;
  readonly name: string | null;
  readonly scopes: readonly Source[];
  readonly reading: Reading;
}

const POLICY: SourceHints = { directory: 'Give a JSON or YAML file.', large: 'Divide it into several policies.' };

const USAGE = [
  'Usage: dpcompose check SPEC... --epsilon 1 --delta 1e-6',
  '       dpcompose check -m dp:epsilon=0.1,count=100 --epsilon 5 --delta 1e-6',
  '       dpcompose check SPEC... --max-advantage 0.2 --max-tpr 0.05@0.01',
  '       dpcompose check --policy privacy-policy.json',
  '       dpcompose check --help',
].join('\n');

/** Whether risks are limited, and no budget. */
const isRiskAlone = (isTyped: IsTyped): boolean =>
  !isTyped('epsilon') && !isTyped('delta') && (isTyped('maxAdvantage') || isTyped('maxTpr'));

/** The parts that the budget lacks and no target of a specification can give. */
function missing({ together }: CheckFlags, isTyped: IsTyped): InputError[] {
  if (isRiskAlone(isTyped)) return [];
  const hint =
    'For example: --epsilon 1 --delta 1e-6, --max-advantage 0.2, or a file of budgets: --policy privacy-policy.json';
  if (!isTyped('epsilon') && !isTyped('delta')) {
    const message = 'is missing: give a budget, --max-advantage, --max-tpr or --policy';
    return [lacking('--epsilon', message, hint)];
  }
  if (!together) return [];
  return (['epsilon', 'delta'] as const)
    .filter((part) => !isTyped(part))
    .map((part) => lacking(`--${part}`, 'is required with --together', hint));
}

/** The errors in the flags of a composition, whatever the files contain, and their conflicts with --together. */
function flagErrors(flags: CheckFlags): InputError[] {
  const declared = specFlags(flags);
  const mechanisms = parseMechanismFlags(declared.mechanisms ?? []);
  const readings = [mechanisms, parseAdaptivityFlags(declared), parseOrderFlag(declared)];
  const excluded = [
    ['--nonadaptive', flags.nonadaptive, 'one specification may depend on the results of another'],
    ['--order', flags.order === 'declared', 'several specifications have no declared order'],
  ] as const;
  const conflicts = excluded
    .filter(([, isGiven]) => isGiven && flags.together)
    .map(([path, , why]) => conflict(path, `and --together exclude each other: ${why}`, 'Keep one of the two.'));
  return [...readings.flatMap(({ errors }) => errors), ...conflicts];
}

/** The files that patterns match, and the command line where it counts as one; else standard input. */
async function specificationFiles({
  operands: [patterns],
  flags,
  errors,
  io,
}: Checking): Promise<{ readonly files: readonly string[]; readonly piped: Uint8Array | null }> {
  const declares = (flags.mechanism ?? []).length > 0;
  if (patterns.length === 0) {
    if (declares) return { files: [COMMAND_LINE], piped: null };
    const piped = await readGiven(undefined, io);
    if (piped !== null) return { files: ['-'], piped: piped.input };
    const hint = 'Name specifications, pipe one in, use -m, or name a --policy.';
    throw new UsageError([...errors, nothingToRead(undefined, 'SPEC', 'check', hint)], { help: USAGE });
  }
  if (patterns.includes('-') && io.stdin.isTTY === true) {
    errors.push(nothingToRead('-', 'SPEC', 'check', 'Give files, or pipe a document to -.'));
  }
  const cwd = io.cwd();
  const where = { directory: cwd, cwd, nameOf: (index: number) => patterns[index] ?? '', except: null };
  const files = await findSpecs(patterns, where, errors);
  if (files.length === 0 && errors.length === 0) {
    const message = 'only excludes files, and no files are included';
    const hint = 'Name specifications beside it.';
    errors.push({ code: 'no-input', path: patterns[0] ?? 'SPEC', message, hint });
  }
  // Together, what the command line adds counts once.
  return { files: flags.together && declares ? [...files, COMMAND_LINE] : files, piped: null };
}

async function ofCommandLine(checking: Checking): Promise<Sources> {
  const { operands, flags, isTyped, errors } = checking;
  const [patterns] = operands;
  const { files, piped } = await specificationFiles(checking);
  errors.push(...missing(flags, isTyped), ...flagErrors(flags));
  const { epsilon, delta, together } = flags;
  const risks = limitsOf(flags);
  const twice = patterns.find((pattern, index) => patterns.indexOf(pattern) < index);
  if (together && twice !== undefined) {
    const message = `${quote(twice)} is listed twice, but --together counts each file once`;
    const hint = 'Keep one of the two. If it runs twice, set "count" in the specification.';
    errors.push({ code: 'duplicate-name', path: twice, message, hint });
  }
  if (errors.length > 0) throw new UsageError(errors);
  const budget = isRiskAlone(isTyped) ? null : { ...(epsilon && { epsilon }), ...(delta && { delta }) };
  const scopes = [{ name: null, together, budget, risks, files }];
  const { mechanisms, set, ...rest } = specFlags(flags);
  const alone = files.includes(COMMAND_LINE);
  const reading = {
    flags: { ...rest, set, mechanisms: alone ? undefined : mechanisms },
    commandLine: { ...rest, set: files.length === 1 ? set : undefined, mechanisms },
    inputFormat: flags.inputFormat ?? null,
    piped,
  };
  return { policy: null, name: null, scopes, reading };
}

async function read(file: string, io: Io): Promise<{ readonly policy: Policy; readonly text: string }> {
  const input = await readSource(file, io, POLICY);
  const { readPolicy } = await import('../../document/policy/read-policy.ts');
  const syntax = await syntaxNameOf({ source: file, input }, null);
  const reading = readPolicy(input, { syntax: await syntaxNamed(syntax) });
  if (reading.kind === 'errors') throw new UsageError(reading.errors, { source: file, more: reading.more });
  const text = syntax === 'json' ? decodeText(input) : '';
  return { policy: reading.policy, text: typeof text === 'string' ? text : '' };
}

async function ofPolicy(file: string, io: Io): Promise<Sources> {
  const { policy, text } = await read(file, io);
  const cwd = io.cwd();
  const path = file === '-' ? null : resolve(cwd, file);
  const directory = path === null ? cwd : dirname(path);
  const errors: InputError[] = [];
  const sourceOf = async ({ name, specs, budget, risks, together }: Scope, scope: number): Promise<Source> => {
    const nameOf = (index: number): string => `scopes[${scope}].specs[${index}]`;
    const files = await findSpecs(specs, { directory, cwd, nameOf, except: path }, errors);
    if (files.length === 0 && errors.length === 0) {
      const message = 'the patterns only exclude files';
      const hint = 'Add the files to check.';
      errors.push({ code: 'no-such-file', path: `scopes[${scope}].specs`, message, hint });
    }
    return { name, together, budget, risks, files };
  };
  const scopes: Source[] = [];
  for (const [index, scope] of policy.scopes.entries()) scopes.push(await sourceOf(scope, index));
  if (errors.length > 0) {
    // Places are looked up in JSON; in YAML, the file is named.
    const placed = errors.map((error) => (text === '' ? error : { ...error, ...placeIn(text, pathOf(error.path)) }));
    throw new UsageError(placed, { source: file });
  }
  return {
    policy: file,
    name: policy.name,
    scopes,
    reading: { flags: {}, commandLine: {}, inputFormat: null, piped: null },
  };
}

/** Finds the specifications to check, unread; mistakes found so far are reported together with others. */
export async function findSources(checking: Checking): Promise<Sources> {
  const {
    operands: [patterns],
    flags: { policy },
    refuse,
    errors,
    io,
  } = checking;
  if (policy === undefined) return await ofCommandLine(checking);
  const message = 'and --policy exclude each other: a policy names its specifications and their budgets';
  const hint = 'Keep one of the two.';
  errors.push(...patterns.slice(0, 1).map((pattern) => conflict(pattern, message, hint)));
  refuse(
    (Object.keys(CHECK) as (keyof typeof CHECK)[]).filter((name) => name !== 'policy'),
    message,
    hint,
  );
  if (errors.length > 0) throw new UsageError(errors);
  return await ofPolicy(policy, io);
}

/** A budget whose missing parts come from the target of a specification; or the error that one is in neither. */
export function completed({ epsilon, delta }: PartialBudget, target: Query | null): Budget | InputError {
  const own = target?.solveFor === 'delta' ? { epsilon: target.epsilon } : { delta: target?.delta };
  const whole = { epsilon: epsilon ?? own.epsilon, delta: delta ?? own.delta };
  const lacks = (part: keyof Budget, example: string): InputError => ({
    code: 'no-target',
    path: 'target',
    message: `the ${part} of the budget is missing, on the command line and in the target of the specification`,
    hint: `Add --${part} ${example}, or "target": {"${part}": "${example}"} to the document.`,
  });
  if (whole.epsilon === undefined) return lacks('epsilon', '1');
  if (whole.delta === undefined) return lacks('delta', '1e-6');
  if (whole.epsilon.gte(0)) return { epsilon: whole.epsilon, delta: whole.delta };
  const message = 'a budget is a number of at least 0, and the target epsilon of the specification is below 0';
  return { code: 'out-of-range', path: 'target.epsilon', message, hint: 'Give --epsilon 1, or correct the target.' };
}
