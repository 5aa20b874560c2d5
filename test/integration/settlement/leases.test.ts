import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Transaction } from '#core/payments';
import { databaseNow } from '#core/platform/scheduling';
import { spool } from '../../../core/reconciliation/upload-file.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { CARDS } from '../../support/sales.ts';

const HOURS_WRONG = 2 * 3_600_000;
const NEAR_MS = 60_000;

const sell = ({ core, by }: TestCore, amount: string): Promise<Transaction> =>
  core.payments.sell(by, {
    type: 'sale',
    amount,
    method: { kind: 'card', number: CARDS.visa, expiryMonth: '12', expiryYear: '2039', cvv: '123' },
    source: 'api',
  });

const scheduleOf = async ({ core, by }: TestCore) =>
  (
    await core.database
      .read(by.tenantId)
      .all<{ lease_ms: number; once_key: string | null }>('SELECT lease_ms, once_key FROM settlement_schedules WHERE tenant_id = :tenantId')
  )[0];

afterEach(() => vi.restoreAllMocks());

describe.each(['sqlite', 'postgres'] as const)('who holds a settlement or an import (%s)', (kind) => {
  test('holds it by the database’s clock, however wrong the machine’s is', async () => {
    const on = await openTestCore(undefined, kind);
    const { core, by } = on;
    const { merchantId } = await core.merchants.merchantFor(by);
    await sell(on, '10.00');
    const now = await databaseNow(core.database);
    const real = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + HOURS_WRONG);
    const record = core.database.unitOfWork.record.bind(core.database.unitOfWork);
    const leases: number[] = [];
    vi.spyOn(core.database.unitOfWork, 'record').mockImplementation(async (tenantId, fill) => {
      await record(tenantId, fill);
      leases.push(Number((await scheduleOf(on))?.lease_ms));
    });
    await core.settlement.settle(by, merchantId);
    vi.mocked(core.database.unitOfWork.record).mockRestore();
    expect(leases.length).toBeGreaterThan(0);
    for (const lease of leases) expect(Math.abs(lease - now)).toBeLessThanOrEqual(2 * NEAR_MS);
    const file = await spool(by.tenantId, Readable.from([Buffer.from('id,amount,date\nx,1.00,2026-05-01\n')]));
    const mapping = { transactionId: 'id', amount: 'amount', date: 'date' };
    await core.reconciliation.importFile(by, { file, filename: null, mapping });
    await file.dispose();
    const [row] = await core.database
      .read(by.tenantId)
      .all<{ seen_ms: number }>('SELECT seen_ms FROM settlement_imports WHERE tenant_id = :tenantId');
    expect(Math.abs(Number(row?.seen_ms) - now)).toBeLessThan(NEAR_MS);
    vi.restoreAllMocks();
    await on.close();
  });

  test('stores the response under the key when another process completes the work of a stopped one', async () => {
    const on = await openTestCore(undefined, kind);
    const { core, by } = on;
    const { merchantId } = await core.merchants.merchantFor(by);
    await core.settlement.changeSchedule(by, merchantId, { frequency: 'manual' });
    await sell(on, '10.00');
    const asked = { ...by, idempotencyKey: { key: 'k', credentialId: 'c', route: 'admin.settleNow', fingerprint: 'f' } };
    vi.spyOn(core.database.unitOfWork, 'record').mockRejectedValueOnce(new Error('the machine stopped'));
    await expect(core.settlement.settle(asked, merchantId)).rejects.toThrow('stopped');
    expect((await scheduleOf(on))?.once_key).toBe('k');
    expect((await core.once.find(asked)).kind).toBe('running');
    await expect(
      core.settlement.settle({ ...by, idempotencyKey: { ...asked.idempotencyKey, key: 'other' } }, merchantId),
    ).rejects.toMatchObject({
      code: 'RESOURCE_CONFLICT',
      details: { retryAfter: 1 },
    });
    expect(await core.settlement.catchUp(by.tenantId)).toEqual(['settled']);
    expect((await core.once.find(asked)).kind).toBe('done');
    expect((await scheduleOf(on))?.once_key).toBeNull();
    const history = await core.settlement.history(by, merchantId, {}, { page: 1, limit: 5 });
    expect(history.items).toMatchObject([{ origin: 'manual', transactionCount: 1 }]);
    await on.close();
  });
});
