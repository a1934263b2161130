/** What is known of a precondition: said to hold, taken to hold because nothing is said, or said not to hold. */
export type Standing = 'stated' | 'assumed' | 'denied';

/** What theorems on interactive and continual mechanisms take for granted. */
export interface Setting {
  /** Every answer has countably many possible values (answers are rounded). */
  readonly discrete: Standing;
  /** Guarantees hold against adversaries who choose each message after seeing the answers so far. */
  readonly adaptiveAdversary: Standing;
  /** Whatever is a neighbouring pair is one the other way round too. */
  readonly symmetric: Standing;
  /** Finitely many possible messages and answers, and an end after finitely many. Never assumed. */
  readonly finiteCommunication: Exclude<Standing, 'assumed'>;
}

/** Where nothing is said. */
export const USUAL_SETTING: Setting = {
  discrete: 'assumed',
  adaptiveAdversary: 'assumed',
  symmetric: 'assumed',
  finiteCommunication: 'denied',
};

/** Whether nothing is said that a list of mechanisms would not be composed with anyway. */
export const isUsual = ({ discrete, adaptiveAdversary, finiteCommunication }: Setting): boolean =>
  discrete !== 'denied' && adaptiveAdversary !== 'denied' && finiteCommunication === 'denied';
