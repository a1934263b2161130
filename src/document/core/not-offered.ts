/** Why a mechanism type is not offered, and what can be done instead. */
export interface NotOffered {
  readonly why: string;
  readonly instead: string;
}

const SUBSAMPLED: NotOffered = {
  why: 'amplification by subsampling needs theorems that this program does not have',
  instead:
    'Let an accountant for subsampled mechanisms (such as those for DP-SGD) give an (epsilon, delta) or RDP guarantee of the whole run, and write that as dp or rdp.',
};

const SHUFFLED: NotOffered = {
  why: 'amplification by shuffling needs theorems that this program does not have',
  instead: 'Take the (epsilon, delta) of the shuffled protocol from its own analysis, and write it as dp.',
};

const SPARSE_VECTOR: NotOffered = {
  why: 'its guarantee is the plain (epsilon, 0) of a conversation',
  instead:
    'Write one entry {"type": "dp", "epsilon": 0.1, "kind": "interactive"} with the epsilon of the whole block; where its data arrive over time, "kind": "continual".',
};

const AS_PURE_DP: NotOffered = {
  why: 'nothing better than its (epsilon, 0) guarantee is known to this program',
  instead: 'Write it as dp with that epsilon and delta 0.',
};

const LOSS_DISTRIBUTION: NotOffered = {
  why: 'a mechanism given by its privacy loss distribution is not offered',
  instead: 'Write the two output distributions as finite-pair, or an (epsilon, delta) guarantee that it implies as dp.',
};

const SAMPLED: NotOffered = {
  why: 'a mechanism on a sample is written as the mechanism itself with a sampling',
  instead:
    'Write {"type": "gaussian", "noise-multiplier": 1.1, "sampling": {"scheme": "poisson", "rate": "256/60000"}, "count": 14063}; the sampling as it is done: poisson, without-replacement or shuffled.',
};

const MATRIX: NotOffered = {
  why: 'matrix mechanisms go by the name banded-matrix here',
  instead:
    'Write {"type": "banded-matrix", "noise-multiplier": 1.1, "steps": 1000, "bands": 16, "participations": 10, "separation": 100}; a matrix without bands of 0 has as many bands as steps.',
};

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
    why: 'it goes by the name of what is under it here, and by how often a person takes part',
    instead:
      'Write {"type": "tree-aggregation", "noise-multiplier": 1.1, "steps": 1000, "participations": 10, "separation": 100, "nodes": "completed"}, or a banded-matrix.',
  },
  ...Object.fromEntries(
    ['bandmf', 'dp-bandmf', 'matrix-mechanism', 'matrix-factorization', 'dp-mf', 'banded-matrix-factorization'].map(
      (type) => [type, MATRIX],
    ),
  ),
  'subsampled-with-replacement': SUBSAMPLED,
  'subsampled-without-replacement': SAMPLED,
  'subsampled-truncated-gaussian': SUBSAMPLED,
  shuffle: SHUFFLED,
  shuffled: SHUFFLED,
  shuffling: SHUFFLED,
  'randomized-response': AS_PURE_DP,
  'randomised-response': AS_PURE_DP,
  geometric: {
    why: 'it goes by the name discrete-laplace here',
    instead:
      'Write it as discrete-laplace with its scale and sensitivity; where P(z) is proportional to r^|z|, the scale is -1 / ln r.',
  },
  'repeat-and-select': {
    why: 'selection among a random number of runs is not analysed here',
    instead:
      'Take the (epsilon, delta) or RDP of the whole selection from its own analysis, and write it as dp or rdp.',
  },
  'mixture-of-gaussians': {
    why: 'a random sensitivity is not analysed here',
    instead: 'Write it as gaussian with the largest sensitivity, or an (epsilon, delta) guarantee of its own as dp.',
  },
  'multivariate-discrete-gaussian': {
    why: 'the loss of discrete Gaussian noise in several dimensions is not that of one',
    instead:
      'Write the zcdp guarantee that it has, or each coordinate as a discrete-gaussian with its own sensitivity.',
  },
  'approximate-zcdp': {
    why: 'zCDP with a constant xi beside rho is not offered',
    instead: 'Write it as rdp with pairs [alpha, xi + rho alpha]; with a delta and no xi, as zcdp with rho and delta.',
  },
  'non-private': {
    why: 'what it releases has no privacy',
    instead: 'Nothing can be claimed of a whole that holds it; omit it only if it reads none of the data.',
  },
  staircase: AS_PURE_DP,
  'local-dp': {
    why: 'it is the guarantee of one user, and says nothing of how many users differ',
    instead:
      'Write {"type": "local", "differing": 1, "of": {"type": "dp", "epsilon": 0.1}} with the epsilon of each user; what one user runs alone, as dp.',
  },
  'sparse-vector': SPARSE_VECTOR,
  svt: SPARSE_VECTOR,
  'above-threshold': SPARSE_VECTOR,
  'noisy-max': {
    why: 'it goes by the name report-noisy-max here',
    instead: 'Write it as report-noisy-max with its noise (gumbel, laplace or exponential) and epsilon.',
  },
  'privacy-loss-distribution': LOSS_DISTRIBUTION,
  'loss-distribution': LOSS_DISTRIBUTION,
  pld: LOSS_DISTRIBUTION,
  prv: LOSS_DISTRIBUTION,
  'sampling-of-what-was-sampled': {
    why: 'a sample of a sample has no theorem here',
    instead: 'Where both are Poisson samples and only the inner one is used, write one with the product of the rates.',
  },
  'a-rate-chosen-along-the-way': {
    why: 'composition of samples is proved for rates that are fixed in advance',
    instead: 'Write the largest rate that may be chosen.',
  },
  'one-sample-used-twice': {
    why: 'samples must be drawn afresh for the losses of mechanisms to add up',
    instead:
      'Write what is run on the sample as one mechanism with one sampling: several queries with Gaussian noise as one gaussian, its noise-multiplier that of all of them together.',
  },
  'sampling-of-interactive-mechanisms': {
    why: 'amplification by sampling is proved for mechanisms that answer once',
    instead: 'Leave out the sampling: without it the guarantee holds, too.',
  },
  'sampling-of-bounded-range': {
    why: 'no single pair of distributions dominates bounded range, and the theorems need one',
    instead: 'Write it as dp with the same epsilon, which it is, with the sampling.',
  },
  'sampling-of-a-renyi-or-zcdp-guarantee': {
    why: 'amplification is computed from the distribution of the losses, which such a guarantee does not tell',
    instead: 'Write the noise itself (gaussian, laplace), or a gdp or dp guarantee that the mechanism has.',
  },
  'sampling-of-tree-aggregation': {
    why: 'a node of a tree holds what several samples gave, so that no round stands alone',
    instead: 'Leave out the sampling, and write participations: without it the guarantee holds, too.',
  },
  'sampling-of-a-banded-matrix-otherwise-than-by-poisson': {
    why: 'the rounds of a banded matrix are proved for Poisson samples of each part of the data',
    instead: 'Draw Poisson samples; or leave out the sampling, and write participations and separation.',
  },
  'balls-in-bins': {
    why: 'no theorem that composes it is certified here, and it is not Poisson sampling',
    instead: 'Draw Poisson samples; or leave out the sampling: without it the guarantee holds, too.',
  },
  'poisson-sampling-where-a-record-is-replaced': {
    why: 'for Poisson samples there is a theorem here only where neighbors differ by a record more',
    instead: 'Say neighbours add-remove; a record replaced is one removed and one added.',
  },
  'sampling-without-replacement-where-a-record-is-added': {
    why: 'samples of fixed size are analysed here for neighbours that differ in the value of one record',
    instead: 'Say neighbours replace-one, with the sensitivity for a record replaced.',
  },
  cdp: { why: 'mean-concentrated privacy is not offered', instead: 'Write the zcdp or rdp guarantee that it implies.' },
  tcdp: {
    why: 'truncated concentrated privacy is not offered',
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
