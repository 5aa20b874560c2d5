import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { seedHistory, startServer } from '#server';
import { asSuperuser, freshDatabase } from './postgres.ts';
import { hashPasswordsCheaply, postponeDailyBackup, type SamplePlace, waitForComparisons } from './sample-upkeep.ts';
import { RECEIVER_CA_FILE } from './webhook-receiver.ts';

/** Sample data: `full` is the demo's three months of sales, `small` has the same tenants and users with `SMALL_PAYMENTS` payments of two days. */
export type SampleData = 'full' | 'small';

const SMALL_PAYMENTS = 80;

/** Sample data on both databases. */
interface Sample {
  /** A data directory on SQLite. */
  readonly sqlite: string;
  /** The data directory of a workstation on PostgreSQL, which holds the master key of the database. */
  readonly postgres: string;
  /** The name of the PostgreSQL database. No client connects to it, so that it can be copied. */
  readonly template: string;
}

/** The full sample data that test servers start with, and the small one, created once per run. */
export interface SampleDatabases extends Sample {
  readonly small: Sample;
}

const sampleOf = (data: SampleData): Sample => (data === 'small' ? inject('seeded').small : inject('seeded'));

/** Creates the sample data on both databases; `remove` deletes it. */
export async function prepareSampleData(
  server: string,
): Promise<{ readonly seeded: SampleDatabases; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-seeded-'));
  const makeSmall = (place: SamplePlace) => seedHistory(place, { transactions: SMALL_PAYMENTS, days: 2, seed: 1 });
  const prepare = async (place: SamplePlace, seed?: (place: SamplePlace) => Promise<unknown>) => {
    await seed?.(place);
    const running = await startServer({ ...place, port: 0, demo: true, logLevel: 'silent', webhookCa: RECEIVER_CA_FILE });
    await waitForComparisons(place).finally(() => running.close());
    await postponeDailyBackup(place);
    await hashPasswordsCheaply(place, running.credentials);
  };
  const preparePostgres = async ({ postgres: dataDir, template }: Sample, seed?: (place: SamplePlace) => Promise<unknown>) => {
    await asSuperuser(server, `CREATE DATABASE ${template}`);
    const databaseUrl = `${server}/${template}`;
    await prepare({ dataDir, databaseUrl }, seed);
    await updateStatistics(databaseUrl);
  };
  const sampleIn = (name: SampleData): Sample => ({
    sqlite: join(folder, name, 'sqlite'),
    postgres: join(folder, name, 'postgres'),
    template: `seeded_${name}_${randomBytes(6).toString('hex')}`,
  });
  const [full, small] = [sampleIn('full'), sampleIn('small')];
  await Promise.all([preparePostgres(full), preparePostgres(small, makeSmall)]);
  // Work on SQLite blocks this process. Beside it, a connection to PostgreSQL would take too long on a busy machine.
  await Promise.all([prepare({ dataDir: full.sqlite }), prepare({ dataDir: small.sqlite }, makeSmall)]);
  return {
    seeded: { ...full, small },
    async remove() {
      for (const { template } of [full, small]) await asSuperuser(server, `DROP DATABASE ${template}`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Updates the statistics that the query planner uses for the copies: no background process does it, see global-setup.ts. */
async function updateStatistics(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('ANALYZE').finally(() => client.end());
}

/** Returns the path of the master key of the PostgreSQL sample data. Tests may only read it. */
export const sampleKeyFile = (): string => join(inject('seeded').postgres, 'master.key');

/** Location of sample data for servers in their own processes. */
interface SampleInstallation {
  readonly dataDir: string;
  /** The address of the database; undefined for SQLite in the data directory. */
  readonly url: string | undefined;
  remove(): Promise<void>;
}

/** Creates a data directory with sample data, and for PostgreSQL a database. */
export async function createSampleInstallation(database: 'sqlite' | 'postgres', data: SampleData = 'full'): Promise<SampleInstallation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-place-'));
  await copySampleData(database, dataDir, data);
  const fresh = database === 'postgres' ? await freshDatabase(sampleTemplate(data)) : undefined;
  return {
    dataDir,
    url: fresh?.url,
    async remove() {
      await fresh?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Copies the data directory of sample data into an empty one; `freshDatabase(sampleTemplate(data))` copies the PostgreSQL database. */
export async function copySampleData(database: 'sqlite' | 'postgres', dataDir: string, data: SampleData = 'full'): Promise<void> {
  await cp(sampleOf(data)[database], dataDir, { recursive: true });
}

/** The name of the PostgreSQL database with sample data, for `freshDatabase`. */
export const sampleTemplate = (data: SampleData): string => sampleOf(data).template;
