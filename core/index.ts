import { type Changes, createChanges } from '#core/changes';
import type { Database } from '#core/database';
import { createGateways, createSandboxGateway } from '#core/gateways';
import { createIdentity, EVERY_TENANT, TABLES as IDENTITY_TABLES } from '#core/identity';
import { type Clock, type KeptAnswer, systemClock } from '#core/kernel';
import { TABLES as MESSAGE_TABLES, notify } from '#core/notifications';
import { createOnceKeys, TABLES as ONCE_TABLES } from '#core/once';
import { createPayments, type Ending, TABLES as PAYMENT_TABLES } from '#core/payments';
import { createSandbox } from '#core/sandbox';
import { CHORES, chore, cleanUpJob, createScheduler } from '#core/scheduling';
import { createVault, deriveKey, TABLES as VAULT_TABLES } from '#core/vault';
import { createTransport, createWebhooks, TABLES as WEBHOOK_TABLES } from '#core/webhooks';

const TABLES = [...IDENTITY_TABLES, ...VAULT_TABLES, ...ONCE_TABLES, ...PAYMENT_TABLES, ...WEBHOOK_TABLES, ...MESSAGE_TABLES, CHORES];
/** Every table of the service, for TypeORM. */
export const ENTITIES = TABLES.map((table) => table.entity);

/** What payments leave behind, cards and keys of requests included: a sandbox reset empties it. */
const PAYMENT_DATA = [...PAYMENT_TABLES, ...WEBHOOK_TABLES, ...MESSAGE_TABLES, ...ONCE_TABLES, ...VAULT_TABLES].filter(
  ({ name }) => name !== 'data_keys',
);

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
  /** Certificates in PEM that webhook receivers may show besides those of the public authorities. */
  readonly webhookCa?: readonly string[];
  /** Where no webhook ever goes: the server's own ports and its database's. */
  readonly ownAddresses?: () => readonly { readonly host: string; readonly port: number }[];
  /** The bytes that a route answers with; an Idempotency-Key keeps them. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export type Core = ReturnType<typeof createCore>;

/** Puts the capabilities together: the only place that knows all of them. */
export function createCore(options: CoreOptions) {
  const { database, sandboxLedger, masterKey, report } = options;
  const changes: Changes = createChanges(database);
  const identity = createIdentity({
    database,
    signing: deriveKey(masterKey, 'access-tokens'),
    clock: options.clock ?? systemClock,
    withTenant: chore,
  });
  const { clockOf, environmentOf, merchantFor } = identity;
  const scheduler = createScheduler({ database, clockOf, tenants: EVERY_TENANT, refreshClocks: identity.refreshClocks, report });
  const vault = createVault(database, masterKey, clockOf);
  const once = createOnceKeys(database, clockOf);
  const transport = createTransport({
    ca: options.webhookCa,
    // Live tenants send to public addresses only.
    allowsPrivate: (tenantId) => environmentOf(tenantId) === 'sandbox',
    forbidden: options.ownAddresses ?? (() => []),
  });
  const webhooks = createWebhooks({
    database,
    clockOf,
    secrets: { seal: vault.sealText, open: vault.openText },
    transport,
    scheduler,
    changes,
    merchantFor,
  });
  const sandboxGateway = createSandboxGateway({ ledger: sandboxLedger, clockOf, timeoutMs: options.sandboxTimeoutMs });
  const payments = createPayments({
    database,
    once,
    vault,
    gateways: createGateways(sandboxGateway, environmentOf),
    clockOf,
    merchantFor,
    renderAnswer: options.renderAnswer,
    emit: webhooks.emit,
    changed: changes.tell,
    notify,
    scheduler,
    report,
  });
  scheduler.register(cleanUpJob(database, [once.sweep, identity.sweepSessions]));
  return {
    database,
    identity,
    vault,
    once,
    payments,
    webhooks,
    changes,
    sandbox: createSandbox({ database, identity, payments, scheduler, gateway: sandboxGateway, tables: PAYMENT_DATA }),
    /** Hashes what an Idempotency-Key is compared by. */
    onceFingerprintKey: deriveKey(masterKey, 'idempotency'),
    async start(): Promise<void> {
      await identity.load();
      await payments.takeOver();
      await scheduler.start();
    },
    async stop(): Promise<void> {
      await scheduler.stop();
      changes.stop();
      await transport.close();
    },
  };
}
