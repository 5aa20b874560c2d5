import { join } from 'node:path';
import { lockOf, openRecoveryFile, WrongKey } from '#core/vault';
import { databaseUrlOf, openDataDirectory, type ServerOptions } from '../compose.ts';

/**
 * Writes the key of a recovery file to the location where the server looks for it. Returns that location. @throws with an explanation if
 * the file cannot be opened, if its key does not belong to the database, or if the data directory is in use; nothing is changed then.
 */
export async function recoverKey(options: ServerOptions, recoveryFile: Buffer, passphrase: string): Promise<string> {
  const { keyStore, release } = await openDataDirectory(options);
  try {
    const masterKey = await openRecoveryFile(recoveryFile, passphrase);
    const url = await databaseUrlOf(options);
    const lock = await lockOf(url ? { url } : { file: join(options.dataDir, 'paydesk.sqlite') });
    if (lock && !lock.opensWith(masterKey)) throw new WrongKey('the recovery file');
    await keyStore.keepOnly(masterKey);
    return keyStore.place;
  } finally {
    release();
  }
}
