// Makes the upgrade fixture of a version: small installations on both databases with a row in every table. See test/fixtures/upgrade/README.md.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASES } from '../test/support/database-kinds.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { FIXTURES } from '../test/support/upgrade-fixtures.ts';
import { buildInstallation } from './upgrade-fixture/build-installation.ts';

const VERSION = /^\d+\.\d+\.\d+$/;
/** A database that lives for one run needs no durability. */
const FLAGS_FOR_SPEED = ['-c', 'fsync=off', '-c', 'synchronous_commit=off'];

const [version = ''] = process.argv.slice(2);
if (!VERSION.test(version)) {
  console.error('Usage: npm run upgrade-fixture -- VERSION, such as 0.2.0');
  process.exit(2);
}
const folder = join(FIXTURES, version);
await mkdir(folder, { recursive: true });
const postgres = await startPostgres(FLAGS_FOR_SPEED);
try {
  for (const kind of DATABASES) {
    const startedAt = performance.now();
    const { archive, facts } = await buildInstallation(kind, version, postgres.createDatabase);
    await writeFile(join(folder, `${kind}.zip.br`), archive);
    await writeFile(join(folder, `${kind}.json`), `${JSON.stringify(facts, null, 2)}\n`);
    const [tables, seconds] = [Object.keys(facts.tables).length, Math.round((performance.now() - startedAt) / 1_000)];
    console.log(`${kind}: ${tables} tables with rows, ${Math.ceil(archive.length / 1_024)} KB, ${seconds} s`);
  }
} finally {
  await postgres.stop();
}
