import { expect, test } from 'vitest';
import { ask as askWith } from '../../support/api-client.ts';
import { sendStatement } from '../../support/bank.ts';
import { ofx } from '../../support/bank-files.ts';
import { STRIPE_HEADER, stripeRow } from '../../support/customer-file.ts';
import { sendCustomers } from '../../support/customer-transfer.ts';
import { createCustomer, createCustomerWithCard, storeCard, subscribe } from '../../support/customers.ts';
import { CARDS, cardBody, createSale, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { concludeUnconfirmed, createUnconfirmedPayment } from '../../support/unconfirmed-payments.ts';
import { createUser } from '../../support/users.ts';
import { registerEndpoint } from '../../support/webhooks.ts';

const UNKNOWN = '00000000000000000000000000';

interface Operation {
  'x-permission'?: string;
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
}
type Document = { paths: Record<string, Record<string, Operation>> };
type Sent = Record<string, string>;

/** Every route with an ID, and its request with the IDs of an owner; derived from the document, so that no new route is forgotten. */
async function routesWithIds({ api }: ApiFixture) {
  const document = JSON.parse((await api.bare.get('/openapi.json')).text) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const names = Object.keys(operation.requestBody?.content['application/json']?.schema.properties ?? {});
      const named = names.filter((name) => /^(transactionId|tenderId|token|refundId|customerId|otpId|eventId)$/i.test(name));
      const takesId = (path.includes('{') && !path.includes('{channel}')) || (named.length > 0 && operation['x-permission'] !== undefined);
      const isOwners = operation['x-permission']?.startsWith('owner:') ?? false;
      return takesId ? [{ path, method, names, named, isOwners }] : [];
    }),
  );
}

async function strangers({ api, credentials }: ApiFixture): Promise<{ owner: Sent; admin: Sent; public: Sent; sdk: Sent }> {
  const { standardTenantId: tenantId, standardAdminEmail: email, standardAdminPassword: password } = credentials;
  const login = api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId });
  const { token } = await expectData(login);
  const first = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` };
  const me = await expectData(api.bare.get<{ merchants: { merchantId: string }[] }>('/api/v1/auth/me', first));
  const admins: Sent[] = [];
  // Each user has its own limit, and there are more routes than one user may call in a minute. The owner calls the routes of owners only.
  for (const one of Array.from({ length: 5 }, () => `${unique('stranger').replace(' ', '')}@standard.example`)) {
    const user = { email: one, role: 'admin', password, allMerchants: true };
    await expectData(api.bare.post(`/api/v1/merchants/${me.merchants[0]?.merchantId}/users`, user, first), 201);
    const { token: own } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', user, { 'X-Tenant-ID': tenantId }));
    admins.push({ 'X-Tenant-ID': tenantId, Authorization: `Bearer ${own}` });
  }
  // A key has a limit of its own too, and the two surfaces together have more routes than one key may call.
  const permissions = ['transactions:read', 'transactions:write', 'refunds:write'];
  const forSdk = { name: unique('stranger'), scope: 'tenant', permissions, currentPassword: password };
  // The owner has to call the routes of owners, so that an admin creates the keys.
  const creator = admins[1] as Sent;
  const newKey = async () => {
    const forPublic = { name: unique('stranger'), scope: 'tenant', currentPassword: password };
    return (await expectData(api.bare.post<{ key: string }>('/api/v1/api-keys', forPublic, creator), 201)).key;
  };
  const publicKeys = [await newKey(), await newKey()];
  const { key: sdkKey } = await expectData(api.bare.post<{ key: string }>('/api/v1/api-keys', forSdk, creator), 201);
  let turn = 0;
  return {
    owner: first,
    get admin() {
      turn += 1;
      return admins[turn % admins.length] as Sent;
    },
    get public() {
      turn += 1;
      return { 'X-Tenant-ID': tenantId, 'x-api-key': publicKeys[turn % publicKeys.length] ?? '' };
    },
    sdk: { Authorization: `Bearer ${sdkKey}` },
  };
}

async function owned(fixture: ApiFixture): Promise<Owned> {
  const { admin } = fixture.api;
  const { id: endpointId } = await registerEndpoint(fixture, 'https://nowhere.invalid/');
  const { transactionId, token } = await createSale(fixture, 40);
  const refund = await expectData(admin.post<{ refundId: string }>(`/transactions/${transactionId}/refund`, { amount: 5 }));
  const owing = await expectData(admin.post<TransactionRecord>('/transactions', cardBody(41, CARDS.refundDeclined)));
  await admin.post(`/transactions/${owing.transactionId}/refund`);
  const [entry] = await expectData(admin.get<{ id: string }[]>('/refund-decline-queue'));
  const { merchantId } = fixture.credentials;
  const gateway = await expectData(
    admin.post<{ id: string }>(`/merchants/${merchantId}/gateways`, { type: 'sandbox', name: unique('gw') }),
    201,
  );
  const user = await createUser(fixture, 'cashier', { permissions: ['transactions', 'credits'] });
  const role = await expectData(admin.post<{ id: string }>('/roles', { name: unique('role'), permissions: ['transactions'] }), 201);
  const key = await expectData(
    admin.post<{ id: string }>('/api-keys', {
      name: 'k',
      scope: 'merchant',
      merchantId,
      currentPassword: fixture.credentials.adminPassword,
    }),
    201,
  );
  const [session] = await expectData(admin.get<{ id: string }[]>(`/user-sessions?userId=${user.userId}`));
  const [delivery] = await expectData(admin.get<{ id: string }[]>(`/webhooks/${endpointId}/deliveries`));
  const { customerId, defaultPaymentMethodId } = await createCustomerWithCard(fixture);
  const { subscriptionId } = await subscribe(fixture, customerId);
  const { invoiceId } = await expectData(admin.post<{ invoiceId: string }>('/invoices', { customerId, amount: 42 }), 201);
  const receipt = { transactionId, email: 'payer@example.com' };
  const { messageId } = await expectData(admin.post<{ messageId: string }>('/notifications/receipt/email', receipt));
  const code = { type: 'email', destination: 'payer@example.com' };
  const { otpId } = await expectData(fixture.api.public.post<{ otpId: string }>('/otp/generate', code));
  // An amount that the report of the sandbox omits.
  await createSale(fixture, '44.13');
  const [settlement] = await expectData(
    admin.post<{ settlementId: string; settlementDate: string }[]>('/settlement/settle', { merchantId }),
  );
  const { settlementId = '', settlementDate: date = '' } = settlement ?? {};
  const run = await expectData(admin.post<{ runId: string; discrepancies: { id: string }[] }>('/settlement/reconciliation/auto', { date }));
  const { payoutId } = await expectData(admin.post<{ payoutId: string }>('/settlement/payout', { merchantId, amount: 1 }));
  await createSale(fixture, '21.00');
  await expectData(admin.post('/settlement/settle', { merchantId }));
  const { id: doubtId } = await createUnconfirmedPayment(fixture);
  await concludeUnconfirmed(fixture);
  const period = { merchantId, startDate: date, endDate: date };
  const { batchId } = await expectData(admin.post<{ batchId: string }>('/settlement/batch-payouts/generate', period));
  const disputed = await createSale(fixture, 46);
  const { disputeId } = await expectData(admin.post<{ disputeId: string }>('/disputes', { transactionId: disputed.transactionId }), 201);
  const { packId } = await expectData(admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, {}), 201);
  const document = new FormData();
  document.set('item', 'delivery');
  document.set('file', new Blob([new Uint8Array(PNG)]), 'slip.png');
  const { attachmentId } = await expectData(admin.post<{ attachmentId: string }>(`/disputes/${disputeId}/attachments`, document), 201);
  const [event] = await expectData(admin.get<{ id: string }[]>(`/webhooks/events?types=transaction.approved&limit=1`));
  const account = { merchantId, name: 'Checking', accountNumber: unique('DE98765432').replaceAll(' ', '') };
  const { bankAccountId } = await expectData(admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', account), 201);
  const lines = [{ day: date, minor: 1_200, text: 'ACME', reference: 'acme-1' }];
  const statement = ofx({ account: account.accountNumber, opening: 0, lines });
  await expectData(sendStatement(fixture, { merchantId, bankAccountId }, statement));
  const [line] = await expectData(admin.get<{ lineId: string }[]>(`/settlement/bank-lines?merchantId=${merchantId}&limit=1`));
  const rule = { merchantId, contains: unique('ACME FEE'), kind: 'fee' };
  const { ruleId } = await expectData(admin.post<{ ruleId: string }>('/settlement/bank-rules', rule), 201);
  const { id: recordingId } = await expectData(admin.post<{ id: string }>('/sandbox/recordings', { name: unique('recording') }), 201);
  await expectData(admin.post(`/sandbox/recordings/${recordingId}/stop`));
  const { tenderId } = await expectData(admin.post<{ tenderId: string }>('/tenders', { kind: 'cash', amount: 5 }), 201);
  const payer = await createCustomer(fixture);
  await storeCard(fixture, payer.customerId, CARDS.visa, { consentText: 'Charge it later.' });
  await expectData(admin.put(`/merchants/${payer.merchantId}/vt-settings`, { chargeLaterMaxAmount: 50 }));
  const queued = admin.post<{ laterPaymentId: string }>('/later', { customerId: payer.customerId, amount: 5 });
  const { laterPaymentId } = await expectData(queued, 201);
  const planInput = { invoice: { customerId: payer.customerId, amount: 20 }, count: 2, interval: 'monthly' };
  const { installmentPlanId } = await expectData(admin.post<{ installmentPlanId: string }>('/installment-plans', planInput), 201);
  const { itemId } = await expectData(admin.post<{ itemId: string }>('/items', { name: unique('item'), price: 5 }), 201);
  const drawer = unique('drawer');
  const { shiftId } = await expectData(admin.post<{ shiftId: string }>('/shifts/open', { drawer, amount: 0 }), 201);
  const rules = (change: object) =>
    expectData(admin.put(`/approvals/rules?merchantId=${merchantId}`, { ...change, currentPassword: fixture.credentials.adminPassword }));
  await rules({ unlinkedCredit: true });
  const credit = admin.post<{ approvalId: string }>(`/transactions/${transactionId}/credit`, { amount: 5 }, user.headers);
  const { approvalId } = await expectData(credit, 202);
  await rules({ inherited: true });
  const { importId } = await expectData(sendCustomers(fixture, `${STRIPE_HEADER}\n${stripeRow(1)}`, merchantId), 201);
  const transferKey = await expectData(
    admin.post<{ transferKeyId: string; publicKey: string }>('/customers/transfer-keys', { name: 'Old' }),
    201,
  );
  const { transferKeyId, publicKey } = transferKey;
  const exported = { publicKey, layout: 'paydesk', merchantId, currentPassword: fixture.credentials.adminPassword };
  const { exportId } = await expectData(admin.post<{ exportId: string }>('/customers/exports', exported), 201);
  const { journalExportId } = await expectData(admin.post<{ journalExportId: string }>('/reporting/journal/exports', period), 201);
  return {
    importId,
    exportId,
    journalExportId,
    transferKeyId,
    tenderId,
    laterPaymentId,
    installmentPlanId,
    itemId,
    shiftId,
    approvalId,
    recordingId,
    eventId: event?.id ?? '',
    bankAccountId,
    lineId: line?.lineId ?? '',
    ruleId,
    disputeId,
    packId,
    attachmentId,
    settlementId,
    batchId,
    payoutId,
    doubtId,
    runId: run.runId,
    discrepancyId: run.discrepancies[0]?.id ?? '',
    customerId,
    paymentMethodId: defaultPaymentMethodId ?? '',
    subscriptionId,
    invoiceId,
    messageId,
    otpId,
    transactionId,
    token,
    refundId: refund.refundId,
    merchantId,
    gatewayId: gateway.id,
    userId: user.userId,
    roleId: role.id,
    keyId: key.id,
    sessionId: session?.id ?? '',
    endpointId,
    deliveryId: delivery?.id ?? '',
    entryId: entry?.id ?? '',
  };
}

/** One pixel. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** IDs of records that do not exist, by the names that the routes use. */
const nothing = {
  importId: `cim_${UNKNOWN}`,
  exportId: `cex_${UNKNOWN}`,
  journalExportId: `jex_${UNKNOWN}`,
  transferKeyId: `tky_${UNKNOWN}`,
  tenderId: `tnd_${UNKNOWN}`,
  laterPaymentId: `ltr_${UNKNOWN}`,
  installmentPlanId: `ipl_${UNKNOWN}`,
  itemId: `itm_${UNKNOWN}`,
  shiftId: `shf_${UNKNOWN}`,
  approvalId: `apr_${UNKNOWN}`,
  disputeId: `dsp_${UNKNOWN}`,
  eventId: `evt_${UNKNOWN}`,
  recordingId: `rcd_${UNKNOWN}`,
  bankAccountId: `bac_${UNKNOWN}`,
  lineId: `bln_${UNKNOWN}`,
  ruleId: `brl_${UNKNOWN}`,
  packId: `dpk_${UNKNOWN}`,
  attachmentId: `dat_${UNKNOWN}`,
  transactionId: `txn_${UNKNOWN}`,
  refundId: `ref_${UNKNOWN}`,
  token: `tok_${UNKNOWN}`,
  merchantId: `mer_${UNKNOWN}`,
  endpointId: `whe_${UNKNOWN}`,
  deliveryId: `dlv_${UNKNOWN}`,
  entryId: `rdq_${UNKNOWN}`,
  gatewayId: `gw_${UNKNOWN}`,
  userId: `usr_${UNKNOWN}`,
  roleId: `rol_${UNKNOWN}`,
  keyId: `key_${UNKNOWN}`,
  sessionId: `ses_${UNKNOWN}`,
  customerId: `cus_${UNKNOWN}`,
  paymentMethodId: `pm_${UNKNOWN}`,
  subscriptionId: `sub_${UNKNOWN}`,
  invoiceId: `inv_${UNKNOWN}`,
  messageId: `msg_${UNKNOWN}`,
  otpId: `otp_${UNKNOWN}`,
  settlementId: `stl_${UNKNOWN}`,
  batchId: `bat_${UNKNOWN}`,
  payoutId: `pay_${UNKNOWN}`,
  runId: `rec_${UNKNOWN}`,
  discrepancyId: `dsc_${UNKNOWN}`,
  doubtId: `att_${UNKNOWN}`,
};

/** Records of one tenant. */
type Owned = Record<keyof typeof nothing, string>;

function idOf(ownedRecords: Owned, path: string, name: string): string {
  if (/^token$/i.test(name)) return ownedRecords.token;
  if (name === 'gwId') return ownedRecords.gatewayId;
  if (name === 'pmId') return ownedRecords.paymentMethodId;
  if (path.includes('/customers/imports/')) return ownedRecords.importId;
  if (path.includes('/customers/exports/')) return ownedRecords.exportId;
  if (path.includes('/customers/transfer-keys/')) return ownedRecords.transferKeyId;
  if (name === 'customerId' || (name === 'id' && path.includes('/customer'))) return ownedRecords.customerId;
  if (name === 'id' && path.includes('/recurring/')) return ownedRecords.subscriptionId;
  if (name === 'userId' || name === 'merchantId' || name === 'otpId') return ownedRecords[name];
  if (name === 'batchId' || name === 'payoutId' || name === 'runId' || name === 'journalExportId') return ownedRecords[name];
  if (name === 'packId' || name === 'attachmentId' || name === 'disputeId' || name === 'lineId' || name === 'ruleId')
    return ownedRecords[name];
  if (name === 'bankAccountId') return ownedRecords.bankAccountId;
  if (name === 'itemId' || (name === 'id' && path.includes('/items/'))) return ownedRecords.itemId;
  if (name === 'tenderId' || name === 'shiftId') return ownedRecords[name];
  if (name === 'id' && path.includes('/installment-plans/')) return ownedRecords.installmentPlanId;
  if (name === 'id' && path.includes('/later/')) return ownedRecords.laterPaymentId;
  if (name === 'id' && path.includes('/tenders/')) return ownedRecords.tenderId;
  if (name === 'id' && path.includes('/shifts/')) return ownedRecords.shiftId;
  if (name === 'id' && path.includes('/recordings/')) return ownedRecords.recordingId;
  if (name === 'id' && path.includes('/webhooks/events/')) return ownedRecords.eventId;
  if (name === 'id' && path.includes('/approvals/')) return ownedRecords.approvalId;
  if (name === 'id' && path.includes('/disputes/')) return ownedRecords.disputeId;
  if (name === 'id' && path.includes('/settlements/')) return ownedRecords.settlementId;
  if (name === 'id' && path.includes('/discrepancies/')) return ownedRecords.discrepancyId;
  const [, area = ''] = /\/api\/v1\/([a-z-]+)/.exec(path) ?? [];
  const ofArea: Record<string, string> = {
    merchants: ownedRecords.merchantId,
    users: ownedRecords.userId,
    roles: ownedRecords.roleId,
    'api-keys': ownedRecords.keyId,
    'user-sessions': ownedRecords.sessionId,
    invoices: ownedRecords.invoiceId,
    notifications: ownedRecords.messageId,
    doubts: ownedRecords.doubtId,
  };
  if (name === 'id' && ofArea[area] !== undefined) return ofArea[area];
  if (path.includes('/webhooks') && name === 'id') return ownedRecords.endpointId;
  if (name === 'deliveryId' || name === 'entryId' || name === 'eventId') return ownedRecords[name];
  if (/^refundId$/i.test(name)) return ownedRecords.refundId;
  if (/^transactionId$/i.test(name) || (name === 'id' && /\/transactions?\//.test(path))) return ownedRecords.transactionId;
  throw new Error(`No record is made for \`${name}\` of ${path}: add one to \`owned\`.`);
}

/** Fields that some routes require in addition to an ID before they look it up. */
const WANTED: Readonly<Record<string, unknown>> = {
  eventType: 'transaction.approved',
  since: '2026-01-01',
  email: 'new@demo.example',
  role: 'viewer',
  permissions: ['transactions'],
  rules: [{ default: 'sandbox' }],
  name: 'another',
  frequency: 'monthly',
  period: 'monthly',
  phone: '+12075550142',
  code: '123456',
  note: 'looked at',
  fromDate: '2026-01-01',
  contains: 'ACME',
  kind: 'fee',
  parts: [{ kind: 'fee' }],
};
const OWN_WANTED: Readonly<Record<string, Record<string, unknown>>> = {
  '/gateways': { type: 'sandbox' },
  '/tip': { tipAmount: 2, TipAmount: 2 },
  '/tenders': { kind: 'other' },
  '/drawer': { reason: 'Change' },
  '/pay-in': { reason: 'Change' },
  '/pay-out': { reason: 'Change' },
  '/payment-method': { paymentMethodId: 'pm_x' },
  '/conclude': { status: 'failed', outcome: 'failed' },
};
/** Belongs to the whole tenant, so users of every merchant may access it. */
const OF_THE_TENANT = /^\/api\/v1\/(roles|transactions$|public\/(token-transaction|decrypt-token))/;

/** A response with the IDs of one owner, written with those of another. */
const translated = (text: string, from: Owned, to: Owned) =>
  Object.entries(from).reduce((result, [name, id]) => result.replaceAll(id, to[name as keyof Owned]), text);

type RouteWithId = Omit<Awaited<ReturnType<typeof routesWithIds>>[number], 'isOwners'>;

/** Calls a route for a record of another account. */
function askFor({ api }: ApiFixture, { path, method, names, named }: RouteWithId, ownedRecords: Owned, headers: Sent, password: string) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(ownedRecords, path, name));
  const amounts = names.filter((name) => /^amount$/i.test(name)).map((name) => [name, 5]);
  const byToken = names.includes('paymentMethod') ? [['paymentMethod', 'token']] : [];
  const wanted = Object.entries({
    ...WANTED,
    currentPassword: password,
    ...OWN_WANTED[path.slice(path.lastIndexOf('/'))],
    ...(path.includes('/disputes/') ? { outcome: 'lost' } : {}),
    ...(path.includes('/items/') ? { kind: 'item' } : {}),
  }).filter(([name]) => names.includes(name));
  const body = Object.fromEntries([
    ...amounts,
    ...byToken,
    ...wanted,
    ...named.map((name) => [name, idOf(ownedRecords, path, name)]),
  ]) as Record<string, unknown>;
  return askWith(api.bare, method, filled, body, headers);
}

let made = 0;
function unique(name: string): string {
  made += 1;
  return `${name} ${made}`;
}

describeOnAnyDatabase('merchants of one tenant', (fixture) => {
  test('refuses callers of one merchant on every route with records of another merchant, without any effect', async () => {
    const { api, credentials } = fixture();
    const theirs = await owned(fixture());
    const other = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'The other shop' }), 201);
    const { headers, password } = await createUser(fixture(), 'admin', {}, other.merchantId);
    const key = await expectData(
      api.admin.post<{ key: string }>('/api-keys', {
        name: 'other',
        scope: 'merchant',
        merchantId: other.merchantId,
        currentPassword: credentials.adminPassword,
      }),
      201,
    );
    const sent = {
      admin: headers,
      public: { 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key.key },
      sdk: { Authorization: `Bearer ${key.key}` },
    };
    const before = await expectData(api.admin.get<TransactionRecord>(`/transactions/${theirs.transactionId}`));
    for (const route of await routesWithIds(fixture())) {
      if (OF_THE_TENANT.test(route.path)) continue;
      const surface = route.path.includes('/public/') ? 'public' : route.path.includes('/sdk/') ? 'sdk' : 'admin';
      // The merchant is that of the caller if a route names one in addition to the record.
      const about = route.path.includes('{userId}') ? { ...theirs, merchantId: other.merchantId } : theirs;
      const answer = await askFor(fixture(), route, about, sent[surface], password);
      // A code is known only to its recipient.
      const expected = route.path.includes('{userId}') || route.path.includes('/otp/') ? 404 : 403;
      expect(answer.status, `${route.method} ${route.path}: ${answer.text}`).toBe(expected);
      const codes = route.isOwners ? ['PERMISSION_DENIED', 'MERCHANT_NOT_AUTHORIZED'] : ['MERCHANT_NOT_AUTHORIZED'];
      if (expected === 403) expect(codes).toContain(answer.body.error.code);
    }
    expect(await expectData(api.admin.get(`/transactions/${theirs.transactionId}`))).toEqual(before);
    for (const list of [
      '/transactions?limit=200',
      '/refunds',
      '/webhooks',
      '/customers?limit=200',
      '/recurring?limit=200',
      '/invoices?limit=200',
      '/notifications/messages?limit=200',
      '/api-keys',
      '/user-sessions',
      '/audit-logs?limit=200',
      '/merchants',
    ]) {
      const { text } = await api.bare.get(`/api/v1${list}`, headers);
      for (const id of [
        theirs.transactionId,
        theirs.refundId,
        theirs.endpointId,
        theirs.keyId,
        theirs.merchantId,
        theirs.customerId,
        theirs.subscriptionId,
        theirs.invoiceId,
        theirs.messageId,
      ])
        expect(text).not.toContain(id);
    }
  });
});

describeOnAnyDatabase('separation of tenants', (fixture) => {
  test('answers every route with an ID of another tenant exactly like an unknown one, without any effect', async () => {
    const { api, credentials } = fixture();
    const theirs = await owned(fixture());
    const before = await expectData(api.admin.get<TransactionRecord>(`/transactions/${theirs.transactionId}`));
    const headers = await strangers(fixture());
    const routes = await routesWithIds(fixture());
    expect(routes.length).toBeGreaterThan(15);
    for (const { path, method, names, named, isOwners } of routes) {
      const surface = isOwners ? 'owner' : path.includes('/public/') ? 'public' : path.includes('/sdk/') ? 'sdk' : 'admin';
      const ask = (ownedRecords: Owned) =>
        askFor(fixture(), { path, method, names, named }, ownedRecords, headers[surface], credentials.standardAdminPassword);
      const [foreign, unknown] = [await ask(theirs), await ask(nothing)];
      expect(foreign.status, `${method} ${path}: ${foreign.text}`).toBe(404);
      expect(unknown.status, `${method} ${path}: ${unknown.text}`).toBe(404);
      expect(translated(foreign.text, theirs, nothing), `${method} ${path}`).toBe(unknown.text);
    }
    expect(await expectData(api.admin.get(`/transactions/${theirs.transactionId}`))).toEqual(before);
  });
});

describeOnAnyDatabase('records of tenants', (fixture) => {
  test('treats a merchant of another tenant as unknown, and lists and exports no record of another tenant', async () => {
    const { api } = fixture();
    const theirs = await owned(fixture());
    const { admin } = await strangers(fixture());
    const sell = (merchantId: string) => api.bare.post('/api/v1/transactions', cardBody(5, CARDS.visa, { merchantId }), admin);
    const [foreign, unknown] = [await sell(theirs.merchantId), await sell(nothing.merchantId)];
    await expectError(foreign, 404, 'MERCHANT_NOT_FOUND');
    expect(translated(foreign.text, theirs, nothing)).toBe(unknown.text);
    for (const path of ['/transactions', '/refunds']) {
      const [named, none] = [theirs, nothing].map(({ merchantId }) => api.bare.get(`/api/v1${path}?merchantId=${merchantId}`, admin));
      expect(translated((await named)?.text ?? '', theirs, nothing)).toBe((await none)?.text);
    }
    const { transactionId } = theirs;
    const searches = [`/transactions?q=${transactionId}`, `/refunds?transactionId=${transactionId}`, '/transactions?limit=200', '/refunds'];
    for (const path of searches) expect((await api.bare.get(`/api/v1${path}`, admin)).text).not.toContain(transactionId);
    const csv = await api.bare.get('/api/v1/transactions/export?format=csv', admin);
    expect(csv.status).toBe(200);
    expect(csv.text).not.toContain(transactionId);
  });

  test('separates Idempotency-Keys of different tenants', async () => {
    const { api } = fixture();
    const body = { Amount: 12, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
    const key = { 'Idempotency-Key': 'the same in both tenants' };
    const first = await api.public.post<TransactionRecord>('/transaction', body, key);
    const second = await api.standard.post<TransactionRecord>('/transaction', body, key);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect((await expectData(second)).transactionId).not.toBe((await expectData(first)).transactionId);
  });
});
