import { randomBytes } from 'node:crypto';

/**
 * 128 random bits, in hexadecimal digits: every record has its own, so that two writers who know nothing of each other
 * never write the same record, and a merge of their ledgers shows both.
 */
export const newNonce = (): string => randomBytes(16).toString('hex');
