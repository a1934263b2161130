/** The shells for which there is a script that completes command lines. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** A shell for which there is such a script. */
export type Shell = (typeof SHELLS)[number];

export const isShell = (name: string): name is Shell => (SHELLS as readonly string[]).includes(name);
