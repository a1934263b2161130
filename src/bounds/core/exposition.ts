import type { Mechanism } from '../../privacy/mechanism.ts';

/** Every work that theorems are taken from. */
export const LITERATURE = {
  'balle-bell-gascon-nissim-2019':
    'B. Balle, J. Bell, A. Gascon, K. Nissim, "The Privacy Blanket of the Shuffle Model", CRYPTO 2019, arXiv:1903.02837',
  'balle-wang-2018':
    'B. Balle, Y.-X. Wang, "Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising", ICML 2018, arXiv:1805.06530',
  'bun-steinke-2016':
    'M. Bun, T. Steinke, "Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds", TCC 2016-B, arXiv:1605.02065',
  'canonne-kamath-steinke-2020':
    'C. Canonne, G. Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020, arXiv:2004.00010',
  'cesar-rogers-2021':
    'M. Cesar, R. Rogers, "Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for Data Analytics", ALT 2021, arXiv:2004.07223',
  'dong-durfee-rogers-2020':
    'J. Dong, D. Durfee, R. Rogers, "Optimal Differential Privacy Composition for Exponential Mechanisms", ICML 2020, arXiv:1909.13830',
  'dong-roth-su-2022':
    'J. Dong, A. Roth, W. Su, "Gaussian Differential Privacy", Journal of the Royal Statistical Society B 84, 2022, arXiv:1905.02383',
  'doroshenko-2022':
    'V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar, P. Manurangsi, "Connect the Dots: Tighter Discrete Approximations of Privacy Loss Distributions", PoPETs 2022, arXiv:2207.04380',
  'durfee-rogers-2019':
    'D. Durfee, R. Rogers, "Practical Differentially Private Top-k Selection with Pay-what-you-get Composition", NeurIPS 2019, arXiv:1905.04273',
  'dwork-2006':
    'C. Dwork, K. Kenthapadi, F. McSherry, I. Mironov, M. Naor, "Our Data, Ourselves: Privacy Via Distributed Noise Generation", EUROCRYPT 2006',
  'dwork-rothblum-vadhan-2010': 'C. Dwork, G. Rothblum, S. Vadhan, "Boosting and Differential Privacy", FOCS 2010',
  'feldman-mcmillan-talwar-2022':
    'V. Feldman, A. McMillan, K. Talwar, "Stronger Privacy Amplification by Shuffling for Renyi and Approximate Differential Privacy", 2022, arXiv:2208.04591, with its erratum',
  'feldman-zrnic-2021':
    'V. Feldman, T. Zrnic, "Individual Privacy Accounting via a Renyi Filter", NeurIPS 2021, arXiv:2008.11193',
  'haney-2023':
    'S. Haney, M. Shoemate, G. Tian, S. Vadhan, A. Vyrros, V. Xu, W. Zhang, "Concurrent Composition for Interactive Differential Privacy with Adaptive Privacy-Loss Parameters", CCS 2023, arXiv:2309.05901',
  'henzinger-safavi-vadhan-2025':
    'M. Henzinger, R. Safavi, S. Vadhan, "Concurrent Composition for Differentially Private Continual Mechanisms", 2025',
  'kairouz-oh-viswanath-2015':
    'P. Kairouz, S. Oh, P. Viswanath, "The Composition Theorem for Differential Privacy", ICML 2015, arXiv:1311.0776',
  'koskela-jalko-honkela-2020':
    'A. Koskela, J. Jalko, A. Honkela, "Computing Tight Differential Privacy Guarantees Using FFT", AISTATS 2020, arXiv:1906.03049',
  'koskela-redberg-wang-2024':
    'A. Koskela, R. Redberg, Y.-X. Wang, "Privacy Profiles for Private Selection", ICML 2024, arXiv:2402.06701',
  'liu-talwar-2019': 'J. Liu, K. Talwar, "Private Selection from Private Candidates", STOC 2019, arXiv:1811.07971',
  'mcsherry-2009':
    'F. McSherry, "Privacy Integrated Queries: An Extensible Platform for Privacy-Preserving Data Analysis", SIGMOD 2009',
  'mironov-2017': 'I. Mironov, "Renyi Differential Privacy", CSF 2017, arXiv:1702.07476',
  'murtagh-vadhan-2016':
    'J. Murtagh, S. Vadhan, "The Complexity of Computing the Optimal Composition of Differential Privacy", TCC 2016-A, arXiv:1507.03113',
  'papernot-steinke-2022':
    'N. Papernot, T. Steinke, "Hyperparameter Tuning with Renyi Differential Privacy", ICLR 2022, arXiv:2110.03620',
  'rogers-roth-ullman-vadhan-2016':
    'R. Rogers, A. Roth, J. Ullman, S. Vadhan, "Privacy Odometers and Filters: Pay-as-you-Go Composition", NeurIPS 2016, arXiv:1605.08294',
  'smith-thakurta-2022':
    'A. Smith, A. Thakurta, "Fully Adaptive Composition for Gaussian Differential Privacy", 2022, arXiv:2210.17520',
  'sommer-meiser-mohammadi-2019':
    'D. Sommer, S. Meiser, E. Mohammadi, "Privacy Loss Classes: The Central Limit Theorem in Differential Privacy", PoPETs 2019',
  'whitehouse-2023':
    'J. Whitehouse, A. Ramdas, R. Rogers, Z. S. Wu, "Fully-Adaptive Composition in Differential Privacy", ICML 2023, arXiv:2203.05481',
  'zhu-dong-wang-2022':
    'Y. Zhu, J. Dong, Y.-X. Wang, "Optimal Accounting of Differential Privacy via Characteristic Function", AISTATS 2022, arXiv:2106.08567',
} as const;

/** A work that a theorem is taken from. */
type Work = keyof typeof LITERATURE;

/** The statement of a theorem, for a person who wants to know on what a number rests. */
export interface Exposition {
  /** In one or two sentences. */
  readonly statement: string;
  /** In plain text, line by line; e, d: epsilon and delta of the whole, e_i, d_i: of the mechanisms. */
  readonly formula: readonly string[];
  /** Where the program departs from what is printed, and why; empty where it does not. */
  readonly departures: readonly string[];
  /** Keys of works in the literature. */
  readonly works: readonly Work[];
}

/** The compositions for which a bound holds. */
export interface Coverage {
  /** Mechanisms of these types, alone or together. */
  readonly types: readonly Mechanism['type'][];
  /** Types that may stand beside them, and mean nothing to the bound alone. */
  readonly beside?: readonly Mechanism['type'][];
  /** Whether some of `types` must stand with some of `beside`. */
  readonly together?: true;
  /** Those of the types that must be noninteractive; others may be interactive and continual. */
  readonly noninteractive: readonly Mechanism['type'][];
  readonly adaptivity: 'any' | 'adaptive' | 'nonadaptive';
  /** Further conditions. */
  readonly conditions: readonly string[];
}

/** The statement of a bound, and the compositions for which it holds. */
export interface BoundExposition extends Exposition {
  /** Its slack, in words that follow "it gives away:". */
  readonly slack: string;
  readonly coverage: Coverage;
}
