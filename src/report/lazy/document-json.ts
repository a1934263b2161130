import { identity, object, oneOf, published, together } from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { AUDIT } from './audit.ts';
import { PLAN } from './plan.ts';
import { LOWER_BOUND, RATES } from './rates.ts';
import { RUN } from './run.ts';
import { SWITCHES } from './switches.ts';

/** The answer of a command under `lazy`. */
export const LAZY = published(
  'lazy',
  'What the commands under lazy print with --json; `result` says which. What has the status "claimed" is no guarantee.',
  together(object({ ...identity('lazy'), result: TEXT }), oneOf(AUDIT, PLAN, RATES, LOWER_BOUND, SWITCHES, RUN)),
);
