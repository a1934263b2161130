// Which folders of src may import from which: down between layers, and inside a layer only from its `core` or `kit` and along
// a list without circles. The rule `boundaries/imports` enforces it, for types too.
import { dirname, join, relative, sep } from 'node:path';

const SOURCES = join(import.meta.dirname, 'src');

/** From each layer, those below it. */
export const LAYERS = {
  numeric: [],
  privacy: ['numeric'],
  bounds: ['numeric', 'privacy'],
  composition: ['numeric', 'privacy', 'bounds'],
  learning: ['numeric', 'privacy', 'bounds'],
  document: ['numeric', 'privacy', 'bounds', 'composition'],
  ledger: ['numeric', 'privacy', 'bounds', 'document'],
  output: ['numeric', 'privacy', 'bounds', 'composition', 'learning', 'document', 'ledger'],
  library: ['numeric', 'privacy', 'bounds', 'composition', 'document', 'output'],
  page: ['numeric', 'privacy', 'bounds', 'composition', 'document', 'output'],
  cli: ['numeric', 'privacy', 'bounds', 'composition', 'learning', 'document', 'ledger', 'output'],
};

/** Inside a layer: from each folder, those besides `core` and `kit` that it may import from. A layer itself is `.`. */
export const INSIDE = {
  numeric: { lattice: ['.'], contour: ['.', 'convex'], convex: ['.'] },
  privacy: {
    sampling: ['.'],
    shuffling: ['.'],
    selection: ['.'],
    mechanisms: ['.', 'sampling', 'selection'],
  },
  bounds: {
    '.': ['closed-form', 'renyi', 'dp-optimal', 'loss-distribution', 'bounded-range', 'mixed', 'selection'],
    'closed-form': ['precise'],
    'dp-optimal': ['loss-distribution'],
    'bounded-range': ['closed-form', 'dp-optimal', 'loss-distribution'],
    mixed: ['bounded-range', 'loss-distribution', 'renyi'],
    selection: ['closed-form', 'dp-optimal', 'loss-distribution', 'renyi'],
  },
  composition: {
    core: ['theorems'],
    plan: ['attack/counterexamples', 'entries', 'theorems'],
    compose: ['entries', 'plan'],
    risk: ['compose', 'entries', 'plan'],
    solve: ['compose', 'risk'],
    curve: ['compose', 'entries'],
    sgd: ['compose', 'curve', 'risk', 'solve'],
    gap: ['entries'],
    'risk-curve': ['compose', 'risk'],
    compare: ['compose', 'risk', 'risk-curve'],
    diff: ['compose'],
    'self-test': ['compose'],
    'group-privacy': ['compose', 'solve'],
    design: ['compose', 'entries', 'plan', 'theorems'],
    check: ['compose', 'design', 'entries', 'risk', 'solve'],
    statement: ['compose', 'design', 'group-privacy', 'plan', 'risk', 'theorems'],
    attack: ['attack/counterexamples'],
    audit: ['compose', 'risk'],
  },
  learning: {
    accounting: ['theorems'],
    alternatives: ['rates'],
    planning: ['accounting', 'alternatives', 'theorems'],
    run: ['accounting', 'alternatives', 'planning', 'theorems'],
  },
  document: {
    structure: ['design', 'mechanism'],
    flags: ['mechanism', 'structure', 'syntax'],
    events: ['structure', 'syntax'],
    policy: ['design', 'syntax'],
    '.': ['flags', 'mechanism', 'policy', 'structure', 'syntax'],
  },
  ledger: {
    rules: [],
    '.': ['rules'],
    budgets: ['.', 'rules'],
    'stores/file': ['.'],
    'stores/sql': ['.'],
    'stores/sqlite': ['.', 'stores/file', 'stores/sql'],
    'stores/postgres': ['.', 'stores/file', 'stores/sql'],
    stores: ['.', 'stores/file', 'stores/postgres', 'stores/sqlite'],
  },
  output: {
    compose: ['refusal'],
    plan: ['compose', 'refusal'],
    '.': ['chart', 'check', 'compose', 'design', 'lazy', 'ledger', 'plan', 'refusal'],
    design: ['compose', 'plan', 'refusal'],
    check: ['compose', 'design', 'refusal'],
    lazy: [],
    figures: ['.', 'chart', 'lazy'],
    ledger: ['refusal'],
    schema: ['.', 'check', 'compose', 'design', 'figures', 'lazy', 'ledger', 'plan', 'refusal'],
  },
  page: { browser: ['.'] },
  cli: {
    ledger: ['ledger/kit'],
    lazy: ['ledger', 'ledger/kit'],
    '.': ['batch', 'check', 'lazy', 'ledger'],
  },
};

const SHARED = ['core', 'kit'];

/** The layer of a file of src and its folder in it; null for others, and for src/index.ts, which may import anything. */
function placeOf(path) {
  const parts = relative(SOURCES, path).split(sep);
  if (parts[0] === '..' || parts.length === 1) return null;
  return { layer: parts[0], folder: parts.slice(1, -1).join('/') || '.' };
}

/** Why `from` may not import `to`; null where it may. */
function objection(from, to) {
  if (from.layer !== to.layer) {
    return LAYERS[from.layer]?.includes(to.layer) ? null : `${from.layer} may not import from ${to.layer}`;
  }
  if (from.folder === to.folder) return null;
  const listed = INSIDE[from.layer]?.[from.folder] ?? [];
  const isShared = SHARED.includes(to.folder) && !SHARED.includes(from.folder);
  if (isShared || listed.includes(to.folder)) return null;
  return `in ${from.layer}, ${from.folder} may not import from ${to.folder}`;
}

const imports = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const from = placeOf(context.filename);
    const look = ({ source }) => {
      if (from === null || typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const to = placeOf(join(dirname(context.filename), source.value));
      const message = to && objection(from, to);
      if (message) context.report({ node: source, message: `${message} (eslint.boundaries.js).` });
    };
    return {
      ImportDeclaration: look,
      ExportNamedDeclaration: look,
      ExportAllDeclaration: look,
      ImportExpression: look,
      TSImportType: look,
    };
  },
};

export default { rules: { imports } };
