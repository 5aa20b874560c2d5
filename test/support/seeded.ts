import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { startServer } from '#server';
import { asSuperuser, freshDatabase } from './postgres.ts';
import { RECEIVER_CA_FILE } from './receiver.ts';

/** What every server of a test begins from: the demo's tenants and sample sales, made once for a whole run. */
export interface Seeded {
  /** A data directory on SQLite. */
  readonly sqlite: string;
  /** The data directory of a station on PostgreSQL: its key, which the database hangs on. */
  readonly postgres: string;
  /** The name of that database. Nobody is ever connected to it: it is copied whole. */
  readonly template: string;
}

/** Makes the sample data on both databases; `forget` removes it. */
export async function seedForAll(server: string): Promise<{ readonly seeded: Seeded; readonly forget: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-seeded-'));
  const seeded: Seeded = {
    sqlite: join(folder, 'sqlite'),
    postgres: join(folder, 'postgres'),
    template: `seeded_${randomBytes(6).toString('hex')}`,
  };
  await asSuperuser(server, `CREATE DATABASE ${seeded.template}`);
  const seed = async (dataDir: string, databaseUrl?: string) => {
    const running = await startServer({ dataDir, databaseUrl, port: 0, demo: true, logLevel: 'silent', webhookCa: RECEIVER_CA_FILE });
    await running.close();
  };
  const template = `${server}/${seeded.template}`;
  await Promise.all([seed(seeded.sqlite), seed(seeded.postgres, template).then(() => takeStatistics(template))]);
  return {
    seeded,
    async forget() {
      await asSuperuser(server, `DROP DATABASE ${seeded.template}`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the copies' plans go by: nothing takes it in the background, see global-setup.ts. */
async function takeStatistics(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('ANALYZE').finally(() => client.end());
}

/** The file of the key that copies of the PostgreSQL sample data hang on. Only to be read. */
export const seededKeyFile = (): string => join(inject('seeded').postgres, 'master.key');

/** Where servers in processes of their own find the sample data already made. */
export interface SeededPlace {
  readonly dataDir: string;
  /** The address of the database; undefined for SQLite in the data directory. */
  readonly url: string | undefined;
  remove(): Promise<void>;
}

/** Makes a data directory with the sample data, and for PostgreSQL a database of its own. */
export async function seededPlace(database: 'sqlite' | 'postgres'): Promise<SeededPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-place-'));
  await copySeeded(database, dataDir);
  const fresh = database === 'postgres' ? await freshDatabase(inject('seeded').template) : undefined;
  return {
    dataDir,
    url: fresh?.url,
    async remove() {
      await fresh?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Puts the sample data of a database into an empty data directory; on PostgreSQL the database itself is copied by freshDatabase(). */
export async function copySeeded(database: 'sqlite' | 'postgres', dataDir: string): Promise<void> {
  await cp(inject('seeded')[database], dataDir, { recursive: true });
}
