import { createCustomerPages, sampleFooter } from '#core/billing/customer-page';
import { createInstallments, invoicesInInstallments } from '#core/billing/installments';
import { createInvoicing, getInvoice, invoiceOfPayment } from '#core/billing/invoicing';
import { createQueuedPayments } from '#core/billing/queued-payments';
import { createReceipts } from '#core/billing/receipts';
import { createRecurring } from '#core/billing/recurring';
import { createStatements } from '#core/billing/statements';
import { checkOpen, createBank } from '#core/books/bank';
import { createDisputes, isAnyDisputed } from '#core/books/disputes';
import { createJournal } from '#core/books/journal';
import { createReconciliation } from '#core/books/reconciliation';
import { createReporting } from '#core/books/reporting';
import { createSettlement } from '#core/books/settlement';
import { serviceActor } from '#core/kernel';
import { createCustomerTransfer } from '#core/operation/customer-transfer';
import { createFailoverRehearsals } from '#core/operation/failover-rehearsal';
import { createSandbox } from '#core/operation/sandbox';
import { createStatus } from '#core/operation/status';
import { createToDo } from '#core/operation/to-do';
import { cleanUpJob } from '#core/platform/scheduling';
import { createTerminals } from '#core/processing/terminals';
import { createArchives } from '#core/records/archive';
import { createAuditAnchors } from '#core/records/audit-anchors';
import { createBackups } from '#core/records/backup';
import { deriveKey } from '#core/records/vault';
import { createCardSaves, terminalUses } from '#core/sales/card-saves';
import { createCustomers } from '#core/sales/customers';
import { createDiscounts } from '#core/sales/discounts';
import { createGiftCards } from '#core/sales/gift-cards';
import { createItems } from '#core/sales/items';
import { createOrders } from '#core/sales/orders';
import { createPaymentList } from '#core/sales/payment-list';
import { createPayments, lastPayments } from '#core/sales/payments';
import { createShifts } from '#core/sales/shifts';
import { createTenders } from '#core/sales/tenders';
import { eventHandlersOf } from './event-handlers.ts';
import { evidenceSourcesOf } from './evidence-sources.ts';
import { createFoundation } from './foundation.ts';
import type { CoreOptions } from './options.ts';
import { BACKED_UP, PAYMENT_DATA } from './tables.ts';
import { tenantCreation } from './tenant-creation.ts';

export type { CoreOptions, NewTenant, OperationResult } from './options.ts';
export { BACKED_UP, TABLES } from './tables.ts';

export type Core = ReturnType<typeof createCore>;

/** Constructs all capabilities. This is the only place that knows all of them. */
export function createCore(options: CoreOptions) {
  const { database, report } = options;
  const foundation = createFoundation(options, {
    returned: (tenantId, merchantId) => queuedPayments.gatewayReturned(tenantId, merchantId),
    waitingPayments: (tenantId, merchantId) => queuedPayments.countWaiting(tenantId, merchantId),
  });
  const {
    common,
    approvals,
    audit,
    changes,
    chargeHold,
    closeFetch,
    connectivity,
    directory,
    environmentOf,
    gateways,
    identity,
    idempotencyKeys,
    installation,
    keyManagement,
    keyRing,
    limits,
    merchants,
    notifications,
    pageUrl,
    processes,
    registerHandlers,
    sandboxGateway,
    scheduler,
    secrets,
    tenants,
    transport,
    vault,
    webhooks,
  } = foundation;
  const { clockOf, merchantFor } = common;
  const items = createItems({ database, clockOf, merchantFor, audit: audit.record, changed: changes.publish });
  const discounts = createDiscounts({ ...common, reasonForApproval: approvals.reasonFor });
  const customers = createCustomers({
    ...common,
    vault,
    environmentOf,
    merchants,
    updateLinkKey: deriveKey(installation, 'card-update-links'),
    lastPayments: (tenantId, ids) => lastPayments(database.read(tenantId), ids),
  });
  const shifts = createShifts(common);
  const terminals = createTerminals({ ...common, merchants, gateways, usesOf: terminalUses });
  const payments = createPayments({
    ...common,
    shiftOf: shifts.openShiftOf,
    maxTipPercent: approvals.maxTipPercent,
    discounts,
    vault,
    gateways,
    payer: customers.payer,
    networkTransactionId: customers.networkTransactionId,
    storePaidMethod: customers.storePaidMethod,
    route: merchants.route,
    captureSendTime: merchants.gateways.holdOf,
    batchClosesAt: merchants.gateways.batchClosesAfter,
    countOutcome: options.countOutcome,
    terminals,
  });
  const cardSaves = createCardSaves({ ...common, gateways, terminals, customers, vault, isStopping: payments.isStopping });
  const customerTransfer = createCustomerTransfer({ ...common, vault, customers, environmentOf });
  const giftCards = createGiftCards({ ...common, shifts, customers, limits, secrets, delivers: notifications.delivers });
  const tenders = createTenders({ ...common, shifts, customers, giftCards, claimDiscount: discounts.claim });
  const orders = createOrders({
    ...common,
    customers,
    giftCards,
    payments,
    tenders,
    shifts,
    shiftOf: shifts.openShiftOf,
    claimDiscount: discounts.claim,
    releaseDiscount: discounts.release,
  });
  const paymentList = createPaymentList({ payments, tenders });
  const recurring = createRecurring({ ...common, customers, payments });
  const receipts = createReceipts({
    ...common,
    orders,
    payments,
    tenders,
    shifts,
    environmentOf,
    lastAuditEntry: audit.lastEntry,
    isTestPayment: async (tenantId, transactionId) => {
      const gatewayId = await payments.gatewayIdOf(tenantId, transactionId);
      return gatewayId !== null && merchants.gateways.isTest(tenantId, gatewayId);
    },
    invoiceNumber: async (tenantId, invoiceId) => (await getInvoice({ database, merchants }, serviceActor(tenantId), invoiceId)).number,
    invoiceOf: (tenantId, invoiceId) => getInvoice({ database, merchants }, serviceActor(tenantId), invoiceId),
    invoiceOfPayment: (actor, paymentId) => invoiceOfPayment({ database, merchants }, actor, paymentId),
  });
  notifications.registerAttachments('receipt', receipts.pdfOf);
  const invoicing = createInvoicing({
    secrets,
    ...common,
    customers,
    merchants,
    payments,
    tenders,
    environmentOf,
    mailReceipt: receipts.emailOnce,
    delivers: notifications.delivers,
    invoicesInInstallments,
    isAnyDisputed,
    chargesResumedAt: chargeHold.resumedAt,
    sampleFooter: (merchant, language) => sampleFooter(merchants, merchant, language),
    ownUrls: () => [options.publicUrl ?? pageUrl(''), pageUrl('')],
  });
  notifications.registerAttachments('invoice', invoicing.attachmentOf);
  notifications.registerCheck('invoice', invoicing.reminders.needless);
  const statements = createStatements({ ...common, customers, environmentOf });
  notifications.registerAttachments('statement', statements.attachmentOf);
  notifications.registerCheck('statement', statements.needless);
  const installments = createInstallments({ ...common, customers, invoicing, payments });
  const queuedPayments = createQueuedPayments({
    ...common,
    customers,
    payments,
    createLink: invoicing.createLink,
    mailReceipt: receipts.emailOnce,
    takesCards: connectivity.takesCards,
    discounts,
  });
  const customerPages = createCustomerPages({
    ...common,
    environmentOf,
    merchants,
    customers,
    invoicing,
    installments,
    recurring,
    queuedPayments,
    payments,
    tenders,
    receipts,
    pageCodes: identity.pageCodes,
    checkStillHolds: identity.apiKeys.checkStillHolds,
    notifications,
    limits,
    secrets,
  });
  const disputes = createDisputes({
    ...common,
    payments,
    gateways,
    gatewayIds: directory.accounts.gatewayIdsOf,
    secrets,
    sources: evidenceSourcesOf({ audit, customers, installments, invoicing, notifications, receipts, recurring }),
  });
  const settlement = createSettlement({
    ...common,
    payments,
    disputes,
    zoneIn: merchants.zoneIn,
    merchantsOf: (actor) => merchants.merchantsOf(actor),
    feesOf: merchants.feesOf,
    blockLines: options.settlementBlockLines,
  });
  const reconciliation = createReconciliation({ ...common, gateways, checkOpen });
  const reporting = createReporting({ database, payments, clockOf, merchantFor });
  const bank = createBank({
    ...common,
    invoicing,
    secrets,
    reconciledDays: reconciliation.days,
    comparedDays: reconciliation.daysIn,
    settlingFrom: settlement.settlingFrom,
    giftCardReport: reporting.giftCards,
  });
  const journal = createJournal({ database, clockOf, merchantFor, lockMerchant: merchants.lock, audit: audit.record });
  const subjects = {
    bank,
    customerPages,
    customers,
    disputes,
    giftCards,
    installments,
    invoicing,
    journal,
    orders,
    payments,
    queuedPayments,
    reconciliation,
    recurring,
    settlement,
    shifts,
    tenders,
  };
  registerHandlers(eventHandlersOf(subjects));
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
  const createTenant = tenantCreation({ identity, tenants, merchants });
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
  const swept = [keyManagement, idempotencyKeys, limits, payments, invoicing, disputes, notifications, approvals, discounts];
  const cleanUps = [...swept, recurring, customerPages, installments, customerTransfer, reconciliation].map(({ cleanUp }) => cleanUp);
  scheduler.register(cleanUpJob(database, [...cleanUps, ...identity.cleanUps]));
  return {
    ...subjects,
    database,
    identity,
    approvals,
    discounts,
    merchants,
    audit,
    auditAnchors,
    limits,
    vault,
    keyManagement,
    idempotencyKeys,
    customerTransfer,
    paymentList,
    items,
    terminals,
    cardSaves,
    receipts,
    statements,
    connectivity,
    reporting,
    backups,
    archives,
    failoverRehearsals,
    status,
    toDo: createToDo({ ...common, ...subjects, approvals, notifications, status }),
    webhooks,
    notifications,
    changes,
    sandbox: createSandbox({
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
    }),
    /** Key of the hashes by which requests with the same Idempotency-Key are compared. */
    idempotencyFingerprintKey: deriveKey(installation, 'idempotency'),
    createTenant,
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
