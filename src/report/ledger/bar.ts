import type { Style } from '../kit/style.ts';

/** The means with which a bar is drawn. */
export interface BarLayout {
  /** Columns of the whole bar. */
  readonly width: number;
  /** Whether the terminal shows block characters. */
  readonly blocks: boolean;
  readonly style: Style;
}

const NEARLY_FULL = 0.9;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A share from 0 to 1 as a bar; something used always shows, and full is only what is full. */
export function bar(share: number, { width, blocks, style }: BarLayout): string {
  const mark = share >= NEARLY_FULL ? style.warning : style.best;
  if (!blocks) {
    const room = Math.max(1, width - 2);
    const filled = share >= 1 ? room : Math.min(room - 1, Math.ceil(share * room));
    return `[${mark('#'.repeat(filled))}${'.'.repeat(room - filled)}]`;
  }
  const eighths = share >= 1 ? 8 * width : Math.min(8 * width - 1, Math.ceil(share * 8 * width));
  const text = `${'█'.repeat(eighths >> 3)}${EIGHTHS[eighths & 7] ?? ''}`;
  return `${mark(text)}${style.quiet('░'.repeat(width - text.length))}`;
}
