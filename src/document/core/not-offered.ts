/** Why a mechanism type is not offered, and what can be done instead. */
export interface NotOffered {
  readonly why: string;
  readonly instead: string;
}

const SHUFFLED: NotOffered = {
  why: 'shuffling means two things, and only one of them has a theorem here',
  instead:
    'If each user randomizes one report before all are shuffled, write {"type": "shuffled-reports", "local-epsilon": 1, "users": 1000000}. Batches of a shuffled list are a "sampling" with scheme shuffled.',
};

const RESPONSE: NotOffered = {
  why: 'it has the type randomized-response',
  instead: 'Write {"type": "randomized-response", "epsilon": 1, "categories": 16}; with 2 categories it is binary.',
};

const SPARSE_VECTOR: NotOffered = {
  why: 'it has the type sparse-vector, for one of several algorithms of this name',
  instead:
    'For Laplace noise drawn once on the threshold and anew on each query, write {"type": "sparse-vector", "threshold-epsilon": 0.05, "query-epsilon": 0.05}. Otherwise write a proved guarantee as {"type": "dp", "epsilon": 0.1, "kind": "interactive"}.',
};

const AS_PURE_DP: NotOffered = {
  why: 'dpcompose knows no better guarantee for it than (epsilon, 0)',
  instead: 'Write it as dp with that epsilon and delta 0.',
};

const LOSS_DISTRIBUTION: NotOffered = {
  why: 'mechanisms given by a privacy loss distribution are not supported',
  instead: 'Write the two output distributions as finite-pair, or an (epsilon, delta) guarantee that it implies as dp.',
};

const SAMPLED: NotOffered = {
  why: 'a subsampled mechanism is written as the mechanism with a "sampling"',
  instead:
    'Write {"type": "gaussian", "noise-multiplier": 1.1, "sampling": {"scheme": "poisson", "rate": "256/60000"}, "count": 14063}; for the scheme, write the one that your sampler uses: poisson, random-allocation, without-replacement, with-replacement (with draws) or shuffled.',
};

const MATRIX: NotOffered = {
  why: 'matrix mechanisms have the type banded-matrix',
  instead:
    'Write {"type": "banded-matrix", "noise-multiplier": 1.1, "steps": 1000, "bands": 16, "participations": 10, "separation": 100}; a matrix without zero bands has as many bands as steps.',
};

const SELECTION: NotOffered = {
  why: 'it has the type selection',
  instead:
    'Write {"type": "selection", "of": [{"type": "gaussian", "sigma": 4}], "runs": {"law": "poisson", "mean": 20}}; in a flag, best-of=poisson mean=20 beside the mechanism.',
};

const WITHOUT_SAMPLING =
  'Remove the sampling with its "records"; write the sensitivity to all records of one person, and count a run for each batch that one of them may be in.';

/** Mechanism types known elsewhere: recognised, and refused with a reason. */
export const NOT_OFFERED: Readonly<Record<string, NotOffered>> = {
  'subsampled-gaussian': SAMPLED,
  'subsampled-laplace': SAMPLED,
  'poisson-subsampled': SAMPLED,
  'poisson-subsampled-gaussian': SAMPLED,
  'sampled-gaussian': SAMPLED,
  subsampled: SAMPLED,
  'dp-sgd': SAMPLED,
  sampled: SAMPLED,
  dpsgd: SAMPLED,
  'dp-ftrl': {
    why: 'it is written as its mechanism, with how often a person takes part',
    instead:
      'Write {"type": "tree-aggregation", "noise-multiplier": 1.1, "steps": 1000, "participations": 10, "separation": 100, "nodes": "completed"}, or a banded-matrix.',
  },
  ...Object.fromEntries(
    ['bandmf', 'dp-bandmf', 'matrix-mechanism', 'matrix-factorization', 'dp-mf', 'banded-matrix-factorization'].map(
      (type) => [type, MATRIX],
    ),
  ),
  'subsampled-with-replacement': SAMPLED,
  'subsampled-without-replacement': SAMPLED,
  'subsampled-truncated-gaussian': {
    why: 'a record may push another one out of a full batch, and dpcompose has no dominating pair for that',
    instead:
      'If batches are never truncated, write PoissonSampledDpEvent, or sampling=poisson. Otherwise write an (epsilon, delta) or RDP guarantee of the whole run as dp or rdp.',
  },
  shuffle: SHUFFLED,
  shuffled: SHUFFLED,
  shuffling: SHUFFLED,
  'randomised-response': RESPONSE,
  'sampling-of-randomized-response': {
    why: 'randomized response is for replace-one neighbors, and each record answers for itself',
    instead: 'Remove the sampling, and count a run for each batch that a record may be in.',
  },
  'a-tree-where-a-record-is-replaced': {
    why: 'the event of a tree is for a record that is in the data or not, and this list is for replace-one neighbors',
    instead:
      'Write tree-aggregation with half the noise-multiplier, which covers a replaced record, beside the others.',
  },
  'shuffle-model': SHUFFLED,
  krr: RESPONSE,
  'k-rr': RESPONSE,
  geometric: {
    why: 'it has the type discrete-laplace',
    instead:
      'Write it as discrete-laplace with its scale and sensitivity; if P(z) is proportional to r^|z|, the scale is -1 / ln r.',
  },
  'repeat-and-select': SELECTION,
  'private-selection': SELECTION,
  'best-of': SELECTION,
  'selection-of-selections': {
    why: 'dpcompose has no theorem for the best of several selections',
    instead: 'Write the guarantee that the inner selection has (compose it alone) as dp, and select among that.',
  },
  'sampling-of-a-selection': {
    why: 'amplification by sampling has no theorem here for the best of several runs on one sample',
    instead: 'If every run draws samples of its own, write "sampling" at the mechanisms in "of". Otherwise remove it.',
  },
  'release-of-all-runs': {
    why: 'the results of all runs lose as much as all runs, whatever is chosen afterwards',
    instead: 'Fix the number of runs, and write the mechanisms of all of them: "count" times that number.',
  },
  'selection-of-interactive-mechanisms': {
    why: 'private selection is proved for runs that give one output each',
    instead: 'Fix the number of runs, and write the mechanisms of all of them: "count" times that number.',
  },
  'selection-of-shuffled-batches': {
    why: 'dpcompose has no theorem for shuffled batches, and so none for the best of several runs on them',
    instead: 'Use sampling=poisson or random-allocation, and write the scheme that your sampler uses.',
  },
  'adaptive-search': {
    why: 'runs that depend on the results of earlier runs are a composition, not private selection',
    instead: 'Fix the number of runs, and write the mechanisms of all of them: "count" times that number.',
  },
  'bayesian-optimization': {
    why: 'runs that depend on the results of earlier runs are a composition, not private selection',
    instead: 'Fix the number of runs, and write the mechanisms of all of them: "count" times that number.',
  },
  'mixture-of-gaussians': {
    why: 'of a random sensitivity, several values besides 0 must be multiples of one with binomial probabilities; it may not stand beside replace-one neighbors or on a sample',
    instead: 'Write it as gaussian with the largest sensitivity, or an (epsilon, delta) guarantee of its own as dp.',
  },
  'multivariate-discrete-gaussian': {
    why: 'discrete Gaussian noise in several dimensions has a different loss than in one',
    instead:
      'Write the zcdp guarantee that it has, or each coordinate as a discrete-gaussian with its own sensitivity.',
  },
  'approximate-zcdp': {
    why: 'zCDP with a constant xi beside rho is not supported',
    instead: 'Write it as rdp with pairs [alpha, xi + rho alpha]; with a delta and no xi, as zcdp with rho and delta.',
  },
  'non-private': {
    why: 'its output is not private',
    instead: 'No guarantee holds for a composition that contains it. Omit it only if it reads none of the data.',
  },
  staircase: AS_PURE_DP,
  'local-dp': {
    why: 'it is the guarantee of one user, and the number of users that differ is not given',
    instead:
      'Write {"type": "local", "differing": 1, "of": {"type": "dp", "epsilon": 0.1}} with the epsilon of each user. Write the mechanism of a single user as dp.',
  },
  svt: SPARSE_VECTOR,
  'above-threshold': SPARSE_VECTOR,
  'noisy-max': {
    why: 'it has the type report-noisy-max',
    instead: 'Write it as report-noisy-max with its noise (gumbel, laplace or exponential) and epsilon.',
  },
  'privacy-loss-distribution': LOSS_DISTRIBUTION,
  'loss-distribution': LOSS_DISTRIBUTION,
  pld: LOSS_DISTRIBUTION,
  prv: LOSS_DISTRIBUTION,
  'sampling-of-what-was-sampled': {
    why: 'dpcompose has no theorem for a subsample of a subsample',
    instead: 'If both are Poisson subsamples and only the inner one is used, write one with the product of the rates.',
  },
  'a-rate-chosen-along-the-way': {
    why: 'composition of subsampled mechanisms is proved for rates that are fixed in advance',
    instead: 'Write the largest rate that may be chosen.',
  },
  'one-sample-used-twice': {
    why: 'each mechanism needs a fresh sample for privacy losses to compose',
    instead:
      'Write all that runs on one sample as one mechanism with one sampling. For example, write several Gaussian queries as one gaussian with their joint noise-multiplier.',
  },
  'local-reports-where-a-record-is-added': {
    why: 'the number of reports is known, so neighbors are data sets in which one user has another value',
    instead: 'Remove "neighbours", or write "neighbours": "replace-one".',
  },
  'sampling-of-local-reports': {
    why: 'dpcompose has no theorem for local reports of a sample of the users',
    instead:
      'Write shuffled-reports with the number of users who are certain to report in each round, without sampling.',
  },
  'sampling-of-interactive-mechanisms': {
    why: 'amplification by sampling is proved for mechanisms that answer once',
    instead: 'Remove the sampling, and count a run for each batch that a record may be in.',
  },
  'sampling-of-bounded-range': {
    why: 'no single pair of distributions dominates bounded-range mechanisms, and the theorems need one',
    instead: 'Write it as dp with the same epsilon, which it satisfies, and the sampling.',
  },
  'sampling-of-a-renyi-or-zcdp-guarantee': {
    why: 'amplification needs the privacy loss distribution, which such a guarantee does not determine',
    instead: 'Write the noise itself (gaussian, laplace), or a gdp or dp guarantee that the mechanism has.',
  },
  'sampling-of-tree-aggregation': {
    why: 'a node of a tree sums several samples, so rounds are not separate',
    instead: 'Remove the sampling and write participations: every batch that a record may be in is one.',
  },
  'sampling-of-a-banded-matrix-otherwise-than-by-poisson': {
    why: 'the theorem on banded matrices needs Poisson subsampling of each part of the data',
    instead: 'Use Poisson subsampling, or remove the sampling and write participations and separation.',
  },
  'balls-in-bins': {
    why: 'the name has two meanings, of which one is far less private: a record draws a batch afresh in each epoch, or once for all epochs',
    instead:
      'A fresh draw each epoch: write sampling=random-allocation, batches=T and count=E, the number of epochs. One draw for all E epochs: write random-allocation with count=1 and sigma / sqrt(E).',
  },
  'random-allocation-of-other-than-gaussian-noise': {
    why: 'dpcompose computes random allocation for Gaussian noise only',
    instead:
      'If the noise is Gaussian, write gaussian or gdp. Or remove the sampling, and count a run for each batch that a record may be in.',
  },
  'random-allocation-where-a-record-is-replaced': {
    why: 'the dominating pair of random allocation is for add-remove neighbors',
    instead:
      'Write "neighbours": "add-remove": the answer is then for one record added or removed. A replacement is two such changes and loses more.',
  },
  'several-records-of-one-person-otherwise-than-by-poisson-sampling-of-gaussian-noise': {
    why: 'the theorem on several records of one person is for Gaussian noise on Poisson subsamples, written as gaussian',
    instead: WITHOUT_SAMPLING,
  },
  'too-many-records-of-one-person': {
    why: 'dpcompose computes the likelihood ratio of at most 10,000 records of one person',
    instead: WITHOUT_SAMPLING,
  },
  'sampling-with-replacement-of-other-than-gaussian-noise': {
    why: 'the theorem on sampling with replacement is for Gaussian noise, written as gaussian',
    instead:
      'Remove the sampling, and write the sensitivity to all of a sample: it may be one record, drawn every time.',
  },
  'poisson-sampling-of-other-than-gaussian-noise-where-a-record-is-replaced': {
    why: 'for replace-one neighbors, dpcompose has a theorem on Poisson subsampling for Gaussian noise only, written as gaussian',
    instead:
      'Write "neighbours": "add-remove": the answer is then for one record added or removed. A replacement is two such changes and loses more.',
  },
  'sampling-without-replacement-where-a-record-is-added': {
    why: 'dpcompose has theorems on fixed-size subsampling for replace-one neighbors only',
    instead: 'Write "neighbours": "replace-one", with the sensitivity to replacing a record.',
  },
  cdp: {
    why: 'mean-concentrated privacy is not supported',
    instead: 'Write the zcdp or rdp guarantee that it implies.',
  },
  tcdp: {
    why: 'truncated concentrated privacy is not supported',
    instead: 'Write it as rdp at the orders where it holds.',
  },
  'f-dp': {
    why: 'a trade-off function is written by its corners',
    instead: 'Write trade-off with points, or the gdp guarantee.',
  },
};

/** The key of `NOT_OFFERED` that a type means, whatever its case and separators; null if there is none. */
export function notOffered(type: string): string | null {
  const key = type.toLowerCase().replaceAll(/[_ ]/g, '-');
  return Object.hasOwn(NOT_OFFERED, key) ? key : null;
}
