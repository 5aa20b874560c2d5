import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const DAY_S = 86_400;

describe.each(ANY_DATABASE)('the clean-up of granted discounts (%s)', (kind) => {
  let opened: TestCore;
  beforeAll(async () => {
    opened = await openTestCore(undefined, kind);
    const { core, actor } = opened;
    // A month passes here; its settlements are not the subject.
    const { merchantId } = await core.merchants.merchantFor(actor);
    await core.settlement.changeSchedule(actor, merchantId, { frequency: 'manual' });
  });
  afterAll(() => opened.close());

  test('removes discounts after 30 days, and no newer ones', async () => {
    const { core, actor } = opened;
    const { tenantId } = actor;
    const kept = async () => {
      const sql = 'SELECT id FROM discounts WHERE tenant_id = :tenantId ORDER BY id';
      return (await core.database.read(tenantId).all<{ id: string }>(sql)).map(({ id }) => id);
    };
    const old = await core.discounts.grant(actor, { price: 50, discountAmount: 10 });
    await core.sandbox.moveClock(actor, { advanceSeconds: 29 * DAY_S });
    const recent = await core.discounts.grant(actor, { price: 50, discountAmount: 10 });
    await core.discounts.cleanUp(tenantId);
    expect(await kept()).toEqual([old.discountId, recent.discountId]);
    await core.sandbox.moveClock(actor, { advanceSeconds: DAY_S + 1 });
    await core.discounts.cleanUp(tenantId);
    expect(await kept()).toEqual([recent.discountId]);
  });
});
