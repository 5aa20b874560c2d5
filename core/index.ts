import { type CheckApproval, createApprovals } from '#core/access/approvals';
import { checkGrant, createIdentity, createTenants, createUserAccess, EVERY_TENANT, type RevokeKeysBeyond } from '#core/access/identity';
import { createInstallments } from '#core/billing/installments';
import { createInvoicing, getInvoice, invoiceOfPayment } from '#core/billing/invoicing';
import { createQueuedPayments } from '#core/billing/queued-payments';
import { createReceipts } from '#core/billing/receipts';
import { createRecurring } from '#core/billing/recurring';
import { createBank } from '#core/books/bank';
import { createDisputes } from '#core/books/disputes';
import { createJournal } from '#core/books/journal';
import { createReconciliation } from '#core/books/reconciliation';
import { createReporting } from '#core/books/reporting';
import { beginSchedule, createSettlement } from '#core/books/settlement';
import type { Read } from '#core/database';
import { realNow, serviceActor, systemClock } from '#core/kernel';
import { createCustomerTransfer } from '#core/operation/customer-transfer';
import { createFailoverRehearsals } from '#core/operation/failover-rehearsal';
import { createSandbox } from '#core/operation/sandbox';
import { createStatus } from '#core/operation/status';
import { createToDo } from '#core/operation/to-do';
import { type ChangeFeed, createChangeFeed } from '#core/platform/change-feed';
import { brandOf } from '#core/platform/documents';
import { createIdempotencyKeys } from '#core/platform/idempotency';
import { createCheckedFetch, createTrust } from '#core/platform/outbound';
import { createLimits } from '#core/platform/rate-limits';
import { cleanUpJob, createScheduler, scheduleMaintenance } from '#core/platform/scheduling';
import { createConnectivity, hasNetwork } from '#core/processing/connectivity';
import { createDomainEvents } from '#core/processing/domain-events';
import { createGateways, createHttpClient, createSandboxGateway } from '#core/processing/gateways';
import { createMerchantDirectory, createMerchants } from '#core/processing/merchants';
import { createTerminals } from '#core/processing/terminals';
import { createArchives } from '#core/records/archive';
import { createAudit, entryCount } from '#core/records/audit';
import { createAuditAnchors } from '#core/records/audit-anchors';
import { beginBackups, createBackups, createChargeHold } from '#core/records/backup';
import { post } from '#core/records/ledger';
import { createNotifications, MESSAGE_LIMITS } from '#core/records/notifications';
import { createKeyManagement, createVault, deriveKey, KeyRing } from '#core/records/vault';
import { createTransport, createWebhooks, newestEventNumber, webhookSecretFrom } from '#core/records/webhooks';
import { createCardSaves, terminalUses } from '#core/sales/card-saves';
import { createCustomers, merchantOfCustomer } from '#core/sales/customers';
import { createDiscounts } from '#core/sales/discounts';
import { createGiftCards } from '#core/sales/gift-cards';
import { createItems } from '#core/sales/items';
import { createOrders } from '#core/sales/orders';
import { createPaymentList } from '#core/sales/payment-list';
import { createPayments, hasPayments, lastPayments, openAttempts } from '#core/sales/payments';
import { createShifts } from '#core/sales/shifts';
import { createTenders } from '#core/sales/tenders';
import { eventHandlersOf } from './event-handlers.ts';
import { evidenceSourcesOf } from './evidence-sources.ts';
import type { CoreOptions } from './options.ts';
import { BACKED_UP, PAYMENT_DATA } from './tables.ts';
import { tenantCreation } from './tenant-creation.ts';

export type { CoreOptions, NewTenant, OperationResult } from './options.ts';
export { BACKED_UP, TABLES } from './tables.ts';

export type Core = ReturnType<typeof createCore>;

/** Constructs all capabilities. This is the only place that knows all of them. */
export function createCore(options: CoreOptions) {
  const { database, sandboxLedger, masterKey, report, pageUrl = (path: string) => `http://localhost${path}` } = options;
  const clock = options.clock ?? systemClock;
  const changes: ChangeFeed = createChangeFeed(database, (tenantId) => changeVersionOf(database.read(tenantId)));
  const keyRing = masterKey instanceof KeyRing ? masterKey : KeyRing.given(database, masterKey);
  const { installation } = keyRing;
  const audit = createAudit(database, deriveKey(installation, 'audit'), clock);
  const { events, register: registerHandlers } = createDomainEvents();
  const tenants = createTenants(database, clock);
  const { clockOf, environmentOf } = tenants;
  const allowsPrivateHost = options.allowsPrivateHost ?? (() => false);
  const forbidden = options.ownAddresses ?? (() => []);
  const trust = createTrust(options.webhookCa);
  const { fetchFor, close: closeFetch } = createCheckedFetch({
    trust,
    forbidden,
    reachOf: (tenantId, ...target) => (environmentOf(tenantId) === 'sandbox' || allowsPrivateHost(...target) ? 'private' : 'public'),
  });
  const vault = createVault({ database, keyRing, clockOf, audit: audit.record, merchantOfOwner: merchantOfCustomer });
  const keyManagement = createKeyManagement({ database, keyRing, vault, audit: audit.record, report });
  const secrets = { seal: vault.sealText, open: vault.openText, hashKey: vault.hashKey };
  const chargeHold = createChargeHold(database);
  const scheduler = createScheduler({
    database,
    clockOf,
    tenants: EVERY_TENANT,
    refreshClocks: tenants.refreshClocks,
    holdsCharges: chargeHold.isHeld,
    report,
    checkEveryMs: options.lookForWorkEveryMs,
  });
  const directory = createMerchantDirectory({ database, secrets, changes, report });
  const { sandboxTimeoutMs: timeoutMs, sandboxSlowMs: slowMs } = options;
  const sandboxGateway = createSandboxGateway({ ledger: sandboxLedger, clockOf, timeoutMs, slowMs });
  const gateways = createGateways({
    sandbox: sandboxGateway,
    environmentOf,
    accountOf: directory.accounts.accountOf,
    accountsOf: directory.accounts.accountsOf,
    httpClient: options.gatewayHttpClient ?? createHttpClient({ forbidden: options.ownAddresses }),
    healthChanged(tenantId) {
      changes.publish(tenantId, 'merchants', null);
      void connectivity.check(tenantId);
    },
    report,
  });
  const merchants = createMerchants({
    database,
    directory,
    clockOf,
    environmentOf,
    gateways,
    openAttempts: (tenantId, gatewayId) => openAttempts(database, tenantId, gatewayId),
    hasPayments: (tenantId, gatewayId) => hasPayments(database, tenantId, gatewayId),
    audit: audit.record,
    withMerchant: beginSchedule,
    checkApproval: (work, actor, subject) => approvals.check(work, actor, subject),
    events,
    ownUrl: () => options.publicUrl ?? pageUrl(''),
    addressCheck: { key: deriveKey(installation, 'public-addresses'), serverUrl: () => pageUrl(''), trust, forbidden, allowsPrivateHost },
    delivers: (tenantId, channel) => notifications.delivers(tenantId, channel),
    warnOwners: (work, tenantId, text) => notifications.warnOwners(work, tenantId, text),
    warnAboutDestination: (...change) => notifications.warnAboutDestination(...change),
    checkGrant,
  });
  const { merchantFor } = merchants;
  const checkApproval: CheckApproval = (work, actor, subject) => approvals.check(work, actor, subject);
  const accessChanged = (tenantId: string) => changes.publish(tenantId, 'sessions', null);
  const revokeKeysBeyond: RevokeKeysBeyond = (...change) => identity.apiKeys.revokeBeyond(...change);
  const needsTwoPeople = (tenantId: string) => approvals.coverAccess(tenantId);
  const access = createUserAccess({ database, audit: audit.record, checkApproval, needsTwoPeople, accessChanged, revokeKeysBeyond });
  const notifications = createNotifications({
    database,
    clockOf,
    now: () => clock.now(),
    messageLimits: { ...MESSAGE_LIMITS, ...options.messageLimits },
    isSandbox: (tenantId) => environmentOf(tenantId) === 'sandbox',
    secrets,
    mayReadLinks: access.mayReadLinks,
    ownersOf: access.ownersOf,
    scheduler,
    audit: audit.record,
    changed: changes.publish,
    trust,
    forbidden,
    allowsPrivateHost,
    letterheadOf: async (tenantId, merchantId) => {
      const merchant = await merchantFor({ tenantId, merchantId });
      return { brand: brandOf(merchant), language: merchant.language, email: merchant.email, country: merchant.country };
    },
    report,
  });
  const identity = createIdentity({
    database,
    tenants,
    access,
    clock,
    codeKey: deriveKey(installation, 'one-time-codes'),
    secrets,
    fetchFor,
    audit: audit.record,
    checkApproval,
    accessChanged,
    revokeKeysBeyond,
    needsTwoPeople,
    notify: notifications.notify,
    delivers: notifications.delivers,
    pageUrl,
    withTenant: async (work, tenantId) => {
      scheduleMaintenance(work, tenantId, realNow());
      await beginBackups(work, tenantId, realNow());
    },
    isMerchantClosed: merchants.isClosed,
    ceilingOf: merchants.ceilingOf,
    merchantFor: async (actor, named) => {
      const merchant = await merchantFor(actor, named);
      return { merchantId: merchant.merchantId, companyName: brandOf(merchant).companyName, language: merchant.language };
    },
    checkMerchant: async (actor, merchantId) => void (await merchants.get(actor, merchantId)),
  });
  const idempotencyKeys = createIdempotencyKeys(database, clockOf, secrets);
  const limits = createLimits({ database, enterprise: options.enterpriseLimits });
  const transport = createTransport({
    trust,
    timeoutMs: options.webhookTimeoutMs,
    allowsPrivate: async (tenantId, host, port) =>
      environmentOf(tenantId) === 'sandbox' || (allowsPrivateHost(host, port) && (await merchants.allowsPrivateTargets(tenantId))),
    forbidden,
  });
  const webhooks = createWebhooks({
    database,
    clockOf,
    secrets,
    receiverSecretOf: (tenantId) => webhookSecretFrom(deriveKey(installation, `event-receiver/${tenantId}`).export()),
    transport,
    scheduler,
    changes,
    warnAboutDestination: notifications.warnAboutDestination,
    merchantFor,
    audit: audit.record,
  });
  audit.publishWith(webhooks.publishActivity);
  const common = {
    database,
    clockOf,
    merchantFor,
    idempotencyKeys,
    renderResponse: options.renderResponse,
    post,
    audit: audit.record,
    emit: webhooks.emit,
    changed: changes.publish,
    subscribe: changes.subscribe,
    notify: notifications.notify,
    scheduler,
    report,
    claimSpending: identity.claimSpending,
    checkApproval,
    lockMerchant: merchants.lock,
    isMerchantClosed: merchants.isClosedNow,
    events,
  };
  const items = createItems({ database, clockOf, merchantFor, audit: audit.record, changed: changes.publish });
  const connectivity = createConnectivity({
    ...common,
    environmentOf,
    tenantIds: tenants.ids,
    merchants,
    sandboxGateway,
    notifications,
    hasNetwork: options.hasNetwork ?? hasNetwork,
    returned: (tenantId, merchantId) => queuedPayments.gatewayReturned(tenantId, merchantId),
    waitingPayments: (tenantId, merchantId) => queuedPayments.countWaiting(tenantId, merchantId),
  });
  const approvals = createApprovals({ ...common, environmentOf, identity, secrets, merchantsOf: (actor) => merchants.merchantsOf(actor) });
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
  const giftCards = createGiftCards({ ...common, shifts, customers, limits, secrets });
  const tenders = createTenders({ ...common, shifts, customers, giftCards, claimDiscount: discounts.claim });
  const orders = createOrders({ ...common, giftCards, claimDiscount: discounts.claim, releaseDiscount: discounts.release });
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
    chargesResumedAt: chargeHold.resumedAt,
    ownUrls: () => [options.publicUrl ?? pageUrl(''), pageUrl('')],
  });
  notifications.registerAttachments('invoice', invoicing.attachmentOf);
  notifications.registerCheck('invoice', invoicing.reminders.needless);
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
  const reconciliation = createReconciliation({ ...common, gateways });
  const bank = createBank({
    ...common,
    secrets,
    reconciledDays: reconciliation.days,
    comparedDays: reconciliation.daysIn,
    settlingFrom: settlement.settlingFrom,
  });
  const journal = createJournal({ database, clockOf, merchantFor, lockMerchant: merchants.lock, audit: audit.record });
  const subjects = {
    bank,
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
  const reporting = createReporting({ database, payments, clockOf, merchantFor });
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
  const cleanUps = [...swept, recurring, installments, customerTransfer, reconciliation].map(({ cleanUp }) => cleanUp);
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
    /** Runs a function while no job of a tenant runs in this process. */
    withoutJobs: scheduler.withoutJobs,
    /** Runs everything of a tenant that is due by a time, in order, with `setClock` called at each due time. */
    runUntil: scheduler.runUntil,
    async start(): Promise<void> {
      await tenants.load();
      changes.start();
      await payments.resume();
      await invoicing.resumeUnfinished();
      await backups.start();
      await connectivity.start();
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

/** Returns a text that changes whenever a server writes an event or an entry of the audit log. */
const changeVersionOf = async (read: Read): Promise<string> => `${await newestEventNumber(read)}/${await entryCount(read)}`;
