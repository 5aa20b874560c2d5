// What a session by PIN, one with an earlier sign-in and one with a recent sign-in may do, on every route of the Admin surface.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PIN_PERMISSIONS } from '#core/access/identity';
import { type Route, urlOf } from '#server/http';
import { openApiDocument } from '../../../server/openapi/index.ts';
import { allRoutes } from '../../../server/routes/index.ts';
import { sendRequest } from '../../support/api-client.ts';
import { refreshed } from '../../support/earlier-sign-in.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, FULL, startTestServer } from '../../support/server.ts';
import { createUser, type SignedInUser, type Tokens } from '../../support/users.ts';

type Confirmation = 'recent' | 'password' | 'none';
type Headers = Record<string, string>;

const ROUTES = allRoutes({} as never, () => ({}) as never).filter(({ surface }) => surface === 'admin');
const BY_PIN: ReadonlySet<string> = PIN_PERMISSIONS;
const PIN = '481627';
const EARLIER_MS = 16 * 60_000;
const LATER_MS = 61_000;

/** Permissions by which a person changes access: each of their changes is confirmed, except for these. */
const ACCESS = new Set(['users:write', 'roles:write', 'api-keys:write', 'owner:channels']);
const UNCONFIRMED = new Set([
  // The first help after a theft, which gives nobody a right.
  'admin.revokeSession',
]);

/** Confirmations of all other changes that a session by PIN cannot make. A new route is added here. */
const OTHER_CHANGES: Readonly<Record<string, Confirmation>> = {
  // Access, keys, channels, and where money and backups go.
  'admin.addGateway': 'recent',
  'admin.changeArchive': 'recent',
  'admin.changeAuditAnchors': 'recent',
  'admin.changeBackup': 'recent',
  'admin.changeGatewayRouting': 'recent',
  'admin.changePermissions': 'recent',
  'admin.changeSettings': 'recent',
  'admin.createTransferKey': 'recent',
  'admin.createWebhookEndpoint': 'recent',
  'admin.rotateWebhookSecret': 'recent',
  'admin.updateWebhookEndpoint': 'recent',
  'admin.deleteMerchant': 'recent',
  'admin.reopenMerchant': 'recent',
  'admin.destroyTransferKey': 'recent',
  'admin.removeGateway': 'recent',
  'admin.renewDataKey': 'recent',
  'admin.rotateSigningKey': 'recent',
  'admin.saveCompanySignIn': 'recent',
  'admin.allowCompanyAccount': 'recent',
  'admin.startFailoverRehearsal': 'recent',
  'admin.updateGateway': 'recent',
  'admin.resetTwoFactor': 'password',
  'admin.createCustomerExport': 'password',
  'admin.exchangeMasterKey': 'password',
  'admin.makeRecoveryFile': 'password',
  // Notes that the file of a confirmed request was stored.
  'admin.recoveryFileSaved': 'none',
};

/** Changes of other settings and records, which nobody confirms. Those of webhook endpoints have an alias each. */
const NOT_CONFIRMED = new Set(
  `
    creditOnTerminal pairTerminal checkTerminal updateTerminal removeTerminal presentToSandboxTerminal
    createMerchant provisionMerchant updateMerchant changeFraudSettings changeVtSettings
    changeAmountSettings changeBranding changeDunningSettings changeLateFeeSettings changeReminderSettings checkGateway importCardRanges concludeUnconfirmedPayment acknowledgeUnconfirmedPayment
    extendGiftCard importGiftCards replaceGiftCard unblockGiftCard
    readCustomerImport runCustomerImport stopCustomerImport discardCustomerImport downloadCustomerExport createItem
    importItems orderItems updateItem updateSettlementSchedule settleNow createPayout generateBatchPayout
    concludeBatchPayout mailFundingReport mailReport runReconciliation resolveDiscrepancy reopenDiscrepancy importSettlements noteHostedPage
    createBankAccount updateBankAccount deleteBankAccount importBankStatement matchBankLine matchBankLines undoBankMatch createBankRule updateBankRule
    deleteBankRule closePeriod reopenPeriod deleteWebhookEndpoint
    testWebhookEndpoint startWebhookCatchUp stopWebhookCatchUp sendWebhookEvent
    redeliverFailedWebhooks redeliverWebhook testMessageChannel moveSandboxClock setSandboxGateway setSandboxTier raiseSandboxChargeback returnSandboxPayment
    resetSandbox startSandboxRecording stopSandboxRecording deleteSandboxRecording replaySandboxRecording
    updateJournalAccounts createJournalExport beginBackup checkBackup resumeAfterRestore exportData beginArchive
    checkArchive stopFailoverRehearsal exportFundingReport
  `
    .trim()
    .split(/\s+/)
    .map((name) => `admin.${name}`),
);

/** Changes of the caller's own account. */
const OWN: Readonly<Record<string, Confirmation>> = {
  'admin.changePassword': 'password',
  'admin.setPin': 'password',
  'admin.removePin': 'password',
  'admin.setTwoFactor': 'password',
  'admin.enrollAuthenticatorApp': 'password',
  'admin.renewRecoveryCodes': 'password',
  // Needs a code of the app whose enrollment was confirmed.
  'admin.confirmAuthenticatorApp': 'none',
  'admin.setName': 'none',
};

/** Routes without a permission that a session by PIN may use: the work at the counter. */
const SESSION_BY_PIN = new Set([
  'admin.me',
  'admin.setLanguage',
  'admin.listPeople',
  'admin.switchPerson',
  'admin.listenForChanges',
  'admin.rateLimitStatus',
  'admin.listApprovals',
  'admin.getApproval',
  'admin.listApprovers',
  'admin.approveOperation',
  'admin.rejectOperation',
  'admin.listToDo',
]);

/** Route with a permission of the counter that no session by PIN may use, because money could go to any card. */
const NOT_BY_PIN = 'admin.creditOnTerminal';

const mayByPin = ({ id, permission, exports }: Route) =>
  permission === 'session' ? SESSION_BY_PIN.has(id) : BY_PIN.has(permission ?? '') && exports === undefined && id !== NOT_BY_PIN;

function expectedConfirmation(route: Route): Confirmation | 'not classified' {
  const { id, method, permission } = route;
  if (method === 'GET' || mayByPin(route) || UNCONFIRMED.has(id)) return 'none';
  const isOther = NOT_CONFIRMED.has(id) || NOT_CONFIRMED.has(id.replace(/Alias$/, ''));
  return isOther
    ? 'none'
    : (OTHER_CHANGES[id.replace(/Alias$/, '')] ?? OWN[id] ?? (ACCESS.has(permission ?? '') ? 'recent' : 'not classified'));
}

describe('the route table', () => {
  test('confirms exactly the changes of access, keys, channels and addresses', () => {
    const wrong = ROUTES.filter((route) => (route.confirms?.level ?? 'none') !== expectedConfirmation(route));
    expect(wrong.map((route) => `'${route.id}': '${route.confirms?.level ?? 'none'}' (${expectedConfirmation(route)})`)).toEqual([]);
  });

  test('opens routes without a permission to sessions by PIN one by one', () => {
    const open = ROUTES.filter(({ permission, byPin }) => permission === 'session' && byPin);
    expect(open.map(({ id }) => id).toSorted()).toEqual([...SESSION_BY_PIN].toSorted());
  });
});

describe.each(ANY_DATABASE)('every route of the Admin surface (%s)', (database) => {
  let fixture: ApiFixture;
  let stop: () => Promise<void>;
  let recent: Record<string, Headers>;
  let earlier: Record<string, Headers>;
  let byPin: Record<string, Headers>;

  beforeAll(async () => {
    const started = await startTestServer(database, { trustedProxy: 'loopback' }, 'small');
    stop = started.stop;
    const { baseUrl, credentials } = started.server;
    if (credentials === undefined) throw new Error('The server has demo credentials.');
    fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    const people: Record<string, SignedInUser> = {};
    for (const role of ['owner', 'admin', 'manager', 'cashier']) people[role] = await createUser(fixture, role, { allMerchants: true });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + EARLIER_MS });
    earlier = {};
    for (const [role, user] of Object.entries(people)) earlier[role] = await refreshed(fixture, user);
    vi.setSystemTime(Date.now() + LATER_MS);
    recent = {};
    byPin = {};
    const { bare } = fixture.api;
    const tenant = { 'X-Tenant-ID': credentials.tenantId, 'X-Paydesk-Client': 'screen' };
    for (const [role, { userId, email, password }] of Object.entries(people)) {
      const signIn = async () => {
        const { token } = await expectData(bare.post<Tokens>('/api/v1/auth/login', { email, password }, tenant));
        return { ...tenant, Authorization: `Bearer ${token}` };
      };
      recent[role] = await signIn();
      const screen = await signIn();
      await expectData(bare.put('/api/v1/auth/pin', { pin: PIN, currentPassword: password }, screen));
      const { token } = await expectData(bare.post<Tokens>('/api/v1/auth/switch', { userId, pin: PIN }, screen));
      byPin[role] = { ...tenant, Authorization: `Bearer ${token}` };
    }
  });
  afterAll(async () => {
    vi.useRealTimers();
    await stop();
  });

  /** Sends a request; `{broken` passes the checks of the caller only. */
  async function send(route: Route, headers: Headers, body: string | undefined) {
    const answer = await sendRequest(fixture.baseUrl + urlOf(route).replace(/:\w+/g, 'x'), {
      method: route.method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body,
    });
    const isRefused = answer.status === 403;
    const { error } = isRefused ? (JSON.parse(answer.text) as { error: { code: string; details?: { reason?: string } } }) : { error: null };
    return error === null ? 'in' : (error.details?.reason ?? error.code);
  }
  const BROKEN = '{broken';
  const bodyFor = ({ method }: Route) => (method === 'GET' ? undefined : BROKEN);

  for (const role of ['owner', 'admin', 'manager', 'cashier'])
    test(`refuses a session by PIN of the role ${role} all but the work at the counter`, role === 'owner' ? {} : FULL, async () => {
      const wrong: string[] = [];
      for (const route of ROUTES.filter(({ id }) => id !== 'admin.listenForChanges')) {
        const outcome = await send(route, byPin[role] as Headers, bodyFor(route));
        const withPassword = await send(route, recent[role] as Headers, bodyFor(route));
        const expected = mayByPin(route) ? withPassword : 'pin_session';
        if (outcome !== expected) wrong.push(`${route.id}: ${outcome} instead of ${expected}`);
      }
      expect(wrong).toEqual([]);
    });

  test('asks a person with an earlier sign-in for the password, and one with a recent sign-in only where the password is always needed', async () => {
    const wrong: string[] = [];
    for (const route of ROUTES.filter(({ confirms }) => confirms?.level === 'recent' && confirms.when === undefined)) {
      const isLiveOnly = route.confirms?.accounts === 'live';
      const body = JSON.stringify(bodyOf(route));
      const asked = await send(route, earlier.owner as Headers, body);
      if (asked !== (isLiveOnly ? 'in' : 'confirmation_required')) wrong.push(`${route.id}, earlier: ${asked}`);
      const free = await send(route, recent.owner as Headers, body);
      if (free !== 'in') wrong.push(`${route.id}, recent: ${free}`);
    }
    expect(wrong).toEqual([]);
  });

  function bodyOf({ method, path }: Route): object {
    const operation = document.paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
    const { currentPassword: _, ...body } = operation?.requestBody?.content['application/json']?.example ?? {};
    return body;
  }
  const document = documentOf();
});

interface Document {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: Record<string, unknown> }> } }>>;
}
function documentOf(): Document {
  return openApiDocument(allRoutes({} as never, () => ({}) as never)) as unknown as Document;
}
