import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { app } from './app.ts';

const FLAG = 'double-keyring';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Electron's safeStorage over a keyring that a flag describes: `--double-keyring=backend/secret`, with `/locked` behind it for one that gives
 * nothing out. Another secret is another keyring. As Electron's, it encrypts by `basic_text` too, for whoever does not look.
 */
function keyring() {
  if (!app.isReady()) return { backend: 'unknown' as const, key: null };
  const [backend = '', secret = '', state] = (app.commandLine.getSwitchValue(FLAG) || 'gnome_libsecret/secret').split('/');
  return { backend, key: state === 'locked' ? null : scryptSync(secret, 'keyring', 32, { N: 2 }) };
}

function open(): Buffer {
  const { key } = keyring();
  if (key === null) throw new Error('Encryption is not available.');
  return key;
}

export const safeStorage = {
  isAsyncEncryptionAvailable: async () => keyring().key !== null,
  getSelectedStorageBackend: () => keyring().backend,
  async encryptStringAsync(plainText: string): Promise<Buffer> {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', open(), iv);
    const body = Buffer.concat([cipher.update(plainText), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  },
  async decryptStringAsync(encrypted: Buffer): Promise<{ shouldReEncrypt: boolean; result: string }> {
    const decipher = createDecipheriv('aes-256-gcm', open(), encrypted.subarray(0, IV_BYTES));
    decipher.setAuthTag(encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const result = Buffer.concat([decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
    return { shouldReEncrypt: false, result };
  },
};
