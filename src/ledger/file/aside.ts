import { statSync } from 'node:fs';

/** The file in which bytes are kept that were taken from the end of a ledger, until a record has them. */
export const asidePath = (path: string): string => `${path}.aside`;

/** How many bytes are kept beside a ledger by somebody who was stopped before a record had them; 0 where none are. */
export const bytesAside = (path: string): number => statSync(asidePath(path), { throwIfNoEntry: false })?.size ?? 0;
