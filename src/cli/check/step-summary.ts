import { appendFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { isFile, type CheckItem, type CheckReport } from '../../report/check/results.ts';
import { OutputError, systemReason, type Io } from '../kit/io.ts';

/** Adds a Markdown document to the summary of the running step of GitHub Actions; elsewhere there is none. */
export async function addStepSummary(markdown: string, io: Io): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = io.env;
  if (file === undefined || file === '') return;
  try {
    await appendFile(resolve(io.cwd(), file), markdown);
  } catch (error) {
    throw new OutputError(`the step summary ${file} cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

/** A report with the places of files as seen from the root of the repository, where a runner says which that is. */
export function fromWorkspace(report: CheckReport, io: Io): CheckReport {
  const { GITHUB_WORKSPACE: root } = io.env;
  if (root === undefined || root === '') return report;
  const moved = (file: string): string => (isFile(file) ? relative(root, resolve(io.cwd(), file)) : file);
  const placed = (item: CheckItem): CheckItem => {
    const { place, outcome } = item;
    return {
      ...item,
      place: place && { ...place, file: moved(place.file) },
      outcome:
        outcome.kind === 'unreadable'
          ? { ...outcome, unreadable: outcome.unreadable.map((each) => ({ ...each, file: moved(each.file) })) }
          : outcome,
    };
  };
  return {
    ...report,
    scopes: report.scopes.map((scope) => ({ ...scope, items: scope.items.map(placed) })),
  };
}
