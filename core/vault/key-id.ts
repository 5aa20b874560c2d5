import { createHmac } from 'node:crypto';

/** The name of a master key, by which it is recognised and from which nothing of it follows. */
export function keyIdOf(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('paydesk/key-id').digest('hex').slice(0, 16);
}
