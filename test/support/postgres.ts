import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

/** A database of its own in the run's PostgreSQL server. */
export interface FreshDatabase extends AsyncDisposable {
  /** `postgres://…/<name>`, empty: no table in it. */
  readonly url: string;
  readonly name: string;
  /** Removes it, cutting what is still connected. */
  drop(): Promise<void>;
}

/** Makes an empty database with a name that no other test file has. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = inject('postgresUrl');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asSuperuser(server, `CREATE DATABASE ${name}`);
  const drop = () => asSuperuser(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  return { url: `${server}/${name}`, name, drop, [Symbol.asyncDispose]: drop };
}

async function asSuperuser(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
