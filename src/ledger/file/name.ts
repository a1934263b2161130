import { resolve, sep } from 'node:path';
import { failed, type Failed, type Unnamed } from '../records/fault.ts';

/** Why a ledger of a folder that is a store cannot have this name, which has to lead to a file in that folder; null where it can. */
export function outsideFault(folder: string, name: string): Failed<Unnamed> | null {
  const isInside = name !== '' && resolve(folder, name).startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
  return isInside
    ? null
    : { ...failed({ code: 'bad-name', reason: 'it leads out of the folder of the store' }), ledger: name };
}
