import { addDays, type Caller, type Currency, dateIn, money } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { OpenDeposit, PaidBack } from './matching/deposits.ts';
import { openDeposits, paidBack } from './matching/receivables.ts';
import { namedRecords } from './named-records.ts';
import type { OpenBankDeposit } from './records.ts';

/** Days from which deposits are listed. */
const LISTED_DAYS = 92;
const LISTED_MAX = 500;

/**
 * Returns the cash of closed shifts and of payments without a shift, and the checks of the last 92 days that no bank line contains, or what debits can contain: the returned checks of
 * matched lines, and the refunds of bank transfers. Oldest first, at most 500.
 */
export async function openDepositsFor(
  deps: Dependencies,
  actor: Caller,
  input: { readonly merchantId?: string; readonly currency?: string; readonly returned?: boolean },
): Promise<OpenBankDeposit[]> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const currency = (input.currency ?? merchant.currency) as Currency;
  const today = dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());
  const owner = { tenant_id: actor.tenantId, merchant_id: merchant.merchantId, currency };
  const fromDay = addDays(today, -LISTED_DAYS);
  const all: readonly (OpenDeposit | PaidBack)[] = input.returned
    ? await paidBack(deps, owner, fromDay)
    : await openDeposits(deps, owner, fromDay);
  const found = all.slice(0, LISTED_MAX);
  const idsOf = (isWanted: (deposit: OpenDeposit | PaidBack) => boolean) => found.filter(isWanted).map(({ id }) => id);
  const isShift = (deposit: OpenDeposit | PaidBack) => 'isShift' in deposit && deposit.isShift;
  const isRefund = ({ kind }: OpenDeposit | PaidBack) => kind === 'refund';
  const named = await namedRecords(
    deps.database.read(actor.tenantId),
    { permissions: new Set() },
    {
      payouts: [],
      invoices: [],
      shifts: idsOf(isShift),
      tenders: idsOf((each) => !isShift(each) && !isRefund(each)),
      refunds: idsOf(isRefund),
    },
  );
  return found.flatMap(({ id, minor }) => {
    const deposit = named.deposits.get(id);
    return deposit ? [{ ...deposit, currency, remaining: money(minor, currency) }] : [];
  });
}
