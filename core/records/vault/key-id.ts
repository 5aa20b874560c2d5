import { createHmac } from 'node:crypto';

/** Returns the ID of a master key, which identifies the key and reveals nothing about it. */
export function keyIdOf(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('paydesk/key-id').digest('hex').slice(0, 16);
}
