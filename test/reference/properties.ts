import fc from 'fast-check';

/** The same cases in every run; PROPERTY_SEED picks others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 2026) });

export { fc };
