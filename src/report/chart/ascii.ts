const NAMES: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  λ: 'lambda',
  μ: 'mu',
  ρ: 'rho',
  σ: 'sigma',
};

/** A text with the symbols of formulas spelled out, for where they cannot be shown; other text of users stays as it is. */
export const spelled = (text: string): string => text.replace(/[αβγδελμρσ]/g, (symbol) => NAMES[symbol] ?? symbol);
