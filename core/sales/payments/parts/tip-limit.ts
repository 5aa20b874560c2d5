import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, type ApprovalSubject, type Currency, formatDecimal, money, storedCurrency } from '#core/kernel';
import { paymentFacts, refundSubject } from '../approval-facts.ts';
import type { Dependencies } from '../dependencies.ts';
import { ATTEMPTS, type TransactionRow } from '../schema.ts';
import { type Parts, partsOf } from './parts.ts';

const queries = queriesOn(ATTEMPTS);

/** Amount of a payment with its parts, in minor units. */
interface Amount {
  readonly amountMinor: number;
  readonly parts: Parts;
}

/** Tip of a payment that is created or changed. */
interface CheckedTip extends Pick<ApprovalSubject, 'merchantId' | 'resource' | 'details'> {
  readonly currency: Currency;
  readonly to: Amount;
  /** The payment before its change. */
  readonly from?: Amount;
  /** Amount that the operation charges, which an approval covers. */
  readonly movedMinor: number;
}

/** Returns the facts about a transaction by which its tip is checked. */
export const tipFacts = (row: TransactionRow) => ({
  merchantId: row.merchant_id,
  resource: `transactions/${row.id}`,
  currency: storedCurrency(row.currency),
  details: paymentFacts(row),
});

/** Amount that a tip is added to: a share of it is the tip's percentage. */
const baseOf = ({ amountMinor, parts }: Amount) => amountMinor - parts.tip - parts.surcharge;

/**
 * Checks that the tip of a new or changed payment needs no second person. A tip that has no larger share than before is not asked for again.
 * @throws ApprovalRequired.
 */
export async function checkTip(
  deps: Pick<Dependencies, 'checkApproval'>,
  work: Work,
  actor: Actor,
  { to, from, movedMinor, currency, details, ...payment }: CheckedTip,
): Promise<void> {
  const { tip } = to.parts;
  if (tip === 0 || (from && BigInt(tip) * BigInt(baseOf(from)) <= BigInt(from.parts.tip) * BigInt(baseOf(to)))) return;
  await deps.checkApproval(work, actor, {
    kind: 'tip',
    ...payment,
    amount: money(movedMinor, currency),
    price: money(baseOf(to), currency),
    tip: money(tip, currency),
    details: { ...details, tipAmount: formatDecimal(money(tip, currency)) },
  });
}

/**
 * Checks that a lowered tip of a captured payment needs no second person. What it returns counts as a refund if the highest tip of the payment was above
 * the limit: then it was more than a tip. @throws ApprovalRequired.
 */
export async function checkLoweredTip(
  deps: Pick<Dependencies, 'checkApproval'>,
  work: Work,
  actor: Actor,
  row: TransactionRow,
  to: Amount,
): Promise<void> {
  const released = row.captured_minor - to.amountMinor;
  if (released <= 0) return;
  const currency = storedCurrency(row.currency);
  const highest = Math.max(row.tip_minor, await highestTip(work, row));
  const returned = money(highest - to.parts.tip, currency);
  const { total, ...subject } = await refundSubject(work, row, returned, null);
  await deps.checkApproval(work, actor, {
    ...subject,
    total,
    amount: money(released, currency),
    price: money(baseOf({ amountMinor: row.captured_minor, parts: partsOf(row) }), currency),
    tip: money(highest, currency),
  });
}

async function highestTip(work: Work, { id }: TransactionRow): Promise<number> {
  const highest = await work.row(
    queries
      .selectFrom('attempts')
      .select(({ fn }) => fn.max<number | null>('tip_minor').as('tip'))
      .where('tenant_id', '=', TENANT)
      .where('transaction_id', '=', id)
      .where('operation', 'in', [lit('sale'), lit('capture'), lit('adjust')])
      .where('result', '=', lit('approved')),
  );
  return Number(highest?.tip ?? 0);
}
