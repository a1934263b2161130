/** The exit codes. A process stopped by Ctrl-C ends with 130, which the system sees to. */
export const EXIT = {
  done: 0,
  no: 1,
  usage: 2,
  refused: 3,
  conflict: 4,
  internal: 70,
  output: 74,
} as const;
