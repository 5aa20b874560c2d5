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
