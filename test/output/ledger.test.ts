import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { bar } from '../../src/output/ledger/status.ts';
import { claimText, guaranteeText, spentText } from '../../src/output/ledger/amounts.ts';
import { PLAIN } from '../../src/output/kit/page.ts';
import { ledgerFileSchema } from '../../src/output/schema/schemas.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Desk } from '../cli/ledger/desk.ts';

const marked = { ...PLAIN, best: (text: string) => `<${text}>`, warning: (text: string) => `!${text}!` };

describe('a bar', () => {
  const ascii = (share: number, width = 12) => bar(share, { width, blocks: false, style: PLAIN });
  const blocks = (share: number, width = 10) => bar(share, { width, blocks: true, style: PLAIN });

  it('is as long as it was told, whatever the share', () => {
    for (let percent = 0; percent <= 100; percent++) {
      expect(ascii(percent / 100)).toHaveLength(12);
      expect(blocks(percent / 100)).toHaveLength(10);
    }
  });

  it('shows that something is used, and is full only where nothing is left', () => {
    expect([ascii(0), ascii(1e-9), ascii(0.5), ascii(0.9999), ascii(1)]).toEqual([
      '[..........]',
      '[#.........]',
      '[#####.....]',
      '[#########.]',
      '[##########]',
    ]);
    expect([blocks(0), blocks(1e-9), blocks(0.5), blocks(0.9999), blocks(1)]).toEqual([
      '░░░░░░░░░░',
      '▏░░░░░░░░░',
      '█████░░░░░',
      '█████████▉',
      '██████████',
    ]);
  });

  it('warns when little is left', () => {
    expect(bar(0.5, { width: 6, blocks: false, style: marked })).toBe('[<##>..]');
    expect(bar(0.9, { width: 6, blocks: false, style: marked })).toBe('[!###!.]');
  });
});

describe('amounts', () => {
  const decimal = (text: string) => new Decimal(text);
  const dp = (epsilon: string, delta: string) => ({
    type: 'dp' as const,
    epsilon: decimal(epsilon),
    delta: decimal(delta),
  });

  it('are rounded to the side on which they stay true', () => {
    expect(guaranteeText(dp('0.12345678901', '0'), 'up')).toBe('epsilon 0.1234567891');
    expect(guaranteeText(dp('0.12345678901', '1e-20'), 'down')).toBe('epsilon 0.123456789 and delta 1e-20');
    expect(guaranteeText(dp('Infinity', '1'), 'up')).toBe('epsilon infinity and delta 1');
  });

  it('stand beside the budget that they are of', () => {
    expect(spentText(dp('0.5', '0'), dp('1', '0'))).toBe('epsilon 0.5 of 1');
    expect(spentText(dp('0.5', '1e-6'), dp('1', '1e-6'))).toBe('epsilon 0.5 of 1 at delta 1e-6');
    expect(spentText(dp('0.5', '0'), dp('1', '1e-6'))).toBe('epsilon 0.5 of 1 and delta 0 of 1e-6');
    const renyi = (epsilon: string) => ({
      type: 'rdp' as const,
      orders: [{ alpha: decimal('8'), epsilon: decimal(epsilon) }],
    });
    expect(spentText(renyi('0.5'), renyi('2'))).toBe('Renyi epsilon 0.5 of 2 at order 8');
    expect(claimText(renyi('2'))).toBe('(8, 2)-Renyi DP');
  });
});

describe('the published schema of a ledger file', () => {
  const desk = new Desk();
  const ajv = new Ajv2020({ strict: false });
  const valid = ajv.compile(ledgerFileSchema());

  it('describes every line that the program writes, and no other', async () => {
    await desk.done(
      'init a.jsonl --mode compositor --rule dp-optimal --epsilon 3 --delta 1e-6 -m dp:epsilon=0.1,count=9',
    );
    await desk.done(
      'init b.jsonl --rho 1 --neighbours person --terms distance=2 --terms max-mechanisms=9 --terms on-excess=halt',
    );
    await desk.done('spend b.jsonl -m zcdp:rho=0.01,kind=interactive --label x');
    await desk.done('nest b.jsonl c.jsonl --rho 0.1');
    await desk.type('spend b.jsonl -m zcdp:rho=9');
    await desk.done('init d.jsonl --terms orders=2:0.1;8:0.4 --terms conversions=allowed');
    await desk.done('spend d.jsonl -m rdp:orders=2:0.01;8:0.02 -m laplace:scale=100');
    await desk.done('convert d.jsonl e.jsonl');
    const lines = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => desk.lines(`${name}.jsonl`));
    expect(new Set(lines.map(({ event }) => event))).toEqual(new Set([undefined, 'spend', 'nest', 'halt', 'convert']));
    for (const line of lines) expect(valid(line), JSON.stringify(valid.errors?.[0])).toBe(true);
    expect(valid({ ...lines[0], extra: 1 })).toBe(false);
    expect(valid({ ...lines[0], hash: 'x' })).toBe(false);
  });
});
