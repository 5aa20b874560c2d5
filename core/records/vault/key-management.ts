import type { Database, Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { RecordAudit } from '#core/records/audit';
import type { KeyRing } from './key-ring.ts';
import { checkPassphrase, newRecoveryCode } from './passphrase.ts';
import type { CreatedRecoveryFile, KeyState, RenewedDataKey } from './records.ts';
import { makeRecoveryFile, RECOVERY_FILE_NAME } from './recovery.ts';

/** Operations for administrators of an installation's keys. The caller checks the permission. */
export interface KeyManagement {
  state(): Promise<KeyState>;
  /**
   * Creates a file with the master key under a passphrase, or under a generated code that is shown once. @throws ServiceError
   * VALIDATION_ERROR for a short passphrase.
   */
  makeRecoveryFile(actor: Actor, passphrase?: string): Promise<CreatedRecoveryFile>;
  /** Records that the recovery file of a master key was saved. @throws ServiceError RESOURCE_CONFLICT if that key was replaced in the meantime. */
  recoveryFileSaved(actor: Actor, keyId: string): Promise<KeyState>;
  /** Replaces the master key without interrupting other work. Recovery files of the old key become useless. */
  exchangeMasterKey(actor: Actor): Promise<KeyState>;
  /** Creates a new data key for the caller's tenant. Existing data is re-encrypted after the response, and the rest by `cleanUp()`. */
  renewDataKey(actor: Actor): Promise<RenewedDataKey>;
  /** Completes a rotation that was interrupted. */
  cleanUp(tenantId: string): Promise<void>;
  /** Waits for work that continues after responses. */
  stop(): Promise<void>;
}

/** Key operations of the vault. */
interface Rotation {
  rotateMasterKey(note: (work: Work) => void): Promise<string>;
  renewDataKey(tenantId: string): Promise<number>;
  finishRotation(tenantId: string): Promise<void>;
}

interface KeyManagementDependencies {
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly vault: Rotation;
  readonly audit: RecordAudit;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export function createKeyManagement({ database, keyRing, vault, audit, report }: KeyManagementDependencies): KeyManagement {
  const running = new Set<Promise<void>>();

  async function state(): Promise<KeyState> {
    // Another process may have exchanged it.
    await keyRing.refresh();
    const row = await keyRing.row();
    return {
      keyId: keyRing.keyId,
      since: row?.since ?? '',
      keptIn: keyRing.store.kind,
      recoveryFileSavedAt: row?.key_id === keyRing.keyId ? row.recovery_saved_at : null,
    };
  }

  return {
    state,
    async makeRecoveryFile(actor, passphrase) {
      if (passphrase !== undefined) checkPassphrase(passphrase);
      await keyRing.refresh();
      const { keyId } = keyRing;
      const code = passphrase === undefined ? newRecoveryCode() : null;
      const file = await makeRecoveryFile(keyRing.masterKey, passphrase ?? code ?? '', Date.now());
      await keyRing.store.keepRecoveryFile(file);
      await database.unitOfWork.transaction(actor.tenantId, async (work) =>
        audit(work, { actor, action: 'recovery_file.made', resource: 'system/keys', after: { keyId } }),
      );
      return { keyId, fileName: RECOVERY_FILE_NAME, file, code };
    },
    async recoveryFileSaved(actor, keyId) {
      if (keyId !== keyRing.keyId) await keyRing.refresh();
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        await keyRing.recordRecoveryFile(work, keyId, isoTime(Date.now()));
        audit(work, { actor, action: 'recovery_file.saved', resource: 'system/keys', after: { keyId } });
      });
      return state();
    },
    async exchangeMasterKey(actor) {
      if (keyRing.store.kind === 'memory') {
        throw new ServiceError('RESOURCE_CONFLICT', 'The master key is stored outside of Paydesk. Replace it there.');
      }
      await vault.rotateMasterKey((work) => audit(work, { actor, action: 'master_key.exchanged', resource: 'system/keys' }));
      return state();
    },
    async renewDataKey(actor) {
      const version = await vault.renewDataKey(actor.tenantId);
      await database.unitOfWork.transaction(actor.tenantId, async (work) =>
        audit(work, { actor, action: 'data_key.renewed', resource: 'system/keys', after: { version } }),
      );
      const rotation = vault
        .finishRotation(actor.tenantId)
        .catch((cause: unknown) => report('Re-encryption with the new data key was deferred.', { cause }))
        .finally(() => running.delete(rotation));
      running.add(rotation);
      return { version };
    },
    cleanUp: (tenantId) => vault.finishRotation(tenantId),
    async stop() {
      await Promise.all(running);
    },
  };
}
