import { createAudit } from '#core/audit';
import { type BackupStation, beginBackups, createBackups } from '#core/backup';
import { maskCardNumbersJob } from '#core/card-masking';
import { type Customers, createCustomers } from '#core/customers';
import type { Database, Work } from '#core/database';
import { createGateways, createHttpWire, createSandboxGateway, type Wire } from '#core/gateways';
import { checkGrant, createIdentity, EVERY_TENANT, type NewTenant as NewTenantOnly, permissionsFrom } from '#core/identity';
import { createInvoicing, type Ending as InvoiceEnding, type Invoicing } from '#core/invoicing';
import { type Clock, type KeptAnswer, ServiceError, serviceActor, systemClock } from '#core/kernel';
import { post } from '#core/ledger';
import { createMerchants, type Merchants, type NewMerchant } from '#core/merchants';
import { type Attachment, createNotifications } from '#core/notifications';
import { createPayments, type Ending as PaymentEnding, type Payments } from '#core/payments';
import { type Changes, createChanges } from '#core/platform/change-feed';
import { brandOf } from '#core/platform/documents';
import { createOnceKeys } from '#core/platform/idempotency';
import type { AllowsPrivateHost } from '#core/platform/outbound';
import { createLimits, type RequestLimits } from '#core/platform/rate-limits';
import { chore, cleanUpJob, createScheduler } from '#core/platform/scheduling';
import { createReceipts, type Receipts } from '#core/receipts';
import { createReconciliation } from '#core/reconciliation';
import { createRecurring, type Recurring, type Subscription } from '#core/recurring';
import { createReporting } from '#core/reporting';
import { createSandbox } from '#core/sandbox';
import { beginSchedule, createSettlement, type Ending as SettlementEnding, type Settlements } from '#core/settlement';
import { createStatus, type StatusStation } from '#core/status';
import { createCustody, createVault, deriveKey, KeyRing } from '#core/vault';
import { createTransport, createWebhooks } from '#core/webhooks';
import { BACKED_UP, FREE_TEXT, PAYMENT_DATA } from './tables.ts';

export { BACKED_UP, ENTITIES } from './tables.ts';

/** What a request ended in, whose answer an Idempotency-Key keeps. */
export type Ending = PaymentEnding | InvoiceEnding | { readonly subscription: Subscription } | SettlementEnding;

export interface CoreOptions {
  readonly database: Database;
  /** The sandbox processor's own books. */
  readonly sandboxLedger: Database;
  /** Everything secret hangs on it: an opened key ring, or 32 bytes that the database knows nothing of. */
  readonly masterKey: KeyRing | Buffer;
  /** Interval at which the scheduler looks for work that other servers left behind, in real time; 15 s by default. */
  readonly lookForWorkEveryMs?: number;
  /** Number of lines that one unit of work puts into a settlement; 500 by default. */
  readonly settlementBlockLines?: number;
  /** Real time, unless a history is being made. */
  readonly clock?: Clock;
  /** The way to the processors of live gateways; HTTPS unless told otherwise. It is closed with the core. */
  readonly gatewayWire?: Wire;
  /** How long the sandbox lets the service wait for an answer that is lost. */
  readonly sandboxTimeoutMs?: number;
  /** Certificates in PEM that webhook receivers may show besides those of the public authorities. */
  readonly webhookCa?: readonly string[];
  /** Time that webhook receivers have to answer; five seconds by default. */
  readonly webhookTimeoutMs?: number;
  /** Private hosts that live tenants may name as a mail server, a provider of text messages or a webhook receiver; none by default. */
  readonly allowsPrivateHost?: AllowsPrivateHost;
  /** Requests per minute, hour and day of the tier enterprise; those of professional by default. */
  readonly enterpriseLimits?: RequestLimits;
  /** Where no webhook, message or payment ever goes: the server's own ports and its database's. */
  readonly ownAddresses?: () => readonly { readonly host: string; readonly port: number }[];
  /** The address of one of the screens, to be sent in a message to a user. */
  readonly pageUrl?: (path: string) => string;
  /** The address under which payers reach this server, where it is another than the screens'. */
  readonly publicUrl?: string;
  /** The bytes that a route answers with; an Idempotency-Key keeps them. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
  /** Where backups are made; without it there are none. */
  readonly backupStation?: BackupStation;
  /** The server around it, for the status. */
  readonly station?: StatusStation;
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** A tenant to be made, with its first merchant and its owner. */
export type NewTenant = NewTenantOnly & { readonly merchant: NewMerchant & { readonly currency: string; readonly timezone: string } };

export type Core = ReturnType<typeof createCore>;

/** Puts the capabilities together: the only place that knows all of them. */
export function createCore(options: CoreOptions) {
  const { database, sandboxLedger, masterKey, report, pageUrl = (path: string) => `http://localhost${path}` } = options;
  const clock = options.clock ?? systemClock;
  const changes: Changes = createChanges(database);
  const keyRing = masterKey instanceof KeyRing ? masterKey : KeyRing.given(database, masterKey);
  const { installation } = keyRing;
  const audit = createAudit(database, deriveKey(installation, 'audit'), clock);
  // Some need something of one that is made after them; each is handed a function.
  const later: {
    customers?: Customers;
    merchants?: Merchants;
    payments?: Payments;
    recurring?: Recurring;
    invoicing?: Invoicing;
    receipts?: Receipts;
    settlement?: Settlements;
  } = {};
  const allowsPrivateHost = options.allowsPrivateHost ?? (() => false);
  const merchantsNow = (): Merchants => later.merchants as Merchants;
  const vault = createVault({
    database,
    keyRing,
    clockOf: (tenantId) => identity.tenants.clockOf(tenantId),
    audit: audit.record,
    reach: (by, customerId) => (later.customers as Customers).reach(by, customerId),
  });
  const custody = createCustody({ database, keyRing, vault, audit: audit.record, report });
  const secrets = { seal: vault.sealText, open: vault.openText };
  const scheduler = createScheduler({
    database,
    clockOf: (tenantId) => identity.tenants.clockOf(tenantId),
    tenants: EVERY_TENANT,
    refreshClocks: () => identity.tenants.refreshClocks(),
    holdsCharges: () => backups.holdsCharges(),
    report,
    lookEveryMs: options.lookForWorkEveryMs,
  });
  const notifications = createNotifications({
    database,
    clockOf: (tenantId) => identity.tenants.clockOf(tenantId),
    isSandbox: (tenantId) => identity.tenants.environmentOf(tenantId) === 'sandbox',
    secrets,
    canManageUser: (by, userId) => identity.users.canManage(by, userId),
    ownersOf: (tenantId) => identity.users.ownersOf(tenantId),
    scheduler,
    audit: audit.record,
    changed: changes.tell,
    ca: options.webhookCa ?? [],
    forbidden: options.ownAddresses ?? (() => []),
    allowsPrivateHost,
    letterheadOf: async (tenantId, merchantId) => {
      const merchant = await merchantsNow().merchantFor({ tenantId, merchantId });
      return { brand: brandOf(merchant), language: merchant.language, email: merchant.email, country: merchant.country };
    },
    attachmentOf: async (tenantId, name): Promise<Attachment | null> => {
      const [kind, id = ''] = name.split(':');
      if (kind === 'invoice') return (later.invoicing as Invoicing).attachmentOf(tenantId, id);
      return kind === 'receipt' ? (later.receipts as Receipts).pdfOf(tenantId, id) : null;
    },
    report,
  });
  const { notify } = notifications;
  const identity = createIdentity({
    database,
    clock,
    codeKey: deriveKey(installation, 'one-time-codes'),
    secrets,
    audit: audit.record,
    sessionsEnded: (tenantId) => changes.tell(tenantId, 'sessions'),
    notify,
    delivers: notifications.delivers,
    pageUrl,
    withTenant: async (work, tenantId, nowMs) => {
      await chore(work, tenantId, nowMs);
      await beginBackups(work, tenantId, nowMs);
    },
    ceilingOf: async (tenantId, merchantId) => {
      const ceiling = await merchantsNow().ceilingOf(tenantId, merchantId);
      return ceiling === null ? null : permissionsFrom(ceiling);
    },
    merchantFor: async (by, named) => {
      const merchant = await merchantsNow().merchantFor(by, named);
      return { merchantId: merchant.merchantId, companyName: brandOf(merchant).companyName, language: merchant.language };
    },
    checkMerchant: async (by, merchantId) => void (await merchantsNow().get(by, merchantId)),
  });
  const { clockOf, environmentOf } = identity.tenants;
  const sandboxGateway = createSandboxGateway({ ledger: sandboxLedger, clockOf, timeoutMs: options.sandboxTimeoutMs });
  const gateways = createGateways({
    sandbox: sandboxGateway,
    environmentOf,
    accountOf: (tenantId, gatewayId) => merchantsNow().gateways.accountOf(tenantId, gatewayId),
    accountsOf: (tenantId, merchantId) => merchantsNow().gateways.accountsOf(tenantId, merchantId),
    wire: options.gatewayWire ?? createHttpWire({ forbidden: options.ownAddresses }),
    healthChanged: (tenantId) => changes.tell(tenantId, 'merchants'),
    report,
  });
  const merchants = createMerchants({
    database,
    clockOf,
    environmentOf,
    secrets,
    gateways,
    openAttempts: (tenantId, gatewayId) => (later.payments as Payments).openAttempts(tenantId, gatewayId),
    hasPayments: (tenantId, gatewayId) => (later.payments as Payments).hasPayments(tenantId, gatewayId),
    audit: audit.record,
    changes,
    withMerchant: beginSchedule,
    zoneChanged: (work, merchantId, timeZone) => (later.settlement as Settlements).zoneChanged(work, merchantId, timeZone),
    ownUrl: () => options.publicUrl ?? pageUrl(''),
    revokeKeys: identity.apiKeys.revokeOf,
    checkGrant,
    report,
  });
  later.merchants = merchants;
  const { merchantFor } = merchants;
  const once = createOnceKeys(database, clockOf);
  const limits = createLimits({ database, enterprise: options.enterpriseLimits });
  const transport = createTransport({
    ca: options.webhookCa,
    timeoutMs: options.webhookTimeoutMs,
    allowsPrivate: async (tenantId, host, port) =>
      environmentOf(tenantId) === 'sandbox' || (allowsPrivateHost(host, port) && (await merchants.allowsPrivateTargets(tenantId))),
    forbidden: options.ownAddresses ?? (() => []),
  });
  const webhooks = createWebhooks({ database, clockOf, secrets, transport, scheduler, changes, merchantFor, audit: audit.record });
  audit.publishWith(webhooks.publishActivity);
  const customers: Customers = createCustomers({
    database,
    vault,
    clockOf,
    merchantFor,
    audit: audit.record,
    changed: changes.tell,
    lastPayments: (tenantId, ids) => (later.payments as Payments).lastPayments(tenantId, ids),
    stopBilling: (work, by, customerId) => (later.recurring as Recurring).stopBilling(work, by, customerId),
    methodChanged: (work, changed) => (later.recurring as Recurring).revive(work, changed),
    methodRemoved: (work, removed) => (later.recurring as Recurring).letGoOf(work, removed),
  });
  later.customers = customers;
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
    doubtEnded: async (tenantId, transactionId) => {
      await (later.recurring as Recurring).doubtEnded(tenantId, transactionId);
      await (later.invoicing as Invoicing).doubtEnded(tenantId, transactionId);
    },
    paymentVoided: (work, voided) => (later.invoicing as Invoicing).paymentVoided(work, voided),
    paymentReturned: (work, returned) => (later.recurring as Recurring).paymentReturned(work, returned),
    scheduler,
    report,
  });
  later.payments = payments;
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
  later.recurring = recurring;
  const invoicing = createInvoicing({
    database,
    customers,
    merchants,
    payments,
    scheduler,
    once,
    clockOf,
    environmentOf,
    mailReceipt: (tenantId, of, claim) => (later.receipts as Receipts).emailOnce(tenantId, of, claim),
    ownUrls: () => [options.publicUrl ?? pageUrl(''), pageUrl('')],
    audit: audit.record,
    emit: webhooks.emit,
    notify,
    changed: changes.tell,
    renderAnswer: options.renderAnswer,
    report,
  });
  later.invoicing = invoicing;
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
    invoiceNumber: async (tenantId, invoiceId) => (await invoicing.get(serviceActor(tenantId), invoiceId)).number,
    invoiceOfPayment: (by, paymentId) => invoicing.ofPayment(by, paymentId),
    audit: audit.record,
    notify,
  });
  later.receipts = receipts;
  const settlement = createSettlement({
    database,
    payments,
    scheduler,
    clockOf,
    merchantFor,
    zoneIn: merchants.zoneIn,
    merchantsOf: (by) => merchants.merchantsOf(by),
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
  later.settlement = settlement;
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
    firstTenant: identity.tenants.first,
    zoneOf: async (tenantId) => (await merchantFor({ tenantId, merchantId: null })).timezone,
    audit: audit.record,
    report,
  });
  const status = createStatus({
    database,
    station: options.station,
    clockOf,
    environmentOf,
    firstTenant: identity.tenants.first,
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
      tenants: identity.tenants,
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
    /** Makes a tenant with its first merchant and its owner, all or nothing; as the first one, RESOURCE_CONFLICT where another is there already. */
    async createTenant(of: NewTenant, { asFirst = false } = {}): Promise<{ tenantId: string; merchantId: string }> {
      let merchantId = '';
      const tenantId = await identity.createTenant(of, async (work, id, nowMs) => {
        if (asFirst) await checkFirst(work, id);
        merchantId = await merchants.begin(work, id, of.merchant, of.environment, nowMs);
      });
      return { tenantId, merchantId };
    },
    async start(): Promise<void> {
      await identity.tenants.load();
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

/** Of several stations that are set up on one database at once, one makes the installation. */
async function checkFirst(work: Work, tenantId: string): Promise<void> {
  await work.alone('first tenant');
  const others = await work.all('SELECT id FROM tenants WHERE id <> :tenant LIMIT 1', { tenant: tenantId });
  if (others.length > 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'Another station has just set this database up: join it with its key.', {
      field: 'databaseUrl',
    });
}
