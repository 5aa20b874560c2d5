import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { databaseNow } from '#core/platform/scheduling';
import type { Transaction } from '#core/sales/payments';
import { storeUpload } from '../../../core/books/reconciliation/upload-file.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';

const HOURS_WRONG = 2 * 3_600_000;
const NEAR_MS = 60_000;

const sell = ({ core, actor }: TestCore, amount: string): Promise<Transaction> =>
  core.payments.createPayment(actor, {
    type: 'sale',
    amount,
    method: { kind: 'card', number: CARDS.visa, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
    source: 'api',
  });

const scheduleOf = async ({ core, actor }: TestCore) =>
  (
    await core.database
      .read(actor.tenantId)
      .all<{ lease_ms: number; idempotency_key: string | null }>(
        'SELECT lease_ms, idempotency_key FROM settlement_schedules WHERE tenant_id = :tenantId',
      )
  )[0];

afterEach(() => vi.restoreAllMocks());

describe.each(['sqlite', 'postgres'] as const)('leases of settlements and imports (%s)', (kind) => {
  test('a lease expires by the clock of the database, however wrong that of the workstation is', async () => {
    const opened = await openTestCore(undefined, kind);
    const { core, actor } = opened;
    const { merchantId } = await core.merchants.merchantFor(actor);
    await sell(opened, '10.00');
    const now = await databaseNow(core.database);
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + HOURS_WRONG);
    const record = core.database.unitOfWork.writeBatch.bind(core.database.unitOfWork);
    const leases: number[] = [];
    vi.spyOn(core.database.unitOfWork, 'writeBatch').mockImplementation(async (tenantId, fill) => {
      await record(tenantId, fill);
      leases.push(Number((await scheduleOf(opened))?.lease_ms));
    });
    await core.settlement.settle(actor, merchantId);
    vi.mocked(core.database.unitOfWork.writeBatch).mockRestore();
    expect(leases.length).toBeGreaterThan(0);
    for (const lease of leases) expect(Math.abs(lease - now)).toBeLessThanOrEqual(2 * NEAR_MS);
    const file = await storeUpload(actor.tenantId, Readable.from([Buffer.from('id,amount,date\nx,1.00,2026-05-01\n')]));
    const mapping = { transactionId: 'id', amount: 'amount', date: 'date' };
    const importLeases = async () =>
      (
        await core.database
          .read(actor.tenantId)
          .all<{ lease_ms: number }>('SELECT lease_ms FROM settlement_imports WHERE tenant_id = :tenantId')
      ).map(({ lease_ms }) => Number(lease_ms));
    const held: number[] = [];
    const observed = {
      ...file,
      async *text() {
        held.push(...(await importLeases()));
        yield* file.text();
      },
    };
    await core.reconciliation.importFile(actor, { file: observed, filename: null, mapping });
    await file.dispose();
    expect(held.length).toBeGreaterThan(0);
    for (const lease of held) expect(Math.abs(lease - now)).toBeLessThanOrEqual(2 * NEAR_MS);
    expect(await importLeases()).toEqual([0]);
    vi.restoreAllMocks();
    await opened.close();
  });

  test('stores the response under the key when another process completes the work of a stopped one', async () => {
    const opened = await openTestCore(undefined, kind);
    const { core, actor } = opened;
    const { merchantId } = await core.merchants.merchantFor(actor);
    await core.settlement.changeSchedule(actor, merchantId, { frequency: 'manual' });
    await sell(opened, '10.00');
    const asked = { ...actor, idempotencyKey: { key: 'k', credentialId: 'c', route: 'admin.settleNow', fingerprint: 'f' } };
    vi.spyOn(core.database.unitOfWork, 'writeBatch').mockRejectedValueOnce(new Error('the machine stopped'));
    await expect(core.settlement.settle(asked, merchantId)).rejects.toThrow('stopped');
    expect((await scheduleOf(opened))?.idempotency_key).toBe('k');
    expect((await core.idempotencyKeys.find(asked)).kind).toBe('running');
    await expect(
      core.settlement.settle({ ...actor, idempotencyKey: { ...asked.idempotencyKey, key: 'other' } }, merchantId),
    ).rejects.toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { retryAfter: 1 },
    });
    expect(await core.settlement.catchUp(actor.tenantId)).toEqual(['settled']);
    expect((await core.idempotencyKeys.find(asked)).kind).toBe('done');
    expect((await scheduleOf(opened))?.idempotency_key).toBeNull();
    const history = await core.settlement.history(actor, merchantId, {}, { page: 1, limit: 5 });
    expect(history.items).toMatchObject([{ origin: 'manual', transactionCount: 1 }]);
    await opened.close();
  });
});
