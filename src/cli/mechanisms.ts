/** How a mechanism is written on the command line: `dpcompose help mechanisms`. */
export const MECHANISMS = `Write a mechanism as TYPE:key=value,key=value with one of these types:

  dp:epsilon=E[,delta=D]            (E, D)-differential privacy
  exponential:epsilon=E             exponential mechanism; or bounded-range:...
                                      with weight exp(C u): coefficient=C and,
                                      for the utility u, range=R or
                                      sensitivity=S[,monotonic=true]
  report-noisy-max:noise=N,...      gumbel, laplace or exponential noise; the
                                      keys of exponential, or scale=B for C=1/B
  permute-and-flip:...              the same keys, without noise
  sparse-vector:query-epsilon=B,    sparse vector technique (AboveThreshold) of
    threshold-epsilon=A               Lyu, Su, Li 2017, Algorithm 1; or
                                      query-scale=T,threshold-scale=S,
                                      positives=C,sensitivity=D
                                      [,monotonic=true]; its kind is
                                      interactive if none is given
  laplace:scale=B[,sensitivity=S]   Laplace noise; or laplace:epsilon=E
  gaussian:sigma=B[,sensitivity=S]  Gaussian noise; or variance=V for B^2,
                                      noise-multiplier=M for B/S, or
                                      epsilon=E,delta=D for the smallest sigma
                                      with that guarantee
  discrete-laplace:scale=B          the same on the integers, with
  discrete-gaussian:sigma=B           [,sensitivity=N] an integer; or
                                      variance=V, such as 10000/11
  tree-aggregation:steps=N,...      DP-FTRL: noise-multiplier=M and, for each
                                      person, participations=K
                                      [,separation=B,nodes=completed,
                                      restart-every=R]
  banded-matrix:steps=N,...         BandMF: the same keys but those of trees,
                                      and coefficients=C;C;... or bands=B
                                      [,column-norm=S]
  finite-pair:p=P;P;...,q=Q;Q;...   outcome probabilities under two neighbors
                                      [,direction=either|fixed]
  trade-off:points=A:B;A:B;...      f-DP: type II error at least B at type I
                                      error A, linear in between (points of a
                                      smooth curve promise more than the curve)
  zcdp:rho=R                        zero-concentrated DP
  rdp:alpha=A,epsilon=E             Renyi DP; or rdp:orders=A:E;A:E;...
  gdp:mu=M                          Gaussian DP
  randomized-response:epsilon=E,categories=K
                                    k-ary randomized response of one person
  rappor:f=F                        basic one-time RAPPOR; or rappor:epsilon=E
  shuffled-reports:local-epsilon=E,users=N
                                    shuffle model: N users send one locally
                                      private report each, shuffled
                                      [,categories=K for k-ary randomized
                                      response]; count=N rounds

Every type also takes:
  count=N                           number of such mechanisms (default: 1)
  label=TEXT                        a name for reports
  kind=KIND                         noninteractive (default), interactive or
                                      continual
  sampling=METHOD,rate=Q            subsampling: poisson, without-replacement
                                      (fixed size) or shuffled
    [,records=K]                        records of a person (poisson gaussian);
                                        rate=Q1;Q2;... if each has its own
  sampling=with-replacement,rate=1/N, B draws, each of any of the N records;
    draws=B                             gaussian, sensitivity of one draw
  sampling=random-allocation,         each record in 1 (or K) of T batches an
    batches=T[,selected=K]              epoch; count=N is the number of epochs
  neighbours=RELATION               add-remove or replace-one
  best-of=LAW                       private selection: a random number of runs
                                      of all that, of which only the best is
                                      released: 'poisson mean=20',
                                      'geometric mean=10', 'logarithmic
                                      gamma=0.01', 'negative-binomial shape=0.5
                                      gamma=0.02', 'binomial trials=40
                                      rate=0.5', 'fixed count=20'

Quote semicolons for the shell: -m 'finite-pair:p=0.9;0.1,q=0.1;0.9'.
A document can also hold groups, parallel instances, partitions and users: see
dpcompose plan --help. For names of mechanisms, their types and theorems, run
dpcompose theorems --mechanisms.
`;
