import { listOf, queriesOn, type Read, TENANT } from '#core/database';
import { assert, type Currency, type Money, money } from '#core/kernel';
import { type OrderPart, READABLE_TRANSFERS } from '#core/records/ledger';
import { BANK_ACCOUNT } from '../aggregates/daily-aggregates.ts';
import { NO_PARTS, PART_NAMES, type PartName } from '../parts/parts.ts';
import { TRANSACTIONS } from '../schema.ts';
import type { ShiftRequest } from './requests.ts';

/**
 * `card_sale` is a sale or capture, `card_adjustment` a change of a captured amount, such as a tip that was set later, and `card_void` a void or a
 * canceled capture. Bank accounts count as cards.
 */
export type CardMovementKind = 'card_sale' | 'card_adjustment' | 'card_void' | 'card_refund' | 'card_credit';

/** Money that one request of a card or bank payment moved during a shift, by the ledger. */
export interface CardMovement {
  readonly attemptId: string;
  readonly transactionId: string;
  readonly kind: CardMovementKind;
  /** Above zero, except for an adjustment, which is negative if it lowered the amount. */
  readonly amount: Money;
  /** Effect on the sales, in minor units. */
  readonly netMinor: number;
  /** Parts of the effect, in minor units. */
  readonly parts: Readonly<Record<PartName, number>>;
  /** Number of tips: 1 for a new one, -1 for one that was taken back, 0 for a changed or refunded one. */
  readonly tipCount: number;
  /** Discount of the payment, in minor units. */
  readonly discountMinor: number;
  /** For a payment of an order or its void. */
  readonly orderPart: OrderPart | null;
  /** Card brand, or `BANK_ACCOUNT`. */
  readonly brand: string;
  readonly last4: string;
  /** Person or API key that made the payment; empty if it was not recorded. */
  readonly person: string;
  /** Person or API key whose request moved the money. */
  readonly actor: string;
  readonly at: string;
}

const queries = queriesOn(TRANSACTIONS, READABLE_TRANSFERS);
const LIST_MAX = 512;

/** Returns what requests moved, oldest first. A request that moved nothing, such as an authorization, is missing. */
export async function cardMovements(read: Read, requests: readonly ShiftRequest[], currency: Currency): Promise<CardMovement[]> {
  const [payments, transfers] = await Promise.all([paymentsOf(read, requests), transfersOf(read, requests)]);
  const movements: CardMovement[] = [];
  for (const request of requests) {
    const moved = transferIdsOf(request).flatMap((id) => transfers.get(id) ?? []);
    if (moved.length === 0) continue;
    const payment = payments.get(request.transaction_id);
    assert(payment, 'a request of a payment has a payment');
    const { transaction_id: transactionId, operation, actor, created_at: at } = request;
    const parts = { ...NO_PARTS };
    let [netMinor, tipCount, kind] = [0, 0, 'card_adjustment' as CardMovementKind];
    const orderPart = moved.find((transfer) => transfer.orderPart !== null)?.orderPart ?? null;
    for (const { kind: transferKind, minor } of moved) {
      const [part] = PART_NAMES.filter((name) => transferKind === name || transferKind.startsWith(`${name}_`));
      if (part === undefined) {
        netMinor += transferKind === 'capture' ? minor : -minor;
        if (operation !== 'adjust') kind = KINDS[transferKind] ?? 'card_void';
        continue;
      }
      const sign = transferKind === part ? 1 : -1;
      parts[part] += sign * minor;
      if (part === 'tip' && transferKind !== 'tip_refunded') tipCount += sign;
    }
    const amount = money(kind === 'card_adjustment' ? netMinor : Math.abs(netMinor), currency);
    movements.push({ attemptId: request.id, transactionId, kind, amount, netMinor, parts, tipCount, orderPart, actor, at, ...payment });
  }
  return movements.toSorted((left, right) => (left.attemptId < right.attemptId ? -1 : 1));
}

const KINDS: Readonly<Record<string, CardMovementKind>> = { capture: 'card_sale', credit: 'card_credit', refund: 'card_refund' };

/** Returns the IDs that the transfers of a request can have. */
function transferIdsOf({ id, operation }: ShiftRequest): string[] {
  const moved = operation === 'adjust' ? [id, `${id}-reversed`] : [id];
  return moved.flatMap((transfer) => [transfer, ...PART_NAMES.map((name) => `${transfer}-${name}`)]);
}

async function transfersOf(read: Read, requests: readonly ShiftRequest[]) {
  const ids = requests.flatMap(transferIdsOf);
  const found = new Map<string, { readonly kind: string; readonly minor: number; readonly orderPart: OrderPart | null }>();
  for (let start = 0; start < ids.length; start += LIST_MAX)
    for (const { id, kind, amount_minor, order_part } of await read.rows(
      queries
        .selectFrom('ledger_transfers')
        .select(['id', 'kind', 'amount_minor', 'order_part'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', listOf(ids.slice(start, start + LIST_MAX))),
    ))
      found.set(id, { kind, minor: Number(amount_minor), orderPart: order_part });
  return found;
}

/** Returns the payments of requests by their IDs. */
async function paymentsOf(read: Read, requests: readonly ShiftRequest[]) {
  const ids = [...new Set(requests.map(({ transaction_id }) => transaction_id))];
  const found = new Map<string, Pick<CardMovement, 'brand' | 'last4' | 'person' | 'discountMinor'>>();
  for (let start = 0; start < ids.length; start += LIST_MAX)
    for (const { id, card_brand, last4, created_by, discount_minor } of await read.rows(
      queries
        .selectFrom('transactions')
        .select(['id', 'card_brand', 'last4', 'created_by', 'discount_minor'])
        .where('tenant_id', '=', TENANT)
        .where('id', 'in', listOf(ids.slice(start, start + LIST_MAX))),
    ))
      found.set(id, { brand: card_brand ?? BANK_ACCOUNT, last4, person: created_by ?? '', discountMinor: Number(discount_minor) });
  return found;
}
