import type { KeyObject } from 'node:crypto';
import type { Read } from '#core/database';
import type { Dependencies } from './dependencies.ts';
import { deriveKey, open, seal } from './sealing.ts';

/** Encryption of texts with the key of one owner. */
export interface Box {
  seal(purpose: string, text: string): string;
  open(purpose: string, sealed: string): string;
}

/**
 * Encrypts a secret other than a card, such as that of a webhook, for its tenant and purpose. A text of another tenant or purpose cannot
 * be decrypted in its place.
 */
export const sealText = async (deps: Dependencies, tenantId: string, purpose: string, text: string): Promise<string> =>
  seal(await deps.keys.forTexts(tenantId), `${tenantId}|${purpose}`, text);

export const openText = async (deps: Dependencies, tenantId: string, purpose: string, sealed: string): Promise<string> =>
  open(await deps.keys.forTexts(tenantId), `${tenantId}|${purpose}`, sealed).toString();

/** Returns a key for keyed hashes of a tenant's texts with one purpose. It derives from a key that rotations keep. */
export const hashKey = async (deps: Dependencies, tenantId: string, purpose: string): Promise<KeyObject> =>
  deriveKey((await deps.keys.forTexts(tenantId)).export(), `hashes/${purpose}`);

/**
 * Returns functions that encrypt and decrypt texts with an owner's key, so that they are destroyed with the owner. A text is bound to its purpose.
 * Null if the owner does not exist any more.
 */
export async function boxOf(deps: Dependencies, read: Read, tenantId: string, owner: string): Promise<Box | null> {
  const key = await deps.ownerKeys.keyOf(read, tenantId, owner);
  if (key === null) return null;
  const contextOf = (purpose: string) => `${tenantId}|${owner}|${purpose}`;
  return {
    seal: (purpose, text) => seal(key, contextOf(purpose), text),
    open: (purpose, sealed) => open(key, contextOf(purpose), sealed).toString(),
  };
}
