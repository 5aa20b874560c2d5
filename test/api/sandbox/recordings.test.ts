import { expect, test } from 'vitest';
import { CARDS, cardBody } from '../../support/sales.ts';
import {
  apiOf,
  DATABASES,
  type DatabaseKind,
  describeOnSmallData,
  expectData,
  expectError,
  FULL,
  startTestServer,
} from '../../support/server.ts';

interface Recording {
  readonly id: string;
  readonly state: string;
  readonly steps: number;
}

interface Report {
  readonly steps: number;
  readonly equalSteps: number;
  readonly omittedSteps: number;
  readonly isEqual: boolean;
  readonly difference: { readonly step: number; readonly place: string; readonly expected: unknown; readonly actual: unknown } | null;
}

type Server = Awaited<ReturnType<typeof connect>>;

/** Starts a server of its own: a replay resets the account and moves its clock. */
async function connect(database: DatabaseKind) {
  const { server, stop } = await startTestServer(database, {}, 'small');
  const { baseUrl, credentials } = server;
  if (!credentials) throw new Error('a server with demo tenants returns their credentials');
  const api = apiOf(baseUrl, credentials);
  const login = await expectData(
    api.bare.post<{ token: string }>(
      '/api/v1/auth/login',
      { email: credentials.adminEmail, password: credentials.adminPassword },
      { 'X-Tenant-ID': credentials.tenantId },
    ),
  );
  const headers = { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${login.token}` };
  const replay = async (file: string, reset = true) => {
    const form = new FormData();
    form.set('reset', String(reset));
    form.set('file', new Blob([file]), 'recording.jsonl');
    const response = await fetch(`${baseUrl}/api/v1/sandbox/replays`, { method: 'POST', headers, body: form });
    return { status: response.status, ...((await response.json()) as { data: Report; error?: { code: string; message: string } }) };
  };
  return { api, replay, stop };
}

/** Sells, repeats, declines, refunds, loses an answer, moves the clock by days and raises a chargeback. */
async function runFlows({ api }: Server): Promise<void> {
  const sale = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
  const key = { 'Idempotency-Key': 'recorded-order' };
  const { transactionId } = await expectData(api.public.post<{ transactionId: string }>('/transaction', { Amount: 42, ...sale }, key));
  await api.public.post('/transaction', { Amount: 42, ...sale }, key);
  await api.public.post('/transaction', { Amount: 43, ...sale, CardNumber: CARDS.noFunds });
  await api.public.post('/transaction', { Amount: 44, ...sale, CardNumber: '4000000000000000' });
  await expectData(api.public.post('/refund', { transactionId, amount: 2 }));
  const once = await expectData(api.admin.post<{ transactionId: string }>('/transactions', cardBody(45, CARDS.refundDeclinedOnce)));
  await api.admin.post(`/transactions/${once.transactionId}/refund`);
  await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 3 * 86_400 }));
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'down' }));
  await api.public.post('/transaction', { Amount: 46, ...sale });
  await expectData(api.admin.post('/sandbox/gateway', { mode: 'normal' }));
  await expectData(api.admin.post('/sandbox/chargebacks', { transactionId, reason: 'fraud' }));
  await expectData(api.public.get(`/transaction/${transactionId}`));
  await api.admin.post('/api-keys', { name: 'secret', scope: 'tenant', currentPassword: api.adminPassword });
}

/** Records from a time on. By default the clocks of the merchant do not change during the recording and its replays. */
async function recordFlows(server: Server, now = `${new Date().getUTCFullYear() + 1}-06-10T14:00:00Z`): Promise<string> {
  const { api } = server;
  await expectData(api.admin.post('/sandbox/reset'));
  await expectData(api.admin.post('/sandbox/clock', { now }));
  const { id } = await expectData(api.admin.post<Recording>('/sandbox/recordings', { name: 'Flows' }), 201);
  await expectError(api.admin.post('/sandbox/recordings', { name: 'Second' }), 409, 'RESOURCE_CONFLICT');
  await expectError(api.admin.get(`/sandbox/recordings/${id}/file`), 409, 'RESOURCE_CONFLICT');
  await runFlows(server);
  expect(await expectData(api.admin.post<Recording>(`/sandbox/recordings/${id}/stop`))).toMatchObject({ state: 'stopped', steps: 14 });
  await expectError(api.admin.post(`/sandbox/recordings/${id}/stop`), 409, 'RESOURCE_CONFLICT');
  return (await api.admin.get(`/sandbox/recordings/${id}/file`)).text;
}

/** Returns the recording as if the requests from the first one of this operation on had been sent so many seconds later. */
function delayedFrom(operation: string, seconds: number, file: string): string {
  let isLater = false;
  return file
    .trim()
    .split('\n')
    .map((line) => {
      const step = JSON.parse(line) as { readonly operation?: string; readonly afterSeconds?: number };
      isLater ||= step.operation === operation;
      return isLater ? JSON.stringify({ ...step, afterSeconds: (step.afterSeconds ?? 0) + seconds }) : line;
    })
    .join('\n');
}

test('a recording replays the same on both databases, and a changed behavior is shown at its step', FULL, async () => {
  const servers = await Promise.all(DATABASES.map(connect));
  try {
    const [file = ''] = await Promise.all(servers.slice(0, 1).map((each) => recordFlows(each)));
    expect(file).not.toMatch(/\b(txn|mer|evt|ten)_[0-9a-z]{20}|4111111111111111|4000000000000000|pk_sandbox/);
    expect(file).toContain('"CardNumber":"$card(visa)"');
    for (const server of servers) {
      for (const run of [1, 2]) {
        const { data } = await server.replay(file);
        expect({ run, ...data }).toMatchObject({ run, isEqual: true, difference: null, steps: 14, equalSteps: 13, omittedSteps: 1 });
      }
    }
    const [server] = servers;
    const delayed = delayedFrom('admin.moveSandboxClock', 20, file);
    expect(delayed).not.toBe(file);
    expect((await server?.replay(delayed))?.data).toMatchObject({ isEqual: true, difference: null });
    const planted = file.replace('"declineCode":"insufficient_funds"', '"declineCode":"card_declined"');
    expect((await server?.replay(planted))?.data).toMatchObject({
      isEqual: false,
      equalSteps: 2,
      difference: { step: 3, place: 'data.declineCode', expected: 'card_declined', actual: 'insufficient_funds' },
    });
    const lost = file.replace('"type":"refund.processed"', '"type":"refund.declined"');
    expect((await server?.replay(lost))?.data).toMatchObject({ isEqual: false, difference: { place: 'events' } });
    expect(await server?.replay('{}')).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    const foreign = file.replaceAll('"operation":"public.createTransaction"', '"operation":"admin.createApiKey"');
    expect(await server?.replay(foreign)).toMatchObject({ status: 400, error: { message: expect.stringContaining('cannot contain') } });
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
});

const NEXT_YEAR = new Date().getUTCFullYear() + 1;
/** The second Sunday of March, on which the clocks of the merchant change. */
const sundayOfMarch = 14 - ((new Date(Date.UTC(NEXT_YEAR, 2, 1)).getUTCDay() + 6) % 7);

test.each([
  ['in winter', `${NEXT_YEAR}-10-20T14:00:00Z`, `${NEXT_YEAR}-11-20T14:00:00Z`],
  [
    'in the night of a change of the clocks',
    `${NEXT_YEAR}-01-20T06:00:00Z`,
    `${NEXT_YEAR}-03-${String(sundayOfMarch).padStart(2, '0')}T03:00:00Z`,
  ],
])('a recording replays the same %s', FULL, async (_, recordedOn, replayedOn) => {
  const server = await connect('sqlite');
  try {
    const file = await recordFlows(server, recordedOn);
    await expectData(server.api.admin.post('/sandbox/clock', { now: replayedOn }));
    expect((await server.replay(file)).data).toMatchObject({ isEqual: true, difference: null });
  } finally {
    await server.stop();
  }
});

describeOnSmallData('recordings', ['sqlite'], (fixture) => {
  test('are listed, and are deleted with their steps', async () => {
    const { api } = fixture();
    const { id } = await expectData(api.admin.post<Recording>('/sandbox/recordings', { name: 'Short' }), 201);
    await expectData(api.admin.post<Recording>(`/sandbox/recordings/${id}/stop`));
    expect(await expectData(api.admin.get<Recording[]>('/sandbox/recordings'))).toEqual([expect.objectContaining({ id, steps: 0 })]);
    await expectData(api.admin.delete(`/sandbox/recordings/${id}`));
    await expectError(api.admin.get(`/sandbox/recordings/${id}`), 404, 'NOT_FOUND');
  });
});
