import { bind } from '#core/kernel';
import { type CardInput, checkBankAccount, checkCard, checkCvv } from './checks.ts';
import { DataKeys } from './data-keys.ts';
import type { Dependencies, VaultDependencies } from './dependencies.ts';
import {
  destroyEntries,
  destroyOwner,
  fingerprintOf,
  hasToken,
  insertOwner,
  insertSource,
  lockOwner,
  sealSource,
  writeSource,
} from './entries.ts';
import { OwnerKeys } from './owner-keys.ts';
import { finishRotation, renewDataKey, rotateDataKey, rotateMasterKey } from './rotation.ts';
import { DATA_KEYS, MASTER_KEYS, OWNER_KEYS, VAULT } from './schema.ts';
import { boxOf, hashKey, openText, sealText } from './texts.ts';
import { assignToOwner, describeToken, merchantOf, openToken, openTokenFor, tokenizeCard } from './tokens.ts';

export { type BankAccountInput, brandOfDigits, type CardInput } from './checks.ts';
export type { SealedSource } from './entries.ts';
export { keyIdOf } from './key-id.ts';
export { createKeyManagement, type KeyManagement } from './key-management.ts';
export { installationKeyOf, KeyRing } from './key-ring.ts';
export { DESKTOP_KEY_FILE, GivenKey, KeyFile, type KeyMark, type KeyStore, newMasterKey } from './key-store.ts';
export { lockOf, MissingKey, WrongKey } from './lock.ts';
export { loadMasterKey } from './master-key.ts';
export { checkPassphrase, newRecoveryCode, PassphraseKey } from './passphrase.ts';
export { READABLE_CARDS } from './read-model.ts';
export { CardToken, CreatedRecoveryFile, KeyState, RenewedDataKey, TokenDetails } from './records.ts';
export { makeRecoveryFile, openRecoveryFile, recoveryFileKeyId } from './recovery.ts';
export type { OwnerKeyRow } from './schema.ts';
export { deriveKey } from './sealing.ts';
export { type BankSource, type CardAtGateway, type CardSource, last4Of, numberOf, type Source } from './source.ts';
export type { Box } from './texts.ts';

export const TABLES = [MASTER_KEYS, DATA_KEYS, OWNER_KEYS, VAULT];

/** Card and account numbers, encrypted with a key of their tenant or of an owner within it. Security codes are never stored. */
export type Vault = ReturnType<typeof createVault>;

export function createVault(given: VaultDependencies) {
  const keys = new DataKeys(given.database, given.keyRing, given.clockOf);
  const deps: Dependencies = { ...given, keys, ownerKeys: new OwnerKeys(keys) };
  return {
    checkCard: (tenantId: string, input: CardInput) => checkCard(input, deps.clockOf(tenantId).now()),
    checkBankAccount,
    checkCvv,
    write: writeSource,
    insert: insertSource,
    lockOwner,
    insertOwner,
    has: hasToken,
    /** Creates the key of a new owner, to be written together with the owner. */
    newOwner: (tenantId: string, owner: string) => deps.ownerKeys.create(tenantId, owner),
    ...bind(deps, { seal: sealSource, assignToOwner, destroy: destroyEntries, destroyOwner, fingerprintOf }),
    ...bind(deps, { sealText, openText, hashKey, boxOf }),
    ...bind(deps, { open: openToken, openFor: openTokenFor, merchantOf, tokenizeCard, describe: describeToken }),
    /**
     * Returns false if the tenant has no data key, because nothing is encrypted yet. `account` names the tenant in the error. @throws ServiceError
     * RESOURCE_CONFLICT if the data key is less than two minutes old, so that every server knows of one key before the next.
     */
    checkRenewable: (tenantId: string, account?: string) => keys.checkRenewable(tenantId, account),
    ...bind(deps, { rotateDataKey, renewDataKey, finishRotation, rotateMasterKey }),
  };
}
