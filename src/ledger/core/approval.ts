/** Somebody whose approval counts, with their public key of Ed25519. */
export interface Approver {
  readonly name: string;
  /** The public key: SPKI in base 64. */
  readonly key: string;
}

/** How many of whom must have approved a launch. */
export interface ApprovalTerms {
  readonly required: number;
  readonly approvers: readonly Approver[];
}

/** The signature of a request. */
export interface Approval {
  /** The public key of the approver: SPKI in base 64. */
  readonly key: string;
  /** The Ed25519 signature in base 64. */
  readonly signature: string;
}
