import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seal, type Fields } from '../../../src/ledger/line.ts';
import { Desk } from './desk.ts';

// Written by a version that charged a finite pair in Gaussian DP by its largest loss.
const earlier = (name: string): string => readFileSync(new URL(`earlier/${name}.jsonl`, import.meta.url), 'utf8');

const desk = new Desk();
const CORNERS = "-m 'trade-off:points=0.1:0.5;0.5:0.1'";

interface Status {
  readonly totals: { readonly exact: { readonly muSquared: string } };
}
const status = (file: string): Promise<Status> => desk.json<Status>('ledger-status', `status ${file}`);

interface Line {
  totals?: { spent: Record<string, string> };
}

/** The lines of a ledger, with another total from its first record on, each sealed after the one before. */
function charged(lines: string, muSquared: string): string {
  let [ledger, prev] = ['', ''];
  const records = lines.trimEnd().split('\n').slice(0, 2);
  const sealed = records.map((line, i) => {
    const { hash, ...fields } = JSON.parse(line) as Fields & Line;
    if (i === 0) [ledger, prev] = [String(hash), String(hash)];
    if (i === 0) return line;
    const changed = seal({ ...fields, totals: { ...fields.totals, spent: { muSquared } }, ledger, prev });
    prev = changed.hash;
    return changed.text;
  });
  return `${sealed.join('\n')}\n`;
}

it('a ledger with the larger charges of earlier versions is sound, and goes on from what it has recorded', async () => {
  desk.write('granted.jsonl', earlier('granted'));
  for (const command of ['verify --copy', 'verify --replay']) await desk.done(`${command} granted.jsonl -q`);
  expect((await status('granted.jsonl')).totals).toMatchObject({ exact: { muSquared: '16.8567174774171408' } });
  await desk.done('adopt granted.jsonl -q');
  await desk.done(`spend granted.jsonl ${CORNERS} -q`);
  await desk.done(`spend granted.jsonl -m gaussian:sigma=10 -q`);
  await desk.done('verify granted.jsonl -q');
  // The one that was launched now is charged by its corner.
  expect((await status('granted.jsonl')).totals.exact.muSquared).toBe('18.5090918925670002');
});

it('a ledger that has halted by a charge of earlier versions is sound, and stays halted', async () => {
  desk.write('halted.jsonl', earlier('halted'));
  for (const command of ['verify --copy', 'verify --replay']) await desk.done(`${command} halted.jsonl -q`);
  await desk.done('adopt halted.jsonl -q');
  expect(await desk.codes('spend halted.jsonl -m gaussian:sigma=100 -q')).toEqual([1]);
});

it('charges of earlier versions go along with a copy and a move', async () => {
  desk.write('here.jsonl', earlier('granted'));
  await desk.done('adopt here.jsonl -q');
  await desk.done('store init sqlite:ledgers.db -q');
  await desk.done('move --keep here --from . --to sqlite:ledgers.db --as twin -q');
  await desk.done('verify twin --copy --store sqlite:ledgers.db -q');
  await desk.done('move here --from . --to sqlite:ledgers.db -q');
  await desk.done(`spend here --store sqlite:ledgers.db ${CORNERS} -q`);
  await desk.done('verify here --store sqlite:ledgers.db -q');
  expect(existsSync(join(desk.folder, 'here.jsonl'))).toBe(true);
});

it('a charge that is neither that of now nor that of earlier versions is a fault', async () => {
  const lines = earlier('granted');
  const codes: number[] = [];
  for (const muSquared of ['3.7436179462346993', '1.6423744151498594', '1.6423744151498593', '2.5', '3.75', '0']) {
    desk.write('charged.jsonl', charged(lines, muSquared));
    codes.push((await desk.type('verify charged.jsonl --copy')).code);
  }
  expect(codes).toEqual([0, 0, 4, 4, 4, 4]);
});

it('an interactive pair is charged by its largest loss, for which no finite communication is needed', async () => {
  await desk.done('init told.jsonl --rule gdp --mu 4 -q');
  const document = {
    dpcompose: 1,
    finiteCommunication: false,
    mechanisms: [
      {
        type: 'trade-off',
        points: [
          [0.1, 0.5],
          [0.5, 0.1],
        ],
        kind: 'interactive',
      },
    ],
  };
  desk.write('told.json', JSON.stringify(document));
  await desk.done('spend told.jsonl told.json -q');
  expect((await status('told.jsonl')).totals.exact.muSquared).toBe('3.7436179462346993');
});
