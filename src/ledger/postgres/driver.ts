import { failed, type Failed } from '../records/fault.ts';
import { reasonOf } from './reason.ts';

/** The result of a statement. */
export interface Result<Row> {
  readonly command: string;
  readonly rows: readonly Row[];
}

/** A warning of the server; `routine`: the function of the server that it comes from. */
export interface Notice {
  readonly message?: string | undefined;
  readonly routine?: string | undefined;
}

/** A connection as `pg` has it, as far as it is used. */
export interface Client {
  connect(): Promise<unknown>;
  query(text: string, values?: unknown[]): Promise<unknown>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'notice', listener: (notice: Notice) => void): unknown;
  readonly connection: { readonly stream: { destroy(error?: Error): unknown } };
}

/** What a connection is made with. */
export interface ClientOptions {
  readonly user: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly password: (login: {
    readonly host: string;
    readonly port: number;
    readonly database: string | undefined;
    readonly user: string | undefined;
  }) => Promise<string>;
  readonly ssl: boolean | object | undefined;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly keepAliveInitialDelayMillis: number;
  readonly fallback_application_name: string;
}

/** The package `pg`, as far as it is used. */
export interface Driver {
  readonly kind: 'driver';
  readonly connection: (options: ClientOptions) => Client;
}

const load = async (): Promise<unknown> => import('pg');

/** The package `pg`, which is there only where somebody has installed it beside this one. */
export async function loadDriver(imported: () => Promise<unknown> = load): Promise<Driver | Failed> {
  let found;
  try {
    found = (await imported()) as { readonly default: { readonly Client: new (options: ClientOptions) => Client } };
  } catch (error) {
    return failed({ code: 'no-driver', package: 'pg', reason: reasonOf(error) });
  }
  const { Client } = found.default;
  return {
    kind: 'driver',
    connection: (options) => new Client(options),
  };
}
