import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Peer, startSimulator } from '../../../simulators/index.ts';
import { CONFIRMED, type LiveServer, startLiveServer } from '../../support/live-server.ts';
import { saleOn, type TerminalRecord } from '../../support/readers.ts';
import { ANY_DATABASE, expectData, expectError } from '../../support/server.ts';
import { until } from '../../support/until.ts';

type LocalReader = TerminalRecord & { address: string | null };

describe.each(ANY_DATABASE)('card readers in the local network (%s)', (kind) => {
  let live: LiveServer;
  let reader: Peer;
  let address = '';
  let made: unknown;
  const gatewayPath = () => `/merchants/${live.merchantId}/gateways`;
  const gateway = (more: Record<string, unknown> = {}) => ({
    type: 'nexo',
    name: 'readers',
    mode: 'test',
    credentials: reader.credentials,
    ...CONFIRMED,
    ...more,
  });
  const pair = (more: Record<string, unknown> = {}) =>
    live.api.admin.post<LocalReader>('/terminals', { code: 'SIM-000001', address, name: 'Counter 1', ...more });

  beforeAll(async () => {
    reader = await startSimulator('nexo');
    address = reader.device?.address ?? '';
    live = await startLiveServer(kind);
    made = await expectData(live.api.admin.post(gatewayPath(), gateway()), 201);
  });
  afterAll(async () => {
    await live.stop();
    await reader.stop();
  });

  test('an owner sets up the key, which no response and no entry of the audit log contains', async () => {
    expect((await live.api.admin.post(gatewayPath(), gateway({ currentPassword: 'wrong' }))).status).toBe(400);
    await expectError(
      live.api.admin.post(gatewayPath(), gateway({ name: 'other', origin: reader.origin })),
      400,
      'VALIDATION_ERROR',
      'origin',
    );
    const broken = { ...reader.credentials, rootCertificate: '-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----' };
    const refused = live.api.admin.post(gatewayPath(), gateway({ name: 'other', credentials: broken }));
    await expectError(refused, 400, 'VALIDATION_ERROR', 'credentials.rootCertificate');
    const seen = [made, await expectData(live.api.admin.get(gatewayPath())), await expectData(live.api.admin.get('/audit-logs'))];
    expect(JSON.stringify(seen)).not.toContain(reader.credentials.passphrase);
    const types = await expectData(live.api.admin.get<Record<string, unknown>[]>('/gateway-types'));
    expect(types).toContainEqual(expect.objectContaining({ type: 'nexo', pairsReadersBy: 'address' }));
    expect(types).toContainEqual(expect.objectContaining({ type: 'nmi', pairsReadersBy: 'code' }));
    expect(types).toContainEqual(expect.objectContaining({ type: 'authorizenet', pairsReadersBy: null }));
  });

  test.each([
    [{ address: undefined }, 'address'],
    [{ address: '8.8.8.8' }, 'address'],
    [{ address: '169.254.169.254' }, 'address'],
    [{ address: '192.168.1.50:22' }, 'address'],
    [{ address: '127.0.0.1:1' }, 'address'],
    [{ code: 'SIM-000002' }, 'address'],
    [{ code: 'A1B2C3' }, 'code'],
  ])('refuses to pair a reader with %o', async (more, field) => {
    await expectError(pair(more), 400, 'VALIDATION_ERROR', field);
    expect(await expectData(live.api.admin.get('/terminals'))).toEqual([]);
  });

  test('pairs a reader by its address, changes the address to one of the same reader only, and takes a payment', async () => {
    const paired = await expectData(pair(), 201);
    expect(paired).toMatchObject({ address, state: 'online', model: 'SIM' });
    expect(await expectError(pair(), 409, 'RESOURCE_CONFLICT')).toMatchObject({ details: { reason: 'already_paired' } });
    const path = `/terminals/${paired.terminalId}`;
    await expectError(live.api.admin.put(path, { address: '127.0.0.1:1' }), 400, 'VALIDATION_ERROR', 'address');
    const other = `localhost:${address.split(':')[1]}`;
    expect(await expectData(live.api.admin.put<LocalReader>(path, { address: other }))).toMatchObject({ address: other });
    const paying = expectData(
      live.api.admin.post<{ status: string; terminal: { entryMode: string } }>(
        '/transactions',
        saleOn(paired.terminalId, 12.34, { wait: 30 }),
      ),
    );
    await until('the reader waits for a card', async () => reader.present({ action: 'chip' }));
    expect(await paying).toMatchObject({ status: 'approved', terminal: { entryMode: 'chip', verification: 'pin' } });
    const used = await live.api.admin.post<{ error: unknown }>('/transactions', saleOn(paired.terminalId, 5, { type: 'auth' }));
    expect(used.status).toBeGreaterThanOrEqual(400);
    await expectData(live.api.admin.delete(path));
    expect(reader.ledger.totals()).toMatchObject({ charged: 1_234 });
  });
});
