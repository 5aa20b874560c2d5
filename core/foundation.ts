import { type CheckApproval, createApprovals } from '#core/access/approvals';
import { checkGrant, createIdentity, createTenants, createUserAccess, EVERY_TENANT, type RevokeKeysBeyond } from '#core/access/identity';
import { watchedPages } from '#core/billing/invoicing';
import { beginSchedule } from '#core/books/settlement';
import type { Read } from '#core/database';
import { NO_OTHER_PROCESSES, realNow, systemClock } from '#core/kernel';
import { type ChangeFeed, createChangeFeed } from '#core/platform/change-feed';
import { brandOf } from '#core/platform/documents';
import { createIdempotencyKeys } from '#core/platform/idempotency';
import { createCheckedFetch, createTrust } from '#core/platform/outbound';
import { createLimits } from '#core/platform/rate-limits';
import { createScheduler, scheduleMaintenance } from '#core/platform/scheduling';
import { createConnectivity, hasNetwork } from '#core/processing/connectivity';
import { createDomainEvents } from '#core/processing/domain-events';
import { createGateways, createHttpClient, createSandboxGateway } from '#core/processing/gateways';
import { createMerchantDirectory, createMerchants } from '#core/processing/merchants';
import { createAudit, entryCount } from '#core/records/audit';
import { beginBackups, createChargeHold } from '#core/records/backup';
import { post } from '#core/records/ledger';
import { createNotifications, MESSAGE_LIMITS } from '#core/records/notifications';
import { createKeyManagement, createVault, deriveKey, KeyRing } from '#core/records/vault';
import { createTransport, createWebhooks, newestEventNumber, webhookSecretFrom } from '#core/records/webhooks';
import { merchantOfCustomer } from '#core/sales/customers';
import { hasPayments, openAttempts } from '#core/sales/payments';
import type { CoreOptions } from './options.ts';

/** Queue of payments, which the connectivity of gateways asks and tells, although it stands above it. */
interface Queue {
  returned: (tenantId: string, merchantId: string) => Promise<void>;
  waitingPayments: (tenantId: string, merchantId: string) => Promise<number>;
}

export type Foundation = ReturnType<typeof createFoundation>;

/**
 * Constructs the capabilities that sales, billing, books and operation stand on: records, processing and access.
 * `common` is what every capability above them is given.
 */
export function createFoundation(options: CoreOptions, queue: Queue) {
  const { database, sandboxLedger, masterKey, report, pageUrl = (path: string) => `http://localhost${path}` } = options;
  const { clock = systemClock, processes = NO_OTHER_PROCESSES } = options;
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
    placement: options.jobPlacement,
    processes,
    checkEveryMs: options.lookForWorkEveryMs,
  });
  const directory = createMerchantDirectory({ database, secrets, changes, report });
  const { sandboxTimeoutMs: timeoutMs, sandboxSlowMs: slowMs } = options;
  const sandboxGateway = createSandboxGateway({ ledger: sandboxLedger, clockOf, pageUrl, timeoutMs, slowMs });
  const gateways = createGateways({
    sandbox: sandboxGateway,
    environmentOf,
    accountOf: directory.accounts.accountOf,
    accountsOf: directory.accounts.accountsOf,
    httpClient: options.gatewayHttpClient ?? createHttpClient({ forbidden: options.ownAddresses }),
    processes,
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
    watchedPages: (tenantId, gatewayId) => watchedPages(database, tenantId, gatewayId),
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
  const revokeKeysBeyond: RevokeKeysBeyond = async (work, actor, people, keepApiKeyIds) => {
    await identity.apiKeys.revokeBeyond(work, actor, people, keepApiKeyIds);
    for (const person of people) await events.publish(work, 'user.rights-changed', { actor, ...person });
  };
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
  const connectivity = createConnectivity({
    ...common,
    environmentOf,
    tenantIds: tenants.ids,
    merchants,
    sandboxGateway,
    notifications,
    hasNetwork: options.hasNetwork ?? hasNetwork,
    ...queue,
  });
  const approvals = createApprovals({ ...common, environmentOf, identity, secrets, merchantsOf: (actor) => merchants.merchantsOf(actor) });
  return {
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
  };
}

/** Returns a text that changes whenever a server writes an event or an entry of the audit log. */
const changeVersionOf = async (read: Read): Promise<string> => `${await newestEventNumber(read)}/${await entryCount(read)}`;
