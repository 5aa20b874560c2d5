import { join } from 'node:path';
import { lockOf, openRecoveryFile, WrongKey } from '#core/vault';
import { databaseUrlOf, openDataDirectory, type ServerOptions } from '../compose.ts';

/**
 * Puts the key of a recovery file where the server looks for it. Throws in words when the file does not open, when its key is not the
 * database's, and when the data directory is in use: nothing is changed then. Answers where the key was put.
 */
export async function recoverKey(options: ServerOptions, recoveryFile: Buffer, passphrase: string): Promise<string> {
  const { keyStore, release } = await openDataDirectory(options);
  try {
    const masterKey = await openRecoveryFile(recoveryFile, passphrase);
    const url = await databaseUrlOf(options);
    const lock = await lockOf(url ? { url } : { file: join(options.dataDir, 'paydesk.sqlite') });
    if (lock && !lock.opensWith(masterKey)) throw new WrongKey('the recovery file');
    await keyStore.settle(masterKey);
    return keyStore.place;
  } finally {
    release();
  }
}
