import { cleanUpJob } from '#core/platform/scheduling';
import { deriveKey } from '#core/records/vault';
import { createBilling } from './billing-area.ts';
import { createBooks } from './books-area.ts';
import { eventHandlersOf } from './event-handlers.ts';
import { createFoundation } from './foundation.ts';
import { createOperation } from './operation-area.ts';
import type { CoreOptions } from './options.ts';
import { createSales } from './sales-area.ts';

export type { CoreOptions, NewTenant, OperationResult } from './options.ts';
export { BACKED_UP, TABLES } from './tables.ts';

export type Core = ReturnType<typeof createCore>;

/** Constructs all capabilities, area by area. */
export function createCore(options: CoreOptions) {
  const foundation = createFoundation(options, {
    returned: (tenantId, merchantId) => billing.queuedPayments.gatewayReturned(tenantId, merchantId),
    waitingPayments: (tenantId, merchantId) => billing.queuedPayments.countWaiting(tenantId, merchantId),
  });
  const sales = createSales(options, foundation);
  const billing = createBilling(options, foundation, sales);
  const books = createBooks(options, foundation, { ...sales, ...billing });
  const subjects = { ...sales, ...billing, ...books };
  foundation.registerHandlers(eventHandlersOf(subjects));
  const operation = createOperation(options, foundation, subjects);
  const { database } = options;
  const {
    approvals,
    audit,
    changes,
    closeFetch,
    connectivity,
    gateways,
    identity,
    idempotencyKeys,
    installation,
    keyManagement,
    limits,
    merchants,
    notifications,
    scheduler,
    tenants,
    transport,
    vault,
    webhooks,
  } = foundation;
  const { payments, invoicing, disputes, discounts, recurring, customerPages, installments, reconciliation } = subjects;
  const { archives, backups, customerTransfer, failoverRehearsals, status } = operation;
  const swept = [keyManagement, idempotencyKeys, limits, payments, invoicing, disputes, notifications, approvals, discounts];
  const cleanUps = [...swept, recurring, customerPages, installments, customerTransfer, reconciliation].map(({ cleanUp }) => cleanUp);
  scheduler.register(cleanUpJob(database, [...cleanUps, ...identity.cleanUps]));
  return {
    ...subjects,
    ...operation,
    database,
    identity,
    approvals,
    merchants,
    audit,
    limits,
    vault,
    keyManagement,
    idempotencyKeys,
    connectivity,
    webhooks,
    notifications,
    changes,
    /** Key of the hashes by which requests with the same Idempotency-Key are compared. */
    idempotencyFingerprintKey: deriveKey(installation, 'idempotency'),
    /** Checks soon for due rows of a job and a tenant, or of all for null. */
    wakeJobs: (job: string | null, tenantId: string | null) =>
      job === null || tenantId === null ? scheduler.wakeAll() : scheduler.wake(job, tenantId),
    /** Runs a function while no job of a tenant runs in this server. */
    withoutJobs: scheduler.withoutJobs,
    /** Pauses or resumes the jobs of a tenant for another process of the server. Returns true if none runs here. */
    pauseJobs: scheduler.setPaused,
    /** Runs everything of a tenant that is due by a time, in order, with `setClock` called at each due time. */
    runUntil: scheduler.runUntil,
    async start(): Promise<void> {
      await tenants.load();
      changes.start();
      await payments.resume();
      await invoicing.resumeUnfinished();
      await backups.start();
      await connectivity.start();
      await gateways.start();
      await scheduler.start();
      status.start();
    },
    async stop(): Promise<void> {
      status.stop();
      connectivity.stop();
      archives.stop();
      await failoverRehearsals.close();
      await scheduler.stop();
      await keyManagement.stop();
      changes.stop();
      await transport.close();
      await closeFetch();
      await gateways.close();
      await notifications.close();
    },
  };
}
