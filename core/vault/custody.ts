import type { Record as RecordEntry } from '#core/audit';
import type { Database, Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { KeyRing } from './key-ring.ts';
import type { KeyStore } from './key-store.ts';
import { checkPassphrase, newRecoveryCode } from './passphrase.ts';
import { makeRecoveryFile } from './recovery.ts';

/** What may be told of the keys. */
export interface KeyState {
  /** By which the master key is recognised; nothing of it follows from it. */
  readonly keyId: string;
  readonly since: string;
  readonly keptIn: KeyStore['kind'];
  /** When a recovery file of this key was said to be kept; null while none is. */
  readonly recoveryFileSavedAt: string | null;
}

interface RecoveryFileMade {
  readonly keyId: string;
  /** The file's text. */
  readonly file: string;
  /** The code that opens it, where one was made for it. */
  readonly code: string | null;
}

/** What those may do who answer for the keys of an installation (design, rule 8; reliability 4.8). Whether they may is asked before. */
export interface Custody {
  state(): Promise<KeyState>;
  /** The master key under a passphrase, or under a code that is made and told once. VALIDATION_ERROR for a short passphrase. */
  makeRecoveryFile(by: Actor, passphrase?: string): Promise<RecoveryFileMade>;
  /** Notes that the recovery file of a master key is kept. RESOURCE_CONFLICT when that key was exchanged since. */
  recoveryFileSaved(by: Actor, keyId: string): Promise<KeyState>;
  /** Exchanges the master key while everything goes on. Recovery files of the old one open nothing any more. */
  exchangeMasterKey(by: Actor): Promise<KeyState>;
  /** Makes a new data key for the caller's tenant; what older ones seal is put under it behind the answer, and by and by by sweep(). */
  renewDataKey(by: Actor): Promise<{ version: number }>;
  /** Ends what a renewal began, were it cut short. */
  sweep(tenantId: string): Promise<void>;
  /** Waits for what goes on behind answers. */
  stop(): Promise<void>;
}

/** What the vault does to its keys. */
interface Rotation {
  rotateMasterKey(note: (work: Work) => void): Promise<string>;
  renewDataKey(tenantId: string): Promise<number>;
  finishRotation(tenantId: string): Promise<void>;
}

interface CustodyNeeds {
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly vault: Rotation;
  readonly audit: RecordEntry;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export function createCustody({ database, keyRing, vault, audit, report }: CustodyNeeds): Custody {
  const behind = new Set<Promise<void>>();

  async function state(): Promise<KeyState> {
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
    async makeRecoveryFile(by, passphrase) {
      if (passphrase !== undefined) checkPassphrase(passphrase);
      await keyRing.refresh();
      const { keyId } = keyRing;
      const code = passphrase === undefined ? newRecoveryCode() : null;
      const file = await makeRecoveryFile(keyRing.masterKey, passphrase ?? code ?? '', Date.now());
      await keyRing.store.keepRecoveryFile(file);
      await database.unitOfWork.run(by.tenantId, async (work) =>
        audit(work, { by, action: 'recovery_file.made', resource: 'system/keys', after: { keyId } }),
      );
      return { keyId, file, code };
    },
    async recoveryFileSaved(by, keyId) {
      if (keyId !== keyRing.keyId) await keyRing.refresh();
      await database.unitOfWork.run(by.tenantId, async (work) => {
        await keyRing.noteRecoveryFile(work, keyId, isoTime(Date.now()));
        audit(work, { by, action: 'recovery_file.saved', resource: 'system/keys', after: { keyId } });
      });
      return state();
    },
    async exchangeMasterKey(by) {
      if (keyRing.store.kind === 'memory') {
        throw new ServiceError('RESOURCE_CONFLICT', 'The master key is kept outside of Paydesk: exchange it where it is kept.');
      }
      await vault.rotateMasterKey((work) => audit(work, { by, action: 'master_key.exchanged', resource: 'system/keys' }));
      return state();
    },
    async renewDataKey(by) {
      const version = await vault.renewDataKey(by.tenantId);
      await database.unitOfWork.run(by.tenantId, async (work) =>
        audit(work, { by, action: 'data_key.renewed', resource: 'system/keys', after: { version } }),
      );
      const moving = vault
        .finishRotation(by.tenantId)
        .catch((cause: unknown) => report('What older data keys seal is put under the new one later.', { cause }))
        .finally(() => behind.delete(moving));
      behind.add(moving);
      return { version };
    },
    sweep: (tenantId) => vault.finishRotation(tenantId),
    async stop() {
      await Promise.all(behind);
    },
  };
}
