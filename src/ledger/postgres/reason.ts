/** An address of a database, which may have a password in it. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S*/gi;

/** The reason of a failure in one line, without an address that may stand in it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that a name stands for, none of which answered.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : null;
  if (first instanceof Error) return reasonOf(first);
  const code = 'code' in error ? String(error.code) : error.name;
  const [line = ''] = (error.message === '' ? code : error.message).split('\n');
  return line.replace(ADDRESS, 'the address');
}
