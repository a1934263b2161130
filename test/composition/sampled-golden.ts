/** Epsilons of Gaussian noise on Poisson samples, by floating-point contours of two placements of labels that agree to these digits. */
export const SAMPLED: readonly {
  readonly sigma: string;
  readonly rate: string | readonly [string, string];
  readonly count: number;
  readonly delta: string;
  readonly remove: number;
  readonly add: number | null;
}[] = [
  { sigma: '4', rate: ['1', '3000'], count: 1000, delta: '1e-6', remove: 0.008160576710454, add: 0.007943273866531 },
  { sigma: '6', rate: '1e-4', count: 300, delta: '1e-6', remove: 0.0006836433519759, add: 0.0006660839420516 },
  { sigma: '2.47', rate: '0.000174', count: 33, delta: '1e-6', remove: 0.001151101437218, add: 0.000928224620492 },
  { sigma: '2.4', rate: '1e-4', count: 100, delta: '1e-6', remove: 0.001141301119102, add: 0.001003480994849 },
  { sigma: '0.5', rate: '1e-6', count: 50000, delta: '1e-6', remove: 0.0160622120426, add: 0.00367756021606 },
  { sigma: '0.5', rate: '1e-4', count: 100, delta: '1e-6', remove: 0.54037902039, add: 0.00657004377318 },
  { sigma: '1', rate: '0.01', count: 1000, delta: '1e-30', remove: 9.341895632705, add: 3.524376408351 },
  {
    sigma: '1.1',
    rate: ['256', '60000'],
    count: 3516,
    delta: '2.9387e-39',
    remove: 7.581820268807,
    add: 3.162031014189,
  },
  { sigma: '0.25', rate: '1e-8', count: 1_000_000, delta: '1e-9', remove: 9.738684928, add: 0.00443748607482 },
  { sigma: '3900', rate: '1e-9', count: 2, delta: '1e-14', remove: 5.536596637723e-13, add: null },
  { sigma: '4', rate: '0.00033', count: 10000, delta: '1.13e-18', remove: 0.06718544584, add: null },
];
