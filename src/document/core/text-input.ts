import type { Problem } from './input-error.ts';

/** The text of a document without its byte order mark, or why it has none. */
export function decodeText(input: string | Uint8Array): string | Problem {
  if (typeof input === 'string') return input.startsWith('\ufeff') ? input.slice(1) : input;
  if ((input[0] === 0xff && input[1] === 0xfe) || (input[0] === 0xfe && input[1] === 0xff)) {
    return { code: 'not-text', message: 'the document is in UTF-16, not in UTF-8', hint: 'Save it in UTF-8.' };
  }
  try {
    // Without ignoreBOM, a byte order mark is dropped.
    return new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    const message = 'the document is not text in UTF-8: it holds bytes that UTF-8 does not have';
    return { code: 'not-text', message, hint: 'Give a JSON file, saved in UTF-8.' };
  }
}
