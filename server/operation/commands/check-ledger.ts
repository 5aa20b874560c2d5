import { checkIntegrity, countTransfers, type Difference } from '#core/books/reporting';
import { openSnapshot, type Snapshot } from '#core/database';
import { Integrity } from '#core/database/integrity';
import { filesIn } from '#core/records/backup';
import { databaseUrlOf } from '#server/operation/config';
import { keyStoreOf, type ServerOptions } from '../compose.ts';
import { checkExists, checkNotLost } from '../installation-parts.ts';

type Location = Partial<Pick<ServerOptions, 'dataDir' | 'databaseUrl'>>;

interface LedgerCheck {
  /** Number of movements that were summed. */
  readonly transfers: number;
  /** Differences between the ledger and the records, limited per comparison. */
  readonly differences: readonly Difference[];
}

/**
 * Sums the ledger and compares it with every record of money. It only reads, also while the server is running. `dataDir` may be absent if the
 * address of a database is given. @throws Error if there is no database.
 */
export async function checkLedger(location: Location): Promise<LedgerCheck> {
  const snapshot = await open(location);
  try {
    return { transfers: await countTransfers(snapshot), differences: await checkIntegrity(snapshot) };
  } finally {
    await snapshot.close();
  }
}

/** Opens the database of the address, or the one that the data directory contains or refers to. */
async function open({ dataDir = '', databaseUrl }: Location): Promise<Snapshot> {
  const url = await databaseUrlOf({ dataDir, databaseUrl });
  if (url !== undefined) return openSnapshot({ url });
  await checkNotLost({ dataDir, url, integrity: new Integrity() }, keyStoreOf({ dataDir }));
  checkExists(dataDir);
  return openSnapshot({ file: filesIn(dataDir).service });
}
