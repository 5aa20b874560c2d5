import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { startServer } from '#server';
import { asSuperuser } from './postgres.ts';
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

/** Makes both, and answers how to take them away. */
export async function seedForAll(project: TestProject, server: string): Promise<() => Promise<void>> {
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
  await Promise.all([seed(seeded.sqlite), seed(seeded.postgres, `${server}/${seeded.template}`)]);
  project.provide('seeded', seeded);
  return async () => {
    await asSuperuser(server, `DROP DATABASE ${seeded.template}`);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Puts the sample data of a database into an empty data directory; on PostgreSQL the database itself is copied by freshDatabase(). */
export async function copySeeded(database: 'sqlite' | 'postgres', dataDir: string): Promise<void> {
  await cp(inject('seeded')[database], dataDir, { recursive: true });
}
