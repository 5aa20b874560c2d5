import { type Currency, type Money, money } from '#core/kernel';
import { PART_NAMES } from '../parts/parts.ts';
import type { CardMovement, CardMovementKind } from './movements.ts';

/** Number and sum of movements of one kind. */
interface CountedAmount {
  readonly count: number;
  readonly amount: Money;
}

/** Money that card and bank payments moved during a shift, by the ledger. */
export interface CardTotals {
  /** Sales and captures, with their tips. */
  readonly sales: CountedAmount;
  /** Changes of captured amounts, such as tips that were set later. The amount can be negative. */
  readonly adjustments: CountedAmount;
  /** Voids and canceled captures. */
  readonly voids: CountedAmount;
  readonly refunds: CountedAmount;
  /** Unlinked credits. */
  readonly credits: CountedAmount;
  /** Sales and adjustments less voids, refunds and credits. */
  readonly total: Money;
  /** Parts of the total; a credit has none. */
  readonly tip: Money;
  readonly surcharge: Money;
  readonly tax: Money;
  /** Sales and net amount by card brand, and of bank accounts. */
  readonly brands: readonly (CountedAmount & { readonly brand: string })[];
  /** Tips less their refunds, by the person who made the payment. */
  readonly people: readonly (CountedAmount & { readonly person: string })[];
}

/** Figures of the card and bank payments of a shift for its report. */
export interface ShiftCards {
  readonly totals: CardTotals;
  /** Sales that these payments begin, less those that voids end. An order begins with its first payment. */
  readonly salesCount: number;
  /** Number of these sales with a discount, and the discounts of all payments, less those of voided ones. */
  readonly discounts: CountedAmount;
}

/** Sums of one kind, in minor units. */
interface Sum {
  count: number;
  minor: number;
}

/** Returns the figures of the card and bank payments of a shift. */
export function shiftCards(movements: readonly CardMovement[], currency: Currency): ShiftCards {
  const discounts = { count: 0, minor: 0 };
  let salesCount = 0;
  for (const { kind, discountMinor, orderPart } of movements) {
    if (kind !== 'card_sale' && kind !== 'card_void') continue;
    const sign = kind === 'card_sale' ? 1 : -1;
    const sales = orderPart === 'further' ? 0 : sign;
    salesCount += sales;
    if (discountMinor > 0 || orderPart === 'discounted') discounts.count += sales;
    discounts.minor += sign * discountMinor;
  }
  const given = { count: discounts.count, amount: money(discounts.minor, currency) };
  return { totals: cardTotals(movements, currency), salesCount, discounts: given };
}

function cardTotals(movements: readonly CardMovement[], currency: Currency): CardTotals {
  const kinds = new Map<CardMovementKind, Sum>();
  const parts = { tip: 0, surcharge: 0, tax: 0 };
  const brands = new Map<string, Sum>();
  const people = new Map<string, Sum>();
  for (const movement of movements) {
    const { kind, amount, netMinor, brand, person, tipCount } = movement;
    add(kinds, kind, 1, amount.minor);
    add(brands, brand, kind === 'card_sale' ? 1 : 0, netMinor);
    for (const name of PART_NAMES) parts[name] += movement.parts[name];
    if (tipCount !== 0 || movement.parts.tip !== 0) add(people, person, tipCount, movement.parts.tip);
  }
  const counted = (sum: Sum = { count: 0, minor: 0 }): CountedAmount => ({ count: sum.count, amount: money(sum.minor, currency) });
  return {
    sales: counted(kinds.get('card_sale')),
    adjustments: counted(kinds.get('card_adjustment')),
    voids: counted(kinds.get('card_void')),
    refunds: counted(kinds.get('card_refund')),
    credits: counted(kinds.get('card_credit')),
    total: money(
      movements.reduce((sum, { netMinor }) => sum + netMinor, 0),
      currency,
    ),
    tip: money(parts.tip, currency),
    surcharge: money(parts.surcharge, currency),
    tax: money(parts.tax, currency),
    brands: sorted(brands).map(([brand, sum]) => ({ brand, ...counted(sum) })),
    people: sorted(people).map(([person, sum]) => ({ person, ...counted(sum) })),
  };
}

function add<Key>(sums: Map<Key, Sum>, key: Key, count: number, minor: number): void {
  const sum = sums.get(key) ?? { count: 0, minor: 0 };
  sums.set(key, { count: sum.count + count, minor: sum.minor + minor });
}

/** Returns sums, the highest first. */
const sorted = (sums: ReadonlyMap<string, Sum>) =>
  [...sums].toSorted(([left, { minor: first }], [right, { minor: second }]) => second - first || (left < right ? -1 : 1));
