/** The name of a PostgreSQL schema, quoted; an {@link Address} has only letters, digits and underscores in it. */
export const quoted = (schema: string): string => `"${schema}"`;

/** The tables of a store. */
export const TABLES = ['meta', 'ledgers', 'records'] as const;
