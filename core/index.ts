import { createAudit, lengthOfLog } from '#core/audit';
import { type BackupStation, beginBackups, createBackups, createChargeHold } from '#core/backup';
import { maskCardNumbersJob } from '#core/card-masking';
import { checkReach, createCustomers } from '#core/customers';
import type { Database, Read, Work } from '#core/database';
import { createDomainEvents } from '#core/domain-events';
import { createGateways, createHttpClient, createSandboxGateway, type HttpClient } from '#core/gateways';
import {
  checkGrant,
  createIdentity,
  createTenants,
  createUserAccess,
  EVERY_TENANT,
  hasOtherTenant,
  type NewTenant as NewTenantOnly,
  permissionsFrom,
} from '#core/identity';
import { createInvoicing, getInvoice, type InvoiceResult, invoiceOfPayment } from '#core/invoicing';
import { type Clock, realNow, ServiceError, type StoredResponse, serviceActor, systemClock } from '#core/kernel';
import { post } from '#core/ledger';
import { createMerchantDirectory, createMerchants, type NewMerchant } from '#core/merchants';
import { createNotifications } from '#core/notifications';
import { createPayments, hasPayments, lastPayments, openAttempts, type PaymentResult } from '#core/payments';
import { type ChangeFeed, createChangeFeed } from '#core/platform/change-feed';
import { brandOf } from '#core/platform/documents';
import { createIdempotencyKeys } from '#core/platform/idempotency';
import type { AllowsPrivateHost } from '#core/platform/outbound';
import { createLimits, type RequestLimits } from '#core/platform/rate-limits';
import { cleanUpJob, createScheduler, maintenanceTask } from '#core/platform/scheduling';
import { createReceipts } from '#core/receipts';
import { createReconciliation } from '#core/reconciliation';
import { createRecurring, type Subscription } from '#core/recurring';
import { createReporting } from '#core/reporting';
import { createSandbox } from '#core/sandbox';
import { beginSchedule, createSettlement, type SettlementResult } from '#core/settlement';
import { createStatus, type StatusStation } from '#core/status';
import { createKeyManagement, createVault, deriveKey, KeyRing } from '#core/vault';
import { createTransport, createWebhooks, newestEvent } from '#core/webhooks';
import { BACKED_UP, FREE_TEXT, PAYMENT_DATA } from './tables.ts';

export { BACKED_UP, ENTITIES } from './tables.ts';

/** The result of a request, whose response is stored under its idempotency key. */
export type OperationResult = PaymentResult | InvoiceResult | { readonly subscription: Subscription } | SettlementResult;

export interface CoreOptions {
  readonly database: Database;
  /** The sandbox processor's own books. */
  readonly sandboxLedger: Database;
  /** Opened key ring, or a 32-byte key that the database does not store. Every other key derives from it. */
  readonly masterKey: KeyRing | Buffer;
  /** Interval at which the scheduler looks for work that other servers left behind, in real time; 15 s by default. */
  readonly lookForWorkEveryMs?: number;
  /** Number of lines that one unit of work puts into a settlement; 500 by default. */
  readonly settlementBlockLines?: number;
  /** Real time, unless a history is being made. */
  readonly clock?: Clock;
  /** HTTP client for the processors of live gateways; HTTPS by default. The core closes it. */
  readonly gatewayWire?: HttpClient;
  /** Time that the sandbox lets the service wait for a lost answer. */
  readonly sandboxTimeoutMs?: number;
  /** Certificates in PEM that webhook receivers may show besides those of the public authorities. */
  readonly webhookCa?: readonly string[];
  /** Time that webhook receivers have to answer; five seconds by default. */
  readonly webhookTimeoutMs?: number;
  /** Private hosts that live tenants may name as a mail server, a provider of text messages or a webhook receiver; none by default. */
  readonly allowsPrivateHost?: AllowsPrivateHost;
  /** Requests per minute, hour and day of the tier enterprise; those of professional by default. */
  readonly enterpriseLimits?: RequestLimits;
  /** Addresses that webhooks, messages and payments must never reach: the server's own ports and those of its database. */
  readonly ownAddresses?: () => readonly { readonly host: string; readonly port: number }[];
  /** The address of one of the screens, to be sent in a message to a user. */
  readonly pageUrl?: (path: string) => string;
  /** The address under which payers reach this server, where it is another than the screens'. */
  readonly publicUrl?: string;
  /** Returns the response body of a route, as an idempotency key stores it. */
  readonly renderAnswer: (route: string, ending: OperationResult) => StoredResponse;
  /** Folder and worker for backups of this workstation. If absent, no backups are made. */
  readonly backupStation?: BackupStation;
  /** The server around it, for the status. */
  readonly station?: StatusStation;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** A tenant to be made, with its first merchant and its owner. */
export type NewTenant = NewTenantOnly & { readonly merchant: NewMerchant & { readonly currency: string; readonly timezone: string } };

export type Core = ReturnType<typeof createCore>;

/** Constructs all capabilities. This is the only place that knows all of them. */
export function createCore(options: CoreOptions) {
  const { database, sandboxLedger, masterKey, report, pageUrl = (path: string) => `http://localhost${path}` } = options;
  const clock = options.clock ?? systemClock;
  const changes: ChangeFeed = createChangeFeed(database, (tenantId) => markOf(database.read(tenantId)));
  const keyRing = masterKey instanceof KeyRing ? masterKey : KeyRing.given(database, masterKey);
  const { installation } = keyRing;
  const audit = createAudit(database, deriveKey(installation, 'audit'), clock);
  const { events, register: registerHandlers } = createDomainEvents();
  const tenants = createTenants(database, clock);
  const { clockOf, environmentOf } = tenants;
  const allowsPrivateHost = options.allowsPrivateHost ?? (() => false);
  const forbidden = options.ownAddresses ?? (() => []);
  const vault = createVault({
    database,
    keyRing,
    clockOf,
    audit: audit.record,
    reach: (actor, customerId) => checkReach(database, actor, customerId),
  });
  const custody = createKeyManagement({ database, keyRing, vault, audit: audit.record, report });
  const secrets = { seal: vault.sealText, open: vault.openText };
  const scheduler = createScheduler({
    database,
    clockOf,
    tenants: EVERY_TENANT,
    refreshClocks: tenants.refreshClocks,
    holdsCharges: createChargeHold(database),
    report,
    lookEveryMs: options.lookForWorkEveryMs,
  });
  const directory = createMerchantDirectory({ database, secrets, changes, report });
  const sandboxGateway = createSandboxGateway({ ledger: sandboxLedger, clockOf, timeoutMs: options.sandboxTimeoutMs });
  const gateways = createGateways({
    sandbox: sandboxGateway,
    environmentOf,
    accountOf: directory.accounts.accountOf,
    accountsOf: directory.accounts.accountsOf,
    wire: options.gatewayWire ?? createHttpClient({ forbidden: options.ownAddresses }),
    healthChanged: (tenantId) => changes.tell(tenantId, 'merchants'),
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
    events,
    ownUrl: () => options.publicUrl ?? pageUrl(''),
    checkGrant,
  });
  const { merchantFor } = merchants;
  const access = createUserAccess({ database, audit: audit.record });
  const notifications = createNotifications({
    database,
    clockOf,
    isSandbox: (tenantId) => environmentOf(tenantId) === 'sandbox',
    secrets,
    canManageUser: access.canManage,
    ownersOf: access.ownersOf,
    scheduler,
    audit: audit.record,
    changed: changes.tell,
    ca: options.webhookCa ?? [],
    forbidden,
    allowsPrivateHost,
    letterheadOf: async (tenantId, merchantId) => {
      const merchant = await merchantFor({ tenantId, merchantId });
      return { brand: brandOf(merchant), language: merchant.language, email: merchant.email, country: merchant.country };
    },
    report,
  });
  const { notify } = notifications;
  const identity = createIdentity({
    database,
    tenants,
    access,
    clock,
    codeKey: deriveKey(installation, 'one-time-codes'),
    secrets,
    audit: audit.record,
    sessionsEnded: (tenantId) => changes.tell(tenantId, 'sessions'),
    notify,
    delivers: notifications.delivers,
    pageUrl,
    withTenant: async (work, tenantId) => {
      maintenanceTask(work, tenantId, realNow());
      await beginBackups(work, tenantId, realNow());
    },
    ceilingOf: async (tenantId, merchantId) => {
      const ceiling = await merchants.ceilingOf(tenantId, merchantId);
      return ceiling === null ? null : permissionsFrom(ceiling);
    },
    merchantFor: async (actor, named) => {
      const merchant = await merchantFor(actor, named);
      return { merchantId: merchant.merchantId, companyName: brandOf(merchant).companyName, language: merchant.language };
    },
    checkMerchant: async (actor, merchantId) => void (await merchants.get(actor, merchantId)),
  });
  const once = createIdempotencyKeys(database, clockOf);
  const limits = createLimits({ database, enterprise: options.enterpriseLimits });
  const transport = createTransport({
    ca: options.webhookCa,
    timeoutMs: options.webhookTimeoutMs,
    allowsPrivate: async (tenantId, host, port) =>
      environmentOf(tenantId) === 'sandbox' || (allowsPrivateHost(host, port) && (await merchants.allowsPrivateTargets(tenantId))),
    forbidden,
  });
  const webhooks = createWebhooks({ database, clockOf, secrets, transport, scheduler, changes, merchantFor, audit: audit.record });
  audit.publishWith(webhooks.publishActivity);
  const customers = createCustomers({
    database,
    vault,
    clockOf,
    merchantFor,
    audit: audit.record,
    changed: changes.tell,
    lastPayments: (tenantId, ids) => lastPayments(database.read(tenantId), ids),
    events,
  });
  const payments = createPayments({
    database,
    once,
    vault,
    gateways,
    clockOf,
    merchantFor,
    payer: customers.payer,
    keepPaid: customers.keepPaid,
    route: merchants.route,
    holdOf: merchants.gateways.holdOf,
    batchClosesAfter: merchants.gateways.batchClosesAfter,
    lockMerchant: merchants.lock,
    audit: audit.record,
    renderAnswer: options.renderAnswer,
    emit: webhooks.emit,
    post,
    changed: changes.tell,
    notify,
    events,
    scheduler,
    report,
  });
  const recurring = createRecurring({
    database,
    customers,
    payments,
    scheduler,
    once,
    clockOf,
    merchantFor,
    audit: audit.record,
    emit: webhooks.emit,
    notify,
    changed: changes.tell,
    renderAnswer: options.renderAnswer,
    report,
  });
  const receipts = createReceipts({
    database,
    payments,
    clockOf,
    environmentOf,
    isTestPayment: async (tenantId, transactionId) => {
      const gatewayId = await payments.gatewayOf(tenantId, transactionId);
      return gatewayId !== null && merchants.gateways.isTest(tenantId, gatewayId);
    },
    merchantFor,
    invoiceNumber: async (tenantId, invoiceId) => (await getInvoice({ database, merchants }, serviceActor(tenantId), invoiceId)).number,
    invoiceOfPayment: (actor, paymentId) => invoiceOfPayment({ database, merchants }, actor, paymentId),
    audit: audit.record,
    notify,
  });
  notifications.registerAttachments('receipt', receipts.pdfOf);
  const invoicing = createInvoicing({
    database,
    customers,
    merchants,
    payments,
    scheduler,
    once,
    clockOf,
    environmentOf,
    mailReceipt: receipts.emailOnce,
    ownUrls: () => [options.publicUrl ?? pageUrl(''), pageUrl('')],
    audit: audit.record,
    emit: webhooks.emit,
    notify,
    changed: changes.tell,
    renderAnswer: options.renderAnswer,
    report,
  });
  notifications.registerAttachments('invoice', invoicing.attachmentOf);
  const settlement = createSettlement({
    database,
    payments,
    scheduler,
    clockOf,
    merchantFor,
    zoneIn: merchants.zoneIn,
    merchantsOf: (actor) => merchants.merchantsOf(actor),
    feesOf: merchants.feesOf,
    lockMerchant: merchants.lock,
    once,
    renderAnswer: options.renderAnswer,
    notify,
    post,
    audit: audit.record,
    changed: changes.tell,
    blockLines: options.settlementBlockLines,
  });
  registerHandlers({
    'customer.deleted': [recurring.customerDeleted],
    'payment-method.changed': [recurring.paymentMethodChanged],
    'payment-method.removed': [recurring.paymentMethodRemoved],
    'payment.voided': [invoicing.paymentVoided],
    'payment.returned': [recurring.paymentReturned],
    'payment.confirmed': [recurring.paymentConfirmed, invoicing.paymentConfirmed],
    'merchant.deleted': [identity.apiKeys.merchantDeleted],
    'merchant.time-zone-changed': [settlement.timeZoneChanged],
  });
  const reconciliation = createReconciliation({
    database,
    gateways,
    scheduler,
    clockOf,
    merchantFor,
    audit: audit.record,
    changed: changes.tell,
  });
  const reporting = createReporting({ database, payments, clockOf, merchantFor });
  const backups = createBackups({
    database,
    station: options.backupStation,
    tables: BACKED_UP,
    scheduler,
    async masterKey() {
      await keyRing.refresh();
      return keyRing.masterKey;
    },
    firstTenant: tenants.first,
    zoneOf: async (tenantId) => (await merchantFor({ tenantId, merchantId: null })).timezone,
    audit: audit.record,
    report,
  });
  const status = createStatus({
    database,
    station: options.station,
    clockOf,
    environmentOf,
    firstTenant: tenants.first,
    merchants,
    sandboxGateway,
    payments,
    webhooks,
    notifications,
    scheduler,
    backups,
    custody,
    publicUrl: options.publicUrl,
  });
  scheduler.register(
    cleanUpJob(database, [custody.sweep, once.sweep, limits.sweep, payments.sweep, notifications.sweep, ...identity.sweeps]),
  );
  scheduler.register(maskCardNumbersJob({ database, freeText: FREE_TEXT, audit: audit.record, report, forget: merchants.forget }));
  return {
    database,
    identity,
    merchants,
    audit,
    limits,
    vault,
    custody,
    once,
    customers,
    payments,
    recurring,
    invoicing,
    receipts,
    settlement,
    reconciliation,
    reporting,
    backups,
    status,
    webhooks,
    notifications,
    changes,
    sandbox: createSandbox({
      database,
      tenants,
      notifications,
      audit: audit.record,
      payments,
      scheduler,
      gateway: sandboxGateway,
      changed: changes.tell,
      tables: PAYMENT_DATA,
    }),
    /** Hashes what an Idempotency-Key is compared by. */
    onceFingerprintKey: deriveKey(installation, 'idempotency'),
    /**
     * Creates a tenant with its first merchant and its owner in one unit of work. @throws ServiceError RESOURCE_CONFLICT if it is created
     * as the first tenant and another one exists already.
     */
    async createTenant(of: NewTenant, { asFirst = false } = {}): Promise<{ tenantId: string; merchantId: string }> {
      let merchantId = '';
      const tenantId = await identity.createTenant(of, async (work, id, nowMs) => {
        if (asFirst) await checkFirst(work, id);
        merchantId = await merchants.begin(work, id, of.merchant, of.environment, nowMs);
      });
      return { tenantId, merchantId };
    },
    /** Does something while no job of a tenant is at work in this process. */
    withoutJobs: scheduler.withoutJobs,
    async start(): Promise<void> {
      await tenants.load();
      changes.start();
      await payments.takeOver();
      await recurring.takeOver();
      await invoicing.takeOver();
      await backups.start();
      await scheduler.start();
      status.start();
    },
    async stop(): Promise<void> {
      status.stop();
      await scheduler.stop();
      await custody.stop();
      changes.stop();
      await transport.close();
      await gateways.close();
      await notifications.close();
    },
  };
}

/** Returns another text whenever any server has written an event or an entry of the audit log. */
const markOf = async (read: Read): Promise<string> => `${await newestEvent(read)}/${await lengthOfLog(read)}`;

/** Ensures that only one of several workstations that are set up on the same database creates the installation. */
async function checkFirst(work: Work, tenantId: string): Promise<void> {
  await work.advisoryLock('first tenant');
  if (await hasOtherTenant(work, tenantId))
    throw new ServiceError('RESOURCE_CONFLICT', 'Another workstation has just set up this database. Join it with its key.', {
      field: 'databaseUrl',
    });
}
