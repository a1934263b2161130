import { failed, type Failed } from '../records/fault.ts';
import { LONGEST_LINE } from '../records/raw-line.ts';

/** The version of the tables below; each change of them is a step of `migrate`. */
export const SCHEMA_VERSION = 1;

/** The triggers that keep records as they are. */
const TRIGGERS = [
  'records_head',
  'records_stay',
  'records_all_stay',
  'ledgers_head',
  'ledgers_stay',
  'ledgers_all_stay',
] as const;

/** Selects the names of the triggers that are there and work. */
export const selectTriggers = (schema: string): string => `ARRAY(
  SELECT tgname::text FROM pg_trigger
  WHERE tgrelid IN ('${quoted(schema)}.records'::regclass, '${quoted(schema)}.ledgers'::regclass) AND tgenabled IN ('O', 'A')
)`;

/** Why nothing is to be recorded where only these triggers work; null where all do. */
export function triggersFault(triggers: readonly string[]): Failed | null {
  const missing = TRIGGERS.find((trigger) => !triggers.includes(trigger));
  if (missing === undefined) return null;
  return failed({ code: 'damaged-store', reason: `the trigger ${missing} is not there, or disabled` });
}

/** The name of a PostgreSQL schema, quoted; an {@link Address} has only letters, digits and underscores in it. */
export const quoted = (schema: string): string => `"${schema}"`;

/**
 * The tables of a store. `ledgers` has a row for each ledger, with the number and the hash of its last record: this row is locked
 * while a record is added. `records` has the lines; its other columns are read off them, `key` hashed, as a key may be long.
 *
 * The database itself sees to it that a line ends in its own hash, follows the last record of its ledger, and stays: whoever may
 * only insert cannot change, remove or go round a record.
 */
export const tables = (schema: string): string => {
  const s = quoted(schema);
  return `
CREATE TABLE ${s}.meta (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  id text NOT NULL DEFAULT gen_random_uuid()::text
);
INSERT INTO ${s}.meta (version) VALUES (${SCHEMA_VERSION});

CREATE TABLE ${s}.ledgers (
  name text COLLATE "C" PRIMARY KEY CHECK (octet_length(name) BETWEEN 1 AND 1024),
  id text NOT NULL,
  head_seq bigint NOT NULL DEFAULT -1,
  head_hash text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

CREATE TABLE ${s}.records (
  ledger text COLLATE "C" NOT NULL REFERENCES ${s}.ledgers (name),
  seq bigint NOT NULL,
  prev text NOT NULL,
  hash text NOT NULL,
  event text NOT NULL,
  key text,
  launched bigint,
  mechanism bigint,
  line text NOT NULL CHECK (octet_length(line) <= ${LONGEST_LINE}),
  PRIMARY KEY (ledger, seq),
  UNIQUE (ledger, prev),
  CONSTRAINT records_sealed CHECK (
    line = left(line, -75) || ',"hash":"' || hash || '"}'
    AND hash = encode(sha256(convert_to(left(line, -75), 'UTF8')), 'hex')
  ),
  CONSTRAINT records_placed CHECK (
    CASE WHEN seq = 0 THEN starts_with(line, '{"schema":') AND prev = ''
    ELSE seq > 0 AND starts_with(line, '{"seq":' || seq || ',')
      AND right(line, 149) = ',"prev":"' || prev || '","hash":"' || hash || '"}' END
  )
);
CREATE UNIQUE INDEX records_key ON ${s}.records (ledger, key) WHERE key IS NOT NULL;
CREATE INDEX records_launched ON ${s}.records (ledger, launched, seq);
CREATE INDEX records_close ON ${s}.records (ledger, mechanism) WHERE event = 'close';

CREATE FUNCTION ${s}.unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'what a ledger has recorded stays: % of % is not allowed', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION ${s}.head_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${s}.ledgers SET head_seq = NEW.seq, head_hash = NEW.hash
    WHERE name = NEW.ledger AND head_seq = NEW.seq - 1 AND head_hash = NEW.prev;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the record does not follow the last one of its ledger' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION ${s}.head_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.head_seq = -1 AND NEW.head_hash = '' THEN RETURN NEW; END IF;
  ELSIF NEW.name = OLD.name AND NEW.id = OLD.id AND EXISTS (
    SELECT FROM ${s}.records AS r
    WHERE r.ledger = NEW.name AND r.seq = OLD.head_seq + 1 AND r.seq = NEW.head_seq
      AND r.prev = OLD.head_hash AND r.hash = NEW.head_hash
  ) THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the head of a ledger is its last record' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER records_head AFTER INSERT ON ${s}.records FOR EACH ROW EXECUTE FUNCTION ${s}.head_moves();
CREATE TRIGGER records_stay BEFORE UPDATE OR DELETE ON ${s}.records FOR EACH ROW EXECUTE FUNCTION ${s}.unchanged();
CREATE TRIGGER records_all_stay BEFORE TRUNCATE ON ${s}.records FOR EACH STATEMENT EXECUTE FUNCTION ${s}.unchanged();
CREATE TRIGGER ledgers_head BEFORE INSERT OR UPDATE ON ${s}.ledgers FOR EACH ROW EXECUTE FUNCTION ${s}.head_is_there();
CREATE TRIGGER ledgers_stay BEFORE DELETE ON ${s}.ledgers FOR EACH ROW EXECUTE FUNCTION ${s}.unchanged();
CREATE TRIGGER ledgers_all_stay BEFORE TRUNCATE ON ${s}.ledgers FOR EACH STATEMENT EXECUTE FUNCTION ${s}.unchanged();

CREATE FUNCTION ${s}.home() RETURNS text LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
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
END $$;
`;
};
