import { ServiceError } from '#core/kernel';
import { openRecoveryFile } from '#core/records/vault';

const KEY_FILE = /^[0-9a-f]{64}$/i;

/**
 * Parses a master key: the text of a key file, or of a recovery file with its passphrase. @throws ServiceError VALIDATION_ERROR on
 * `key` or `passphrase`.
 */
export async function givenKey(text: string, passphrase: string | undefined): Promise<Buffer> {
  const plain = text.trim();
  if (KEY_FILE.test(plain)) return Buffer.from(plain, 'hex');
  if (!plain.startsWith('{')) {
    throw new ServiceError('VALIDATION_ERROR', 'This is neither a key file (64 hexadecimal digits) nor a recovery file.', { field: 'key' });
  }
  if (passphrase === undefined || passphrase === '')
    throw new ServiceError('REQUIRED_FIELD_MISSING', 'A recovery file requires its passphrase or code.', { field: 'passphrase' });
  return openRecoveryFile(Buffer.from(plain), passphrase).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.field !== 'recoveryFile') throw error;
    throw new ServiceError(error.code, error.message, { field: 'key', cause: error });
  });
}
