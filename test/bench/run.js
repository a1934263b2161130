// npm run bench: how long dpcompose takes, whole and inside, and how much memory. Not a test: nothing fails on time.
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBatch } from './batch.js';
import { BATCHES, CASES, GROUPS, GROWTH, STORES } from './cases.js';
import { measure, measureGrowth, surroundings } from './measure.js';
import { measureStore } from './stores.js';
import { batchTable, casesTable, exponentsTable, growthTable, markdownTable, storesTable } from './table.js';
import { verdicts } from './targets.js';

const USAGE = `Usage: npm run bench -- [--only NAME] [--group NAME | --growth] [--all] [--json | --markdown]

  --only NAME   the case or growth table of this name, or all whose names contain it
  --group NAME  one of: ${Object.keys(GROUPS).join(', ')}, batch, store, growth
  --growth      how work grows with the number of mechanisms: as --group growth
  --all         also the slow ones
  --json        one JSON document
  --markdown    also the cases as a table for docs/speed.md`;

function options() {
  const flag = { type: 'boolean', default: false };
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        group: { type: 'string' },
        growth: flag,
        all: flag,
        json: flag,
        markdown: flag,
        help: flag,
      },
    });
    if (!values.help) return { ...values, group: values.growth ? 'growth' : values.group };
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { only, group, all, json, markdown } = options();

const exact = [...CASES, ...BATCHES, ...STORES, ...GROWTH].some(({ name }) => name === only);

/** Whether something of this name and group was asked for. */
function wanted(name, own) {
  if (only !== undefined) return exact ? name === only : name.includes(only);
  if (group !== undefined) return own === group;
  return all || own !== 'slow';
}

if (!existsSync(join(import.meta.dirname, '../../dist/cli/main.cjs'))) {
  console.error('There is nothing to measure yet: npm run build.');
  process.exit(2);
}
const chosen = CASES.filter(({ name, group: own }) => wanted(name, own));
const growing = GROWTH.filter(({ name }) => wanted(name, 'growth')).map(({ slowFrom = Infinity, ...series }) => ({
  ...series,
  sizes: all ? series.sizes : series.sizes.filter((size) => size < slowFrom),
}));
const many = BATCHES.filter(({ name }) => wanted(name, 'batch'));
const kept = STORES.filter(({ name }) => wanted(name, 'store'));
if (chosen.length + growing.length + many.length + kept.length === 0) {
  const names = [...CASES, ...BATCHES, ...STORES, ...GROWTH].map(({ name }) => name);
  console.error(`Nothing has that name. There are: ${names.join(', ')}\n\n${USAGE}`);
  process.exit(2);
}

const machine = surroundings({ node: process.version, processor: cpus()[0]?.model ?? '', cores: cpus().length });
const say = (text) => {
  if (!json) console.log(text);
};
say(`node ${machine.node}, ${machine.cores} cores (${machine.processor.trim()})`);
say(`a bare node needs ${machine.bareMemory.toFixed(0)} MB; "x node" is the whole process against it, paired\n`);

const cases = [];
for (const [name, what] of Object.entries(GROUPS)) {
  const measured = chosen.filter(({ group: own }) => own === name).map(measure);
  if (measured.length === 0) continue;
  cases.push(...measured);
  say(`${name}: ${what}\n${casesTable(measured)}`);
  say(`${measured.map((one) => `  ${one.name}: ${one.what}`).join('\n')}\n`);
}
const batches = many.map(measureBatch);
if (batches.length > 0) {
  say(`batch: many specifications at once\n${batchTable(batches)}`);
  say(`${batches.map((one) => `  ${one.name}: ${one.what}`).join('\n')}\n`);
}
const stores = [];
for (const store of kept) stores.push(await measureStore(store));
if (stores.length > 0) {
  say(`store: many who spend at once\n${storesTable(stores)}`);
  say(`${stores.map((one) => `  ${one.name}: ${one.what}`).join('\n')}\n`);
}
const growth = [];
for (const series of growing) {
  const measured = measureGrowth(series);
  growth.push(measured);
  say(`${series.name}: ${growthTable(measured)}\n`);
}
if (growth.length > 1) say(`${exponentsTable(growth)}\n`);
if (markdown) say(markdownTable(cases));
if (json) {
  const judged = cases.map((measured) => ({ ...measured, verdicts: verdicts(measured) }));
  console.log(JSON.stringify({ machine, cases: judged, batches, stores, growth }, null, 2));
}
