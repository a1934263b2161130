import * as fc from './fast-check.ts';

/** The same cases in every run; PROPERTY_SEED picks others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 2026) });

export { fc };
