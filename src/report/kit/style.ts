/** How a report sets off parts of its text; each function may only add marks of no width. */
export interface Style {
  readonly best: (text: string) => string;
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly error: (text: string) => string;
}

const same = (text: string): string => text;

/** No marks at all. */
export const PLAIN: Style = { best: same, heading: same, quiet: same, warning: same, error: same };
