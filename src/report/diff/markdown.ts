import type { Comparison } from '../../composition/diff/compare.ts';
import { changeText, costCells, diffStatement, refusedAlone } from './words.ts';
import { escaped } from '../plan/markdown.ts';

/** What a change of specification costs, as Markdown: for the description of a change. */
export function diffMarkdown(comparison: Comparison): string {
  const { query, before, changes } = comparison;
  const rows = changes.map((priced) => {
    const { mark, what } = changeText(priced.change);
    const cells = [`\`${mark}\` ${escaped(what)}`, ...costCells(priced, before[query.solveFor])];
    return `| ${cells.join(' | ')} |`;
  });
  const table = [`| change | ${query.solveFor} with it alone | difference |`, '| --- | ---: | ---: |', ...rows];
  return [
    escaped(diffStatement(comparison)),
    ...(rows.length === 0 ? [] : ['', ...table]),
    ...refusedAlone(comparison).flatMap((text) => ['', escaped(text)]),
    '',
  ].join('\n');
}
