import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPasswordsCheaply, postponeDailyBackup, waitForComparisons } from '../support/sample-upkeep.ts';
import { SEEDED_DATA, startService } from './demo-server.ts';

/** Generates the sample data once for all workers. Returns the function that removes it after the run. */
export default async function prepareSampleData(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-e2e-seeded-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const { ready, stop } = await startService(dataDir);
    await waitForComparisons({ dataDir }).finally(stop);
    await postponeDailyBackup({ dataDir });
    await hashPasswordsCheaply({ dataDir }, ready.credentials);
  } catch (error) {
    await remove();
    throw error;
  }
  process.env[SEEDED_DATA] = dataDir;
  return remove;
}
