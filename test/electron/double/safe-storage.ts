import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { app } from './app.ts';

const FLAG = 'double-keyring';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Electron's safeStorage with a keyring that a switch describes: `--double-keyring=backend/secret`, with `/locked` after it for a locked one.
 * Another secret stands for another keyring. Like Electron's, it also encrypts with `basic_text` if the caller does not check the backend.
 */
function keyring() {
  if (!app.isReady()) return { backend: 'unknown' as const, key: null };
  const [backend = '', secret = '', state] = (app.commandLine.getSwitchValue(FLAG) || 'gnome_libsecret/secret').split('/');
  return { backend, key: state === 'locked' ? null : scryptSync(secret, 'keyring', 32, { N: 2 }) };
}

function requireKey(): Buffer {
  const { key } = keyring();
  if (key === null) throw new Error('Encryption is not available.');
  return key;
}

export const safeStorage = {
  isAsyncEncryptionAvailable: async () => keyring().key !== null,
  getSelectedStorageBackend: () => keyring().backend,
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', requireKey(), iv);
    const body = Buffer.concat([cipher.update(plainText), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  },
  async decryptStringAsync(encrypted: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const decipher = createDecipheriv('aes-256-gcm', requireKey(), encrypted.subarray(0, IV_BYTES));
    decipher.setAuthTag(encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const result = Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
    return { shouldReEncrypt: false, result };
  },
};
