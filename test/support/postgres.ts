import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** A database of its own in the run's PostgreSQL server. */
export interface FreshDatabase extends AsyncDisposable {
  /** `postgres://…/<name>` */
  readonly url: string;
  readonly name: string;
  /** Removes it, cutting what is still connected. */
  drop(): Promise<void>;
}

/** Makes a database with a name that no other test file has: empty, or a copy of another that nobody is connected to. */
export async function freshDatabase(template?: string): Promise<FreshDatabase> {
  const server = inject('postgresUrl');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asSuperuser(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`);
  const drop = () => asSuperuser(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: `${server}/${name}`, name, drop, [Symbol.asyncDispose]: drop };
}

/** Runs a statement that belongs to no database. */
export async function asSuperuser(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Lets the time pass after which other servers take over what a killed one had in hand: its leases, and the payments whose answer it waited for. The tests of
 * stations wait that time out.
 */
export async function timeOutKilled(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'lease_ms' AND table_schema = current_schema()",
    );
    for (const { name } of rows) await client.query(`UPDATE ${name} SET lease_ms = 0 WHERE lease_ms > 0`);
    await client.query("UPDATE attempts SET due_ms = 0 WHERE state = 'sending' AND due_ms IS NOT NULL");
  } finally {
    await client.end();
  }
}
