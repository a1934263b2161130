import { OutputError, type Destination } from '../../kit/io.ts';

/** A record that was written, before its writer could say so. */
export interface Written {
  readonly number: number;
  readonly hash: string;
}

/** `it WAS recorded, as record 5, hash 3fa9...` */
export const recordedText = ({ number, hash }: Written, what = 'it'): string =>
  `${what} WAS recorded, as record ${number}, hash ${hash}.`;

/**
 * Delivers an answer about what is in a file by now. Where that fails the record counts all the same, which `kept` says;
 * null where nothing was written.
 */
export async function deliver(put: Destination | null, text: string, kept: string | null): Promise<void> {
  try {
    await put?.(text);
  } catch (error) {
    if (!(error instanceof OutputError) || kept === null) throw error;
    throw new OutputError(`${error.message}; ${kept}`, { cause: error });
  }
}
