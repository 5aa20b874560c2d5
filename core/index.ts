import type { Database } from '#core/database';
import { createGateways, createSandboxGateway } from '#core/gateways';
import { createIdentity, TABLES as IDENTITY_TABLES } from '#core/identity';
import { type Clock, type KeptAnswer, systemClock } from '#core/kernel';
import { createOnceKeys, TABLES as ONCE_TABLES } from '#core/once';
import { createPayments, type Ending, TABLES as PAYMENT_TABLES } from '#core/payments';
import { createVault, deriveKey, TABLES as VAULT_TABLES } from '#core/vault';

/** Every table of the service, for TypeORM. */
export const ENTITIES = [...IDENTITY_TABLES, ...VAULT_TABLES, ...ONCE_TABLES, ...PAYMENT_TABLES].map((table) => table.entity);

export interface CoreOptions {
  readonly database: Database;
  /** The sandbox processor's own books. */
  readonly sandboxLedger: Database;
  /** 32 bytes; everything secret hangs on it. */
  readonly masterKey: Buffer;
  /** Real time, unless a history is being made. */
  readonly clock?: Clock;
  /** How long the sandbox lets the service wait for an answer that is lost. */
  readonly sandboxTimeoutMs?: number;
  /** The bytes that a route answers with; an Idempotency-Key keeps them. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export type Core = ReturnType<typeof createCore>;

/** Puts the capabilities together: the only place that knows all of them. */
export function createCore(options: CoreOptions) {
  const { database, sandboxLedger, masterKey } = options;
  const identity = createIdentity(database, { signing: deriveKey(masterKey, 'access-tokens') }, options.clock ?? systemClock);
  const { clockOf } = identity;
  const vault = createVault(database, masterKey, clockOf);
  const once = createOnceKeys(database, clockOf);
  const sandbox = createSandboxGateway({ ledger: sandboxLedger, clockOf, timeoutMs: options.sandboxTimeoutMs });
  const payments = createPayments({
    database,
    once,
    vault,
    gateways: createGateways(sandbox, identity.environmentOf),
    clockOf,
    merchantFor: identity.merchantFor,
    renderAnswer: options.renderAnswer,
    report: options.report,
  });
  return {
    database,
    identity,
    vault,
    once,
    payments,
    /** Hashes what an Idempotency-Key is compared by. */
    onceFingerprintKey: deriveKey(masterKey, 'idempotency'),
    async start(): Promise<void> {
      await identity.load();
      await payments.recovery.start();
    },
    async stop(): Promise<void> {
      await payments.recovery.stop();
    },
  };
}
