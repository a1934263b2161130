import { open } from 'node:fs/promises';

const SIZE = 2 ** 18;

/** A file piece by piece, all of them in the same memory: each is used before the next is asked for. */
export async function* filePieces(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path);
  try {
    const memory = new Uint8Array(SIZE);
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, SIZE, null);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
