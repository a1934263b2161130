import { identity, object, oneOf, published, together } from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { AUDIT } from './audit-json.ts';
import { LOWER_BOUND } from './lower-bound-json.ts';
import { PLAN } from './plan-json.ts';
import { RATES } from './rates-json.ts';
import { RUN } from './run-json.ts';
import { SWITCHES } from './switches-json.ts';

/** The answer of a command under `lazy`. */
export const LAZY = published(
  'lazy',
  'What the commands under lazy print with --json; `result` says which. What has the status "claimed" is no guarantee.',
  together(object({ ...identity('lazy'), result: TEXT }), oneOf(AUDIT, PLAN, RATES, LOWER_BOUND, SWITCHES, RUN)),
);
