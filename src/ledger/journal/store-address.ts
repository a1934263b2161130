/**
 * Whether two addresses are of one store: they are the same but for the user of a database, who is of the one who connects and not of
 * the store.
 */
export const isSameStore = (a: string, b: string): boolean => withoutUser(a) === withoutUser(b);

const withoutUser = (address: string): string => address.replace(/^(postgres(?:ql)?:\/\/)[^@/]*@/, '$1');
