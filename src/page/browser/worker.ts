import { answer } from '../answer.ts';
import type { Request } from '../question.ts';

// Computes beside the page, which can stop it.
addEventListener('message', ({ data }: MessageEvent<Request>) => {
  answer(data, (part) => {
    postMessage(part);
  });
});
