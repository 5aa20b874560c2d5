import { expect, test } from 'vitest';
import { type PaymentOnReader, pairReader, present, readPayment, saleOn, startSale, type TerminalRecord } from '../../support/readers.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

describeOnAnyDatabase('card readers', (fixture) => {
  test('a reader is paired by its code, renamed, assigned, listed and removed, each with its event', async () => {
    const service = fixture();
    const { api } = service;
    const reader = await pairReader(service, { name: 'Counter', workstation: 'Drawer 7' });
    expect(reader).toMatchObject({ name: 'Counter', workstation: 'Drawer 7', state: 'online', payment: null });
    const path = `/terminals/${reader.terminalId}`;
    expect(await expectData(api.admin.put<TerminalRecord>(path, { name: 'Window', workstation: null }))).toMatchObject({
      name: 'Window',
      workstation: null,
    });
    const listed = await expectData(api.public.get<TerminalRecord[]>('/terminals'));
    expect(listed.map(({ terminalId }) => terminalId)).toContain(reader.terminalId);
    await expectData(api.admin.delete(path));
    await expectError(api.admin.get(path), 404, 'NOT_FOUND');
    await expectError(api.admin.post('/transactions', saleOn(reader.terminalId)), 404, 'NOT_FOUND', 'terminalId');
    const events = await expectData(api.public.get<{ type: string; data: { terminalId?: string } }[]>('/webhooks/events?limit=20'));
    const types = events.filter(({ data }) => data.terminalId === reader.terminalId).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['terminal.paired', 'terminal.removed']);
  });

  test.each([
    ['SIM000', 'expired'],
    ['SIM999', 'another account'],
    ['ABCDEF', 'No reader'],
  ])('the code %s pairs no reader, and the message says why', async (code, reason) => {
    const { api } = fixture();
    const error = await expectError(api.admin.post('/terminals', { code, name: 'X' }), 400, 'VALIDATION_ERROR', 'code');
    expect(error.message).toContain(reason);
  });

  test('the payments of a reader are listed, without those of others and without cash, also after its removal', async () => {
    const service = fixture();
    const { api } = service;
    const [reader, other] = [await pairReader(service), await pairReader(service)];
    const own = await startSale(service, reader.terminalId);
    const foreign = await startSale(service, other.terminalId);
    await present(service, reader.terminalId, 'chip');
    await present(service, other.terminalId, 'chip');
    await expectData(api.admin.delete(`/terminals/${reader.terminalId}`));
    const idsOn = async (path: string) =>
      (await expectData(api.admin.get<{ transactionId: string }[]>(path))).map(({ transactionId }) => transactionId);
    expect(await idsOn(`/transactions?terminalId=${reader.terminalId}`)).toEqual([own.transactionId]);
    expect(await idsOn(`/transactions?terminalId=${other.terminalId}&status=approved`)).toEqual([foreign.transactionId]);
    expect(await idsOn(`/transactions?terminalId=${other.terminalId}&status=declined`)).toEqual([]);
    expect(await expectData(api.admin.get(`/payments?terminalId=${other.terminalId}`))).toHaveLength(1);
  });

  test('a check shows that a reader is offline, and a connected one is online again', async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    await present(service, terminalId, 'unplug');
    expect(await expectData(service.api.admin.post(`/terminals/${terminalId}/check`))).toMatchObject({ state: 'offline' });
    await present(service, terminalId, 'connect');
    expect(await expectData(service.api.admin.get(`/terminals/${terminalId}`))).toMatchObject({ state: 'online' });
  });

  test('a cashier sells and cancels on a reader, and neither pairs, renames nor removes one, nor acts as the simulated one', async () => {
    const service = fixture();
    const { api } = service;
    const { terminalId } = await pairReader(service);
    const { headers } = await createUser(service, 'cashier');
    const as = (path: string) => `/api/v1${path}`;
    await expectError(api.bare.post(as('/terminals'), { code: 'SIM123', name: 'X' }, headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.put(as(`/terminals/${terminalId}`), { name: 'X' }, headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.delete(as(`/terminals/${terminalId}`), headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.post(as(`/sandbox/terminals/${terminalId}/present`), { action: 'chip' }, headers), 403, 'PERMISSION_DENIED');
    const sale = await expectData(api.bare.post<PaymentOnReader>(as('/transactions'), saleOn(terminalId), headers), 202);
    const canceled = await expectData(
      api.bare.post<PaymentOnReader>(as(`/transactions/${sale.transactionId}/cancel-terminal`), undefined, headers),
    );
    expect(canceled.terminal.canceledBy).toBe('clerk');
  });

  test("another merchant's manager neither sees, uses, cancels nor removes a reader", async () => {
    const service = fixture();
    const { api } = service;
    const { terminalId } = await pairReader(service);
    const sale = await startSale(service, terminalId);
    const other = await expectData(
      api.admin.post<{ merchantId: string }>('/merchants', { name: 'Other shop', currency: 'USD', timezone: 'UTC' }),
      201,
    );
    const { headers } = await createUser(service, 'manager', {}, other.merchantId);
    const as = (path: string) => `/api/v1${path}`;
    expect(await expectData(api.bare.get(as('/terminals'), headers))).toEqual([]);
    await expectError(api.bare.get(as(`/terminals/${terminalId}`), headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.bare.post(as('/transactions'), saleOn(terminalId), headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(
      api.bare.post(as(`/transactions/${sale.transactionId}/cancel-terminal`), undefined, headers),
      403,
      'MERCHANT_NOT_AUTHORIZED',
    );
    await expectError(api.bare.delete(as(`/terminals/${terminalId}`), headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(
      api.bare.post(as(`/sandbox/terminals/${terminalId}/present`), { action: 'chip' }, headers),
      403,
      'MERCHANT_NOT_AUTHORIZED',
    );
    const error = await expectError(
      api.admin.post('/transactions', saleOn(terminalId, 25, { merchantId: other.merchantId })),
      400,
      'VALIDATION_ERROR',
      'terminalId',
    );
    expect(error.message).toContain('another merchant');
    await present(service, terminalId, 'chip');
    expect((await readPayment(service, sale.transactionId)).status).toBe('approved');
  });
});
