/** Mechanisms by the names that people look for: one of each, as it is typed. A type may have several, and a name several words. */
export const MECHANISM_EXAMPLES: Readonly<Record<string, string>> = {
  'exponential mechanism; softmax sampling': 'exponential:epsilon=0.1',
  'report-noisy-max, Gumbel noise': 'report-noisy-max:noise=gumbel,epsilon=0.1',
  'report-noisy-max, Laplace noise': 'report-noisy-max:noise=laplace,epsilon=0.1',
  'report-noisy-max, exponential noise': 'report-noisy-max:noise=exponential,epsilon=0.1',
  'permute-and-flip': 'permute-and-flip:epsilon=0.1',
  'bounded-range mechanism': 'bounded-range:epsilon=0.1',
  'sparse vector technique (SVT)': 'sparse-vector:threshold-epsilon=0.05,query-epsilon=0.05',
  'AboveThreshold (one positive)': 'sparse-vector:threshold-scale=20,query-scale=40,positives=1,sensitivity=1',
  'Laplace mechanism': 'laplace:scale=10',
  'Gaussian mechanism': 'gaussian:sigma=10',
  'discrete Laplace (geometric) mechanism': 'discrete-laplace:scale=10',
  'discrete Gaussian mechanism': 'discrete-gaussian:sigma=10',
  'randomized response; k-RR': 'randomized-response:epsilon=1,categories=4',
  RAPPOR: 'rappor:f=0.5',
  'shuffled reports; shuffle model': 'shuffled-reports:local-epsilon=1,users=1000',
  'DP-SGD; Poisson subsampling': 'gaussian:noise-multiplier=1,sampling=poisson,rate=0.01',
  'fixed-size subsampling': 'gaussian:sigma=8,sampling=without-replacement,rate=0.1,neighbours=replace-one',
  'random allocation': 'gaussian:noise-multiplier=4,sampling=random-allocation,batches=8',
  'DP-FTRL; tree aggregation': 'tree-aggregation:noise-multiplier=10,steps=100,participations=1',
  'matrix factorization; BandMF': 'banded-matrix:noise-multiplier=10,steps=100,participations=1,bands=4',
  'private selection; hyperparameter tuning': 'gaussian:sigma=8,best-of=geometric mean=10',
  '(epsilon, delta)-DP; pure DP': 'dp:epsilon=0.1,delta=1e-9',
  'zero-concentrated DP (zCDP)': 'zcdp:rho=0.01',
  'Renyi DP (RDP)': 'rdp:alpha=8,epsilon=0.1',
  'Gaussian DP (GDP)': 'gdp:mu=0.1',
  'f-DP; trade-off function': 'trade-off:points=0.25:0.25',
  'few outcomes; dominating pair': 'finite-pair:p=0.6;0.4,q=0.4;0.6',
};

/** The type of an example. */
export const typeIn = (example: string): string => example.slice(0, example.indexOf(':'));

/** The types that have an example. */
export const typesWithExample = (): readonly string[] => [...new Set(Object.values(MECHANISM_EXAMPLES).map(typeIn))];
