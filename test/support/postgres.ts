import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/**
 * Copies a database as files, which takes half of the time of a copy through the log. It needs a checkpoint, which is cheap without durability:
 * on the server of the run only.
 */
const STRATEGY = process.env.PAYDESK_TEST_POSTGRES_URL === undefined ? ' STRATEGY FILE_COPY' : '';

/** A database of its own on the PostgreSQL server of the run. */
export interface FreshDatabase extends AsyncDisposable {
  /** `postgres://…/<name>` */
  readonly url: string;
  readonly name: string;
  /** Removes the database and disconnects its clients. */
  drop(): Promise<void>;
}

/** Creates a database with a unique name: empty, or a copy of another one without connections. */
export async function freshDatabase(template?: string): Promise<FreshDatabase> {
  const server = inject('postgresUrl');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asSuperuser(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}${STRATEGY}`}`);
  const drop = () => asSuperuser(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: `${server}/${name}`, name, drop, [Symbol.asyncDispose]: drop };
}

/** Runs a statement outside of any database. */
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
 * Expires the leases of a killed server and the waiting times of its payments, after which other servers continue its work. The tests of
 * workstations wait instead.
 */
export async function expireLeasesOfKilledServers(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'lease_ms' AND table_schema = current_schema()",
    );
    for (const { name } of rows) await client.query(`UPDATE ${name} SET lease_ms = 0 WHERE lease_ms > 0`);
    await client.query("UPDATE attempts SET due_ms = 0 WHERE state = 'sending' AND due_ms IS NOT NULL");
    await client.query("UPDATE invoice_payments SET due_ms = 0 WHERE status = 'pending' AND due_ms IS NOT NULL");
  } finally {
    await client.end();
  }
}
