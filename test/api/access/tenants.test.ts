import { expect, test } from 'vitest';
import { ask as askWith } from '../../support/api-client.ts';
import { withoutReferences } from '../../support/openapi.ts';
import { createOwnedRecords, idOf, type OwnedRecords, unique } from '../../support/owned-records.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

const UNKNOWN = '00000000000000000000000000';

interface Operation {
  'x-permission'?: string;
  requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> };
}
type Document = { paths: Record<string, Record<string, Operation>> };
type Sent = Record<string, string>;

/** The records of the account that others ask for: no test changes them. */
const theirRecords = new Map<string, Promise<OwnedRecords>>();
function recordsOfOwner(fixture: ApiFixture): Promise<OwnedRecords> {
  const created = theirRecords.get(fixture.baseUrl) ?? createOwnedRecords(fixture);
  theirRecords.set(fixture.baseUrl, created);
  return created;
}

/** Every route with an ID, and its request with the IDs of an owner; derived from the document, so that no new route is forgotten. */
async function routesWithIds({ api }: ApiFixture) {
  const document = withoutReferences(JSON.parse((await api.bare.get('/openapi.json')).text) as Document);
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
  for (const one of Array.from({ length: 6 }, () => `${unique('stranger').replace(' ', '')}@standard.example`)) {
    const user = { email: one, role: 'admin', password, allMerchants: true };
    await expectData(api.bare.post(`/api/v1/merchants/${me.merchants[0]?.merchantId}/users`, user, first), 201);
    const { token: own } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', user, { 'X-Tenant-ID': tenantId }));
    admins.push({ 'X-Tenant-ID': tenantId, Authorization: `Bearer ${own}` });
  }
  // A key has a limit of its own too, and the two surfaces together have more routes than one key may call.
  const permissions = ['transactions:read', 'transactions:write', 'refunds:write', 'credits:write'];
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

/** IDs of records that do not exist, by the names that the routes use. */
const nothing: OwnedRecords = {
  importId: `cim_${UNKNOWN}`,
  exportId: `cex_${UNKNOWN}`,
  journalExportId: `jex_${UNKNOWN}`,
  transferKeyId: `tky_${UNKNOWN}`,
  tenderId: `tnd_${UNKNOWN}`,
  orderId: `ord_${UNKNOWN}`,
  giftCardId: `gcd_${UNKNOWN}`,
  queuedPaymentId: `qpy_${UNKNOWN}`,
  installmentPlanId: `ipl_${UNKNOWN}`,
  itemId: `itm_${UNKNOWN}`,
  shiftId: `shf_${UNKNOWN}`,
  terminalId: `trm_${UNKNOWN}`,
  cardSaveId: `csv_${UNKNOWN}`,
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
  linkId: `cpl_${UNKNOWN}`,
  lateFeeId: `lfe_${UNKNOWN}`,
  hostedPageId: `hpg_${UNKNOWN}`,
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
  unconfirmedPaymentId: `att_${UNKNOWN}`,
};

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
  action: 'chip',
};
const OWN_WANTED: Readonly<Record<string, Record<string, unknown>>> = {
  '/gateways': { type: 'sandbox' },
  '/late-fee-settings': { kind: 'percent' },
  '/dry-run': { kind: 'percent' },
  '/reverse': { reason: 'Agreed with the customer' },
  '/tip': { tipAmount: 2, TipAmount: 2 },
  '/tenders': { kind: 'other' },
  '/promise': { date: '2099-01-01', by: 'Ann' },
  '/gift-cards': { reason: 'Late delivery' },
  '/extend': { expiresOn: '2099-01-01', reason: 'Agreed with the customer' },
  '/reload': { reason: 'Late delivery' },
  '/drawer': { reason: 'Change' },
  '/pay-in': { reason: 'Change' },
  '/pay-out': { reason: 'Change' },
  '/payment-method': { paymentMethodId: 'pm_x' },
  '/card-saves': { terminalId: 'trm_x', consentText: 'Store it.' },
  '/conclude': { status: 'failed', outcome: 'failed' },
  '/shopifyTransaction': {
    currency: 'USD',
    gid: 'gid-of-another',
    paymentMethod: { type: 'card', data: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031' } },
  },
};
/** Belongs to the whole tenant, so users of every merchant may access it. */
const OF_THE_TENANT = /^\/api\/v1\/(roles|transactions$|public\/(token-transaction|decrypt-token))/;

/** A response with the IDs of one owner, written with those of another. */
const translated = (text: string, from: OwnedRecords, to: OwnedRecords) =>
  Object.entries(from).reduce((result, [name, id]) => result.replaceAll(id, to[name as keyof OwnedRecords]), text);

type RouteWithId = Omit<Awaited<ReturnType<typeof routesWithIds>>[number], 'isOwners'>;

/** Calls a route for a record of another account. */
function askFor(
  { api }: ApiFixture,
  { path, method, names, named }: RouteWithId,
  ownedRecords: OwnedRecords,
  headers: Sent,
  password: string,
) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => idOf(ownedRecords, path, name));
  const amounts = names.filter((name) => /^amount$/i.test(name)).map((name) => [name, 5]);
  const byToken = names.includes('paymentMethod') ? [['paymentMethod', 'token']] : [];
  const wanted = Object.entries({
    ...WANTED,
    currentPassword: password,
    ...OWN_WANTED[path.slice(path.lastIndexOf('/'))],
    ...(path.includes('/disputes/') ? { outcome: 'lost' } : {}),
    ...(path.endsWith('/gift-cards/refund') ? { orderId: ownedRecords.orderId } : {}),
    ...(path.endsWith('/sdk/transaction') ? { CardNumber: CARDS.visa, ExpiryDate: '1231' } : {}),
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

describeOnAnyDatabase('merchants of one tenant', (fixture) => {
  test('refuses callers of one merchant on every route with records of another merchant, without any effect', async () => {
    const { api, credentials } = fixture();
    const theirs = await recordsOfOwner(fixture());
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
      const isOfMerchant = route.path.includes('{merchantId}/users/{userId}');
      const expected = isOfMerchant || route.path.includes('/otp/') ? 404 : 403;
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
    const theirs = await recordsOfOwner(fixture());
    const before = await expectData(api.admin.get<TransactionRecord>(`/transactions/${theirs.transactionId}`));
    const headers = await strangers(fixture());
    const routes = await routesWithIds(fixture());
    expect(routes.length).toBeGreaterThan(15);
    for (const { path, method, names, named, isOwners } of routes) {
      const surface = isOwners ? 'owner' : path.includes('/public/') ? 'public' : path.includes('/sdk/') ? 'sdk' : 'admin';
      const ask = (ownedRecords: OwnedRecords) =>
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
    const theirs = await recordsOfOwner(fixture());
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
