/** Equal mechanisms of one parameter. */
export interface GoldenGroup {
  readonly epsilon: string;
  readonly count: number;
}

/**
 * Values computed by independent code with 50 digits, of which 25 are kept; see fixtures/golden. `result` is null where no
 * epsilon is large enough.
 */
export interface Golden {
  readonly dpHomogeneousEpsilon: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly deltaEach: string;
    readonly delta: string;
    readonly result: string | null;
  }[];
  readonly dpHomogeneousDelta: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly deltaEach: string;
    readonly epsilonTotal: string;
    readonly result: string;
  }[];
  readonly dpHeterogeneous: readonly {
    readonly groups: readonly GoldenGroup[];
    readonly deltas: readonly string[];
    readonly epsilonTotal: string;
    readonly result: string;
    readonly epsilonAt1e6: string | null;
  }[];
  readonly brNonadaptiveDelta: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly epsilonTotal: string;
    readonly result: string;
  }[];
  readonly brNonadaptiveEpsilon: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly delta: string;
    readonly result: string;
  }[];
  readonly brClosedForms: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly delta: string;
    readonly optkl: string;
    readonly dr19: string;
    readonly drv: string;
    readonly kov: string;
  }[];
  readonly brMgfDelta: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly epsilonTotal: string;
    readonly result: string;
  }[];
  readonly brMgfEpsilon: readonly {
    readonly k: number;
    readonly epsilon: string;
    readonly delta: string;
    readonly result: string;
  }[];
  readonly brMgfHeterogeneousEpsilon: readonly {
    readonly groups: readonly GoldenGroup[];
    readonly delta: string;
    readonly result: string;
  }[];
}
