import { Integrity } from '#core/database/integrity';
import { filesIn } from '#core/records/backup';
import { lockOf, openRecoveryFile, WrongKey } from '#core/records/vault';
import { databaseUrlOf } from '#server/operation/config';
import { inDataDirectory, type ServerOptions } from '../compose.ts';
import { checkNotLost } from '../installation-parts.ts';

/**
 * Writes the key of a recovery file to the location where the server looks for it. Returns that location. @throws with an explanation if
 * the file cannot be opened, if its key does not belong to the database, or if the data directory is in use; nothing is changed then.
 */
export async function recoverKey(options: ServerOptions, recoveryFile: Buffer, passphrase: string): Promise<string> {
  const masterKey = await openRecoveryFile(recoveryFile, passphrase);
  return inDataDirectory(options, async (keyStore) => {
    const url = await databaseUrlOf(options);
    await checkNotLost({ dataDir: options.dataDir, url, integrity: new Integrity() }, keyStore);
    const lock = await lockOf(url ? { url } : { file: filesIn(options.dataDir).service });
    if (lock && !lock.opensWith(masterKey)) throw new WrongKey('the recovery file');
    await keyStore.keepOnly(masterKey);
    return keyStore.place;
  });
}
