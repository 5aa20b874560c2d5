import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { surfaceOf } from '../../support/api-client.ts';
import { type GatewayRecord, gatewayBody, LIVE_SETUP, saleAtSimulator } from '../../support/live-server.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { type ServerProcess, startEmptyProcess } from '../../support/process.ts';
import { type PaymentOnReader, saleOn, type TerminalRecord } from '../../support/readers.ts';
import { type Api, expectData } from '../../support/server.ts';
import { fromEachProcess, isRunning, pidsOf, processesOf, REPLACED_WITHIN_MS, replaceProcess } from '../../support/server-processes.ts';
import { until } from '../../support/until.ts';

const PROCESSES = 2;

let dataDir: string;
let database: FreshDatabase;
let reader: Peer;
let nmi: Peer;
let server: Omit<ServerProcess, 'credentials'>;
let admin: Api['admin'];
let merchantId: string;
// Each request has a connection of its own, so that the operating system chooses a process for each.
const dispatcher = getGlobalDispatcher();
const perRequest = new Agent({ pipelining: 0 });

const gatewaysAt = () => `/merchants/${merchantId}/gateways`;

beforeAll(async () => {
  setGlobalDispatcher(perRequest);
  dataDir = await mkdtemp(join(tmpdir(), 'paydesk-processes-'));
  database = await freshDatabase(inject('migrated').template);
  [reader, nmi] = await Promise.all([startSimulator('nexo'), startSimulator('nmi')]);
  server = await startEmptyProcess(dataDir, database.url, ['--processes', String(PROCESSES)]);
  const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
  const ids = await expectData(bare.post<{ tenantId: string; merchantId: string; token: string }>('/setup', LIVE_SETUP));
  merchantId = ids.merchantId;
  admin = surfaceOf(server.baseUrl, '/api/v1', () => ({ 'X-Tenant-ID': ids.tenantId, Authorization: `Bearer ${ids.token}` }));
  await expectData(admin.post(gatewaysAt(), gatewayBody(reader, { origin: undefined })), 201);
  await expectData(admin.post(gatewaysAt(), gatewayBody(nmi)), 201);
  await fromEachProcess(server, PROCESSES, () => admin.get('/auth/me'));
}, 240_000);
afterAll(async () => {
  await server?.stop();
  await Promise.all([reader?.stop(), nmi?.stop(), database?.drop()]);
  await rm(dataDir, { recursive: true, force: true });
  setGlobalDispatcher(dispatcher);
  await perRequest.close();
});

test('awaits the answer of a local card reader in the process that has its connection', async () => {
  const { id: code = '', address } = reader.device ?? {};
  const { terminalId } = await expectData(admin.post<TerminalRecord>('/terminals', { code, address, name: 'Counter 1' }), 201);
  const started: { headers: Headers }[] = [];
  await until('each process has started a payment', async () => {
    // Other requests at the same time, because one idle process may take every single connection.
    const [answer] = await Promise.all([
      admin.post<PaymentOnReader>('/transactions', saleOn(terminalId, 43 + started.length)),
      ...Array.from({ length: 3 }, () => admin.get('/auth/me')),
    ]);
    started.push(answer);
    const { transactionId } = await expectData(Promise.resolve(answer), 202);
    await until('the reader waits for a card', () => reader.present({ action: 'chip' }));
    // A session may send 300 requests a minute.
    await until(
      'the payment is approved',
      async () => (await expectData(admin.get<PaymentOnReader>(`/transactions/${transactionId}`))).status === 'approved',
      { everyMs: 250 },
    );
    return processesOf(server, started).size === PROCESSES;
  });
  expect(reader.requestCounts()).not.toHaveProperty('TransactionStatus');
});

test(
  'keeps the circuit of a gateway open in a process that is replaced',
  async () => {
    nmi.faults([{ do: 'drop-request' }]);
    const circuits = async () => {
      const responses = await fromEachProcess(server, PROCESSES, () => admin.get<GatewayRecord[]>(gatewaysAt()));
      const lists = await Promise.all(responses.map((response) => expectData(Promise.resolve(response))));
      return new Set(lists.map((gateways) => gateways.find(({ type }) => type === 'nmi')?.health.state));
    };
    await until('the circuit is open', async () => {
      await admin.post('/transactions', saleAtSimulator(21, { merchantId }));
      return (await circuits()).has('open');
    });
    for (const index of [2, 1]) {
      await replaceProcess(server, index);
      expect(await circuits()).toEqual(new Set(['open']));
    }
  },
  2 * REPLACED_WITHIN_MS,
);

test('ends every process with the main one', async () => {
  const pids = [...pidsOf(server).values()];
  expect(pids).toHaveLength(PROCESSES);
  await server.kill();
  await until('the processes have ended', () => pids.filter(isRunning).length === 0);
});
