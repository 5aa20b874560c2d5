import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, type Currency, dateIn, type Money, money, type TenantTime } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { checkMerchantLimit } from '#core/sales/payments';
import { checkCash } from './apply.ts';
import type { Dependencies } from './dependencies.ts';
import { SHIFT_MOVEMENTS, SHIFTS, type ShiftRow } from './schema.ts';

const queries = queriesOn(SHIFT_MOVEMENTS, SHIFTS);

interface PayOut {
  readonly amount: Money;
  readonly reason: string;
  readonly merchant: Merchant;
  readonly now: TenantTime;
}

/**
 * Checks a pay-out from a locked shift. The rule compares the sum of the drawer's day, over all of its shifts, so that several small ones are not below
 * its limit. @throws ServiceError INVALID_AMOUNT (422) above the expected cash or the merchant's limit; PERMISSION_DENIED above the limits of an API
 * key; ApprovalRequired.
 */
export async function checkPayOut(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  row: ShiftRow,
  { amount, reason, merchant, now }: PayOut,
): Promise<void> {
  checkCash(row, actor, amount);
  checkMerchantLimit(merchant, amount);
  // Several shifts may be open at a drawer, one per person.
  await work.advisoryLock(`pay-outs ${JSON.stringify([row.merchant_id, row.drawer.toLowerCase()])}`);
  await deps.checkApproval(work, actor, {
    kind: 'pay_out',
    merchantId: row.merchant_id,
    resource: `shifts/${row.id}`,
    amount,
    total: await paidOutOfDrawer(work, row, dateIn(merchant.timezone, now), amount),
    details: { drawer: row.drawer, reason },
  });
  await deps.claimSpending(work, actor, amount);
}

/** Returns the sum of the pay-outs from a drawer on a day, with a new one. */
async function paidOutOfDrawer(work: Work, { merchant_id, drawer, currency }: ShiftRow, day: string, amount: Money): Promise<Money> {
  const rows = await work.rows(
    queries
      .selectFrom('shift_movements as m')
      .innerJoin('shifts as s', (join) => join.onRef('s.tenant_id', '=', 'm.tenant_id').onRef('s.id', '=', 'm.shift_id'))
      .select(['s.drawer', 'm.amount_minor'])
      .where('m.tenant_id', '=', TENANT)
      .where('m.merchant_id', '=', merchant_id)
      .where('m.day', '=', day)
      .where('m.kind', '=', lit('pay_out'))
      .where('m.currency', '=', currency),
  );
  const before = rows.filter((each) => each.drawer.toLowerCase() === drawer.toLowerCase());
  return money(
    before.reduce((sum, { amount_minor }) => sum + amount_minor, amount.minor),
    currency as Currency,
  );
}
