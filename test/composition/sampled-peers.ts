/** A row of the tests of another accountant: noise on Poisson samples, and the epsilon at a delta that they expect. */
export interface PeerRow {
  readonly noise: 'gaussian' | 'laplace';
  readonly scale: string;
  readonly rate: string;
  readonly steps: number;
  readonly epsilon: string;
  readonly delta: string;
  /** Which of the two is theirs. */
  readonly solveFor: 'epsilon' | 'delta';
  /** Of removals alone, of additions alone, or the larger. */
  readonly direction: 'remove' | 'add' | 'larger';
  /** Where theirs lies: at the truth, as far as they give digits, above it, or (an unsafe claim) below. */
  readonly theirs: 'alike' | 'above' | 'below';
}

type Row = readonly [
  scale: string,
  rate: string,
  steps: number,
  epsilon: string,
  delta: string,
  solveFor: PeerRow['solveFor'],
  direction: PeerRow['direction'],
  theirs: PeerRow['theirs'],
];

const rowsOf = (noise: PeerRow['noise'], rows: readonly Row[]): PeerRow[] =>
  rows.map(([scale, rate, steps, epsilon, delta, solveFor, direction, theirs]) => ({
    noise,
    scale,
    rate,
    steps,
    epsilon,
    delta,
    solveFor,
    direction,
    theirs,
  }));

/** What they print, by who prints it. */
export const PEERS: Readonly<Record<string, readonly PeerRow[]>> = {
  'Opacus, Renyi accountant': [
    ...rowsOf('gaussian', [
      ['1.5', '0.04', 2250, '7.32911117143', '1e-05', 'epsilon', 'larger', 'above'],
      ['1.416', '0.04', 2250, '8', '1e-05', 'epsilon', 'larger', 'above'],
      ['1.3562', '0.04', 2000, '8', '1e-05', 'epsilon', 'larger', 'above'],
    ]),
  ],
  'Opacus, central limit accountant': [
    ...rowsOf('gaussian', [
      ['1.5', '0.04', 2249, '6.595', '1e-05', 'epsilon', 'larger', 'below'],
      ['1.3232421875', '0.04', 2250, '8', '1e-05', 'epsilon', 'larger', 'below'],
    ]),
  ],
  'Opacus, PRV accountant': [
    ...rowsOf('gaussian', [
      ['1.5', '0.04', 2249, '6.777395712150674', '1e-05', 'epsilon', 'larger', 'above'],
      ['1.34765625', '0.04', 2250, '8', '1e-05', 'epsilon', 'larger', 'above'],
      ['1.2915', '0.04', 2000, '8', '1e-05', 'epsilon', 'larger', 'above'],
      ['0.8', '0.001', 100, '0.2704033640580187', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.001', 100, '0.03936941930952033', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.001', 100, '0.029104536948407488', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.001', 100, '0.021520093439088266', '1e-06', 'epsilon', 'larger', 'above'],
      ['0.8', '0.05', 100, '6.7410519394141', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.05', 100, '1.9538531356842002', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.05', 100, '1.2836373796240652', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.05', 100, '0.7679337896668256', '1e-06', 'epsilon', 'larger', 'above'],
      ['0.8', '0.2', 100, '24.333664177922564', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.2', 100, '8.49897785912163', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.2', 100, '5.6720556088237295', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.2', 100, '3.3812205102218442', '1e-06', 'epsilon', 'larger', 'above'],
      ['0.8', '0.001', 1000, '0.4777712661845226', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.001', 1000, '0.09982066023084749', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.001', 1000, '0.07121878253811523', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.001', 1000, '0.04761593087135893', '1e-06', 'epsilon', 'larger', 'above'],
      ['0.8', '0.05', 1000, '19.525842805383736', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.05', 1000, '6.209969246577267', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.05', 1000, '4.172799866689319', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.05', 1000, '2.5275743260597383', '1e-06', 'epsilon', 'larger', 'above'],
      ['0.8', '0.001', 20000, '1.2960092575701616', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.001', 20000, '0.4370051086548608', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.001', 20000, '0.30583793976245344', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.001', 20000, '0.1940310306860547', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.05', 20000, '38.306617914087234', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.05', 20000, '24.421718570322586', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.05', 20000, '13.961114699236706', '1e-06', 'epsilon', 'larger', 'above'],
      ['0.8', '0.001', 50000, '2.0345148077158663', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.001', 50000, '0.7042183845558101', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.001', 50000, '0.4913549102114013', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.001', 50000, '0.309694161156544', '1e-06', 'epsilon', 'larger', 'above'],
      ['1.5', '0.05', 50000, '73.19017672383296', '1e-06', 'epsilon', 'larger', 'above'],
      ['2.0', '0.05', 50000, '45.23699586133069', '1e-06', 'epsilon', 'larger', 'above'],
      ['3.0', '0.05', 50000, '24.942005643144476', '1e-06', 'epsilon', 'larger', 'above'],
    ]),
  ],
  'TF Privacy, Renyi accountant': [
    ...rowsOf('gaussian', [
      ['1.3', '150/60000', 6000, '0.7242234026109595', '1e-05', 'epsilon', 'larger', 'above'],
      ['1.0', '100/100000', 30000, '1.4154988495444842', '1e-07', 'epsilon', 'larger', 'above'],
      ['0.1', '1024/100000000', 976563, '5907982.3113984', '1e-07', 'epsilon', 'larger', 'above'],
      ['0.7', '0.01', 120, '3.2392676', '1e-05', 'epsilon', 'larger', 'above'],
      ['0.35', '0.01', 120, '22.6248601', '1e-05', 'epsilon', 'larger', 'above'],
      ['1.0', '64/10000', 782, '1.616', '1e-06', 'epsilon', 'larger', 'above'],
    ]),
  ],
  'TF Privacy, loss distributions': [
    ...rowsOf('gaussian', [
      ['0.7', '0.01', 120, '2.4612381', '1e-05', 'epsilon', 'larger', 'alike'],
      ['0.35', '0.01', 120, '18.6977407', '1e-05', 'epsilon', 'larger', 'alike'],
      ['1.0', '64/10000', 782, '1.199', '1e-06', 'epsilon', 'larger', 'above'],
    ]),
  ],
  'PLD-Accountant, Fourier accountant': [
    ...rowsOf('gaussian', [
      ['2.0', '0.01', 10000, '1.0', '0.010224911209191894', 'delta', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '1.0', '0.010224911126651472', 'delta', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '1.0', '0.010224761247217004', 'delta', 'remove', 'below'],
      ['2.0', '0.01', 100000, '1.0', '0.39205728853284305', 'delta', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '0.8', '0.022850339595771204', 'delta', 'remove', 'alike'],
      ['1.0', '0.01', 10000, '1.0', '0.2391763947364977', 'delta', 'remove', 'above'],
      ['2.0', '0.02', 10000, '1.0', '0.14991732969314892', 'delta', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '2.446734047007243', '1e-06', 'epsilon', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '2.446733916332568', '1e-06', 'epsilon', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '2.4467323179602007', '1e-06', 'epsilon', 'remove', 'alike'],
      ['2.0', '0.01', 100000, '8.984848512304165', '1e-06', 'epsilon', 'remove', 'alike'],
      ['2.0', '0.01', 10000, '2.162704603256141', '1e-05', 'epsilon', 'remove', 'alike'],
      ['1.0', '0.01', 10000, '6.907422808389587', '1e-06', 'epsilon', 'remove', 'alike'],
      ['1.0', '0.02', 10000, '15.64135722007042', '1e-06', 'epsilon', 'remove', 'below'],
    ]),
  ],
  'dp_accounting, loss distributions': [
    ...rowsOf('gaussian', [
      ['0.5', '0.2', 3, '1', '0.15594', 'delta', 'larger', 'above'],
      ['0.5', '0.2', 3, '1', '0.15594', 'epsilon', 'larger', 'above'],
      ['0.67379294682', '0.01', 1, '1', '1e-05', 'epsilon', 'larger', 'alike'],
      ['0.53492750433', '0.001', 25, '1', '1e-05', 'epsilon', 'larger', 'alike'],
      ['1.0', '0.8', 1, '1.0', '0.0231362104090899', 'delta', 'add', 'alike'],
      ['0.3333333333333333', '0.7', 1, '1.0', '0.1195051215523554', 'delta', 'add', 'alike'],
      ['1.0', '0.8', 1, '1.0', '0.0816951786585355', 'delta', 'remove', 'alike'],
      ['0.3333333333333333', '0.7', 1, '1.0', '0.5356298793262404', 'delta', 'remove', 'alike'],
      ['0.3333333333333333', '0.4', 1, '1.0', '0.2888308005139968', 'delta', 'remove', 'alike'],
      ['1.0', '0.3', 1, '2.0', '0.0003341102928869332', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.25', '0.2211992169285951', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.3', '0.27768558', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '-0.2', '0.21052945', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '-0.1', '0.14204776', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '0.0', '0.076584985', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '0.1', '0.02337934', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '0.2', '0.00020196', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '-0.3', '0.25918178', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.2', '0.1814346', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.1', '0.11631708', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.0', '0.076584985', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.1', '0.051816131', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.2', '0.035738492', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.5', '0.012494629', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '1.0', '0.00229682', 'delta', 'remove', 'alike'],
      ['1.0', '0.8', 1, '1.0', '0.02313621', 'epsilon', 'add', 'alike'],
      ['0.75', '0.7', 1, '1.0', '0.01080649', 'epsilon', 'add', 'alike'],
      ['1.0', '0.1', 1, '2.0', '2.355e-06', 'epsilon', 'remove', 'alike'],
      ['1.0', '0.75', 1, '2.0', '0.00877201', 'epsilon', 'remove', 'alike'],
      ['0.3', '0.3', 1, '16', '3.294e-05', 'epsilon', 'remove', 'alike'],
      ['0.2', '0.2', 1, '16', '0.02302382', 'epsilon', 'remove', 'alike'],
    ]),
    ...rowsOf('laplace', [
      ['0.5', '0.8', 1, '0.5', '0.3243606497234246', 'delta', 'add', 'alike'],
      ['1.0', '0.6', 1, '0.2', '0.1401134521354217', 'delta', 'add', 'alike'],
      ['1.0', '0.3', 1, '0.0', '0.1180408020862099', 'delta', 'add', 'alike'],
      ['0.5', '0.8', 1, '0.5', '0.4039564635032081', 'delta', 'remove', 'alike'],
      ['1.0', '0.6', 1, '0.2', '0.1741992102060086', 'delta', 'remove', 'alike'],
      ['1.0', '0.3', 1, '0.0', '0.1180408020862099', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.25', '0.2211992169285951', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.3', '0.2591817793', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '-0.2', '0.2008511573', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '-0.1', '0.1405456165', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '0.0', '0.07869386806', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '0.1', '0.01879989609', 'delta', 'add', 'alike'],
      ['1.0', '0.2', 1, '-0.3', '0.2591817793', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.2', '0.1812692469', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '-0.1', '0.1121734314', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.0', '0.07869386806', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.1', '0.05015600993', 'delta', 'remove', 'alike'],
      ['1.0', '0.2', 1, '0.2', '0.02391739939', 'delta', 'remove', 'alike'],
    ]),
  ],
};
