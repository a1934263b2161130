import { quoted } from './names.ts';

/** A function of a store, which takes no arguments. */
export interface ServerFunction {
  readonly name: string;
  readonly returns: 'trigger' | 'text';
  /** Whether it changes nothing, and does as its owner may and not as who calls it. */
  readonly isOwners: boolean;
  readonly body: string;
}

/** Where functions look for what they name without a schema: never where somebody else may have put something. */
export const SEARCH_PATH = 'pg_catalog, pg_temp';

const UNCHANGED = `
BEGIN
  RAISE EXCEPTION 'what a ledger has recorded stays: % of % is not allowed', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END `;

/**
 * Each record follows one that is there. The head moves to the last of those that one statement inserts: inside of a transaction the
 * server passes over every earlier state of a row to change it once more.
 */
const headMoves = (s: string): string => `
BEGIN
  IF NEW.seq = 0 OR EXISTS (
    SELECT FROM ${s}.records AS r WHERE r.ledger = NEW.ledger AND r.seq = NEW.seq - 1 AND r.hash = NEW.prev
  ) THEN
    IF EXISTS (SELECT FROM ${s}.records AS r WHERE r.ledger = NEW.ledger AND r.seq = NEW.seq + 1) THEN
      RETURN NULL;
    END IF;
    UPDATE ${s}.ledgers SET head_seq = NEW.seq, head_hash = NEW.hash WHERE name = NEW.ledger AND head_seq < NEW.seq;
  END IF;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the record does not follow the last one of its ledger' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END `;

const headIsThere = (s: string): string => `
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.head_seq = -1 AND NEW.head_hash = '' THEN RETURN NEW; END IF;
  ELSIF NEW.name = OLD.name AND NEW.id = OLD.id AND NEW.head_seq > OLD.head_seq AND EXISTS (
    SELECT FROM ${s}.records AS r
    WHERE r.ledger = NEW.name AND r.seq = OLD.head_seq + 1 AND r.prev = OLD.head_hash
  ) AND EXISTS (
    SELECT FROM ${s}.records AS r WHERE r.ledger = NEW.name AND r.seq = NEW.head_seq AND r.hash = NEW.head_hash
  ) THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the head of a ledger is its last record' USING ERRCODE = 'insufficient_privilege';
END `;

const home = (s: string): string => `
DECLARE
  place text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO place FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function THEN
    SELECT id INTO place FROM ${s}.meta;
  END;
  place := concat_ws(
    ':', place, (SELECT oid FROM pg_database WHERE datname = current_database()), '${s}.records'::regclass::oid
  );
  RETURN left(encode(sha256(convert_to(place, 'UTF8')), 'hex'), 16);
END `;

/** The functions of a store in a schema: what its triggers do, and `home`, which tells the place (see `Store.home`). */
export function functionsOf(schema: string): readonly ServerFunction[] {
  const s = quoted(schema);
  const triggered = { returns: 'trigger', isOwners: false } as const;
  return [
    { ...triggered, name: 'unchanged', body: UNCHANGED },
    { ...triggered, name: 'head_moves', body: headMoves(s) },
    { ...triggered, name: 'head_is_there', body: headIsThere(s) },
    { name: 'home', returns: 'text', isOwners: true, body: home(s) },
  ];
}
