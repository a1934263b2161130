/** Where a record without its end at the end of a ledger may come from, as a clause that ends its sentence. */
export const UNENDED =
  'a write was cut short, and nobody was told of it, or the end of the file was removed; check with "ledger verify FILE --contains HASH"';
