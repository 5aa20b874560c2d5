import { createCustomerTransfer } from '#core/operation/customer-transfer';
import { createFailoverRehearsals } from '#core/operation/failover-rehearsal';
import { createSandbox } from '#core/operation/sandbox';
import { createStatus } from '#core/operation/status';
import { createToDo } from '#core/operation/to-do';
import { createArchives } from '#core/records/archive';
import { createAuditAnchors } from '#core/records/audit-anchors';
import { createBackups } from '#core/records/backup';
import { deriveKey } from '#core/records/vault';
import type { BillingArea } from './billing-area.ts';
import type { BooksArea } from './books-area.ts';
import type { Foundation } from './foundation.ts';
import type { CoreOptions, NewTenant } from './options.ts';
import type { SalesArea } from './sales-area.ts';
import { BACKED_UP, PAYMENT_DATA } from './tables.ts';

/** Constructs the capabilities of the operation, and those of records that need the others: backups, archives and anchors. */
export function createOperation(options: CoreOptions, foundation: Foundation, below: SalesArea & BillingArea & BooksArea) {
  const { database, report } = options;
  const {
    common,
    approvals,
    audit,
    changes,
    connectivity,
    environmentOf,
    identity,
    idempotencyKeys,
    installation,
    keyManagement,
    keyRing,
    merchants,
    notifications,
    processes,
    sandboxGateway,
    scheduler,
    tenants,
    vault,
    webhooks,
  } = foundation;
  const { clockOf, merchantFor } = common;
  const { customers, shifts, terminals, payments, cardSaves, recurring, installments, disputes } = below;
  const customerTransfer = createCustomerTransfer({ ...common, vault, customers, environmentOf });
  const backups = createBackups({
    database,
    server: options.backupStation,
    tables: BACKED_UP,
    scheduler,
    async masterKey() {
      await keyRing.refresh();
      return keyRing.masterKey;
    },
    firstTenant: tenants.first,
    zoneOf: async (tenantId) => (await merchantFor({ tenantId, merchantId: null })).timezone,
    audit: audit.record,
    archivedEntries: async (tenantId) => (await audit.archiving.start(tenantId)).n,
    report,
  });
  const [server, key] = [options.backupStation, deriveKey(installation, 'archive').export()];
  const archives = createArchives({ database, server, scheduler, audit, webhooks, tenants, key, report });
  const auditAnchors = createAuditAnchors({ database, clockOf, scheduler, audit, archives, notifications, nameOf: tenants.nameOf });
  /** Creates a tenant with its first merchant and its owner in one unit of work. @throws ServiceError RESOURCE_CONFLICT if it must be the first tenant and is not. */
  const createTenant = async (tenant: NewTenant, { asFirst = false } = {}): Promise<{ tenantId: string; merchantId: string }> => {
    let merchantId = '';
    const tenantId = await identity.createTenant(tenant, async (work, id, nowMs) => {
      if (asFirst) await tenants.checkFirst(work, id);
      merchantId = await merchants.begin(work, id, tenant.merchant, tenant.environment, nowMs);
    });
    return { tenantId, merchantId };
  };
  const failoverRehearsals = createFailoverRehearsals({
    processes,
    database,
    patroni: options.patroni ?? null,
    identity,
    payments,
    idempotencyKeys,
    sandboxGateway,
    audit,
    createTenant: async (owner) => {
      const merchant = { name: 'Failover rehearsal', currency: 'USD', timezone: 'UTC' };
      return (await createTenant({ name: 'Failover rehearsal', environment: 'sandbox', tier: 'sandbox', merchant, owner })).tenantId;
    },
    report,
  });
  const status = createStatus({
    database,
    server: options.station,
    audit,
    clockOf,
    environmentOf,
    firstTenant: tenants.first,
    merchants,
    sandboxGateway,
    payments,
    recurring,
    installments,
    webhooks,
    notifications,
    scheduler,
    backups,
    archives,
    keyManagement,
    idempotencyKeys,
    publicUrl: options.publicUrl,
  });
  const toDo = createToDo({ ...common, ...below, approvals, notifications, status });
  const sandbox = createSandbox({
    database,
    tenants,
    notifications,
    audit: audit.record,
    payments,
    cardSaves,
    disputes,
    scheduler,
    gateway: sandboxGateway,
    terminals,
    checkConnectivity: connectivity.check,
    events: webhooks.events,
    beginMove: webhooks.beginMove,
    moveMaxMs: options.clockMoveMaxMs,
    merchantsOf: (actor) => merchants.merchantsOf(actor),
    report,
    changed: changes.publish,
    tables: PAYMENT_DATA,
    forget: shifts.forgetOpen,
  });
  return { customerTransfer, backups, archives, auditAnchors, failoverRehearsals, status, toDo, sandbox, createTenant };
}
