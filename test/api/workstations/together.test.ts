import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import type { InvoiceRecord } from '../../support/invoices.ts';
import { cardBody, createDeclinedSale, type TransactionRecord } from '../../support/sales.ts';
import { type Api, expectData, expectError, FULL } from '../../support/server.ts';
import type { SettlementLine, SettlementRecord } from '../../support/settlements.ts';
import { listenToChanges, startWorkstations, type Workstations } from '../../support/workstations.ts';

const STATIONS = 3;
/** Less than the 15 seconds after which a workstation checks without a notification. */
const NOTIFIED_WITHIN_MS = 14_000;
const DAY_SECONDS = 86_400;

let stations: Workstations;
beforeAll(async () => {
  stations = await startWorkstations(STATIONS);
});
afterAll(() => stations?.stop());

/** Returns the workstations in turn. */
const turn = (index: number) => stations.apis[index % STATIONS] as Api;

test('lets exactly 50 of 200 parallel requests at three workstations pass a limit of 50', FULL, async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => turn(index).standard.post('/transaction', {})));
  for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values()) {
    const through = window.filter(({ status }) => status === 400);
    expect(through).toHaveLength(Math.min(50, window.length));
    const left = through.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((one, other) => other - one);
    expect(left).toEqual(Array.from({ length: through.length }, (_, index) => 49 - index));
  }
});

test('concurrent requests with one Idempotency-Key at three workstations have one effect and get the same bytes', async () => {
  const rounds = Array.from({ length: 5 }, (_, round) => ({ key: randomUUID(), body: cardBody(`61.0${round}`) }));
  for (const { key, body } of rounds) {
    const ask = (index: number) => turn(index).admin.post<TransactionRecord>('/transactions', body, { 'Idempotency-Key': key });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index)));
    for (const { status, text } of answers) expect([200, 409], text).toContain(status);
    for (const { headers } of answers.filter(({ status }) => status === 409)) expect(headers.get('retry-after')).toBe('1');
    const texts = [...answers.filter(({ status }) => status === 200), ...(await Promise.all([0, 1, 2].map(ask)))].map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
  }
  const ledger = await openSandboxLedger({ url: stations.url });
  const [booked] = await ledger
    .readAcrossTenants()
    .all<{ n: number }>('SELECT count(*) AS n FROM sandbox_ledger WHERE amount_minor BETWEEN 6100 AND 6104');
  await ledger.close();
  expect(booked?.n).toBe(rounds.length);
});

test('rejects all but one of the parallel reruns of a declined sale at three workstations', FULL, async () => {
  for (let round = 0; round < 3; round += 1) {
    const { transactionId } = await createDeclinedSale({ api: turn(round) });
    const rerun = (index: number) => turn(index).admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => rerun(index)));
    const approved = answers.filter(({ status }) => status === 200);
    expect(approved).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ transactionId: approved[0]?.body.data.transactionId });
    }
  }
});

test('numbers invoices that three workstations create in parallel without gaps or duplicates', FULL, async () => {
  const customer = await expectData(turn(0).admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', lastName: 'Byron' }), 201);
  const made = await Promise.all(
    Array.from({ length: 45 }, (_, index) =>
      expectData(turn(index).admin.post<InvoiceRecord>('/invoices', { customerId: customer.customerId, amount: 10 + index }), 201),
    ),
  );
  const numbers = made.map(({ number }) => Number(/(\d+)$/.exec(number)?.[1])).sort((one, other) => one - other);
  expect(numbers).toEqual(Array.from({ length: made.length }, (_, index) => (numbers[0] as number) + index));
});

test('notifies the other workstations of a change and its topic', async () => {
  const { credentials, baseUrl } = stations.servers[1] as (typeof stations.servers)[number];
  if (!credentials) throw new Error('the demo tells its credentials');
  const { tenantId, adminEmail: email, adminPassword: password } = credentials;
  const tenant = { 'X-Tenant-ID': tenantId };
  const { token } = await expectData(turn(1).bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
  const { received: heard, stop } = await listenToChanges(baseUrl, { ...tenant, Authorization: `Bearer ${token}` });
  await expectData(turn(0).admin.post<TransactionRecord>('/transactions', cardBody(12.5)));
  await expect.poll(() => heard, { timeout: NOTIFIED_WITHIN_MS, interval: 10 }).toContain('transactions');
  expect(heard).not.toContain('merchants');
  stop();
});

test('accepts payments on every workstation for a merchant and a gateway created on another one', async () => {
  const sellFor = (merchantId: string | undefined, index: number) =>
    turn(index).admin.post<TransactionRecord>('/transactions', { ...cardBody(31), merchantId });
  for (const index of [1, 2]) await expectData(sellFor(undefined, index));
  const { merchantId } = await expectData(turn(0).admin.post<{ merchantId: string }>('/merchants', { name: 'Quay' }), 201);
  for (const index of [1, 2]) await expectData(sellFor(merchantId, index));

  const path = `/merchants/${merchantId}`;
  await expectData(turn(0).admin.post(`${path}/gateways`, { type: 'sandbox', name: 'second' }), 201);
  await expectData(turn(1).admin.put(`${path}/gateway-routing`, { rules: [{ default: 'second' }] }));
});

test('assigns and enforces on every workstation a role created on another one', async () => {
  for (const index of [1, 2]) await expectData(turn(index).admin.get('/roles'));
  const { credentials } = stations.servers[0] as (typeof stations.servers)[number];
  if (!credentials) throw new Error('the demo tells its credentials');
  const tenant = { 'X-Tenant-ID': credentials.tenantId };
  await expectData(turn(0).admin.post('/roles', { name: 'Quay desk', permissions: ['transactions:read'] }), 201);
  const person = { email: 'quay@demo.example', password: 'a desk above the water' };
  const path = `/merchants/${credentials.merchantId}/users`;
  await expectData(turn(1).admin.post(path, { ...person, role: 'Quay desk' }), 201);
  const { token } = await expectData(turn(2).bare.post<{ token: string }>('/api/v1/auth/login', person, tenant));
  const answer = await turn(2).bare.get('/api/v1/transactions', { ...tenant, Authorization: `Bearer ${token}` });
  expect(answer.status, answer.text).toBe(200);
});

test('continues a test clock on another workstation', async () => {
  const first = await expectData(turn(1).admin.get<{ now: string }>('/sandbox/clock'));
  for (const index of [0, 1]) await expectData(turn(index).admin.post('/sandbox/clock', { advanceSeconds: 3_600 }));
  const { now } = await expectData(turn(2).admin.get<{ now: string }>('/sandbox/clock'));
  expect(Date.parse(now) - Date.parse(first.now)).toBeGreaterThanOrEqual(2 * 3_600_000);
});

test('includes every earlier sale in a manual settlement after another workstation moved the clock', async () => {
  const body = { name: 'Pier', timezone: 'UTC' };
  const { merchantId } = await expectData(turn(0).admin.post<{ merchantId: string }>('/merchants', body), 201);
  // It knows the clock at that time.
  await expectData(turn(1).admin.get('/sandbox/clock'));
  await expectData(turn(0).admin.post('/sandbox/clock', { advanceSeconds: 3_600 }));
  const { transactionId } = await expectData(turn(0).admin.post<TransactionRecord>('/transactions', { ...cardBody(19), merchantId }));
  const [made] = await expectData(turn(1).admin.post<SettlementRecord[]>('/settlement/settle', { merchantId }));
  const lines = await expectData(turn(2).admin.get<SettlementLine[]>(`/settlement/settlements/${made?.settlementId}/lines`));
  expect(lines).toMatchObject([{ transactionId }]);
});

test('puts each sale into one settlement when three workstations settle a merchant in parallel', async () => {
  const body = { name: 'Harbour', timezone: 'UTC' };
  const { merchantId } = await expectData(turn(0).admin.post<{ merchantId: string }>('/merchants', body), 201);
  const sold = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      expectData(turn(index).admin.post<TransactionRecord>('/transactions', { ...cardBody(20 + index), merchantId })),
    ),
  );
  // By hand at each workstation, and by the schedule at the end of the day.
  await Promise.all([0, 1, 2].map((index) => turn(index).admin.post('/settlement/settle', { merchantId })));
  await expectData(turn(0).admin.post('/sandbox/clock', { advanceSeconds: DAY_SECONDS + 3_600 }));
  const made = await expectData(turn(2).admin.get<SettlementRecord[]>(`/settlement/history/${merchantId}?limit=200`));
  const lines: string[] = [];
  for (const { settlementId } of made) {
    const settlementLines = await expectData(
      turn(1).admin.get<SettlementLine[]>(`/settlement/settlements/${settlementId}/lines?limit=200`),
    );
    lines.push(...settlementLines.map(({ transactionId }) => transactionId));
  }
  expect(lines.sort()).toEqual(sold.map(({ transactionId }) => transactionId).sort());
});
