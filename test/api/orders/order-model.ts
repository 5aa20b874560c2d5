import fc from 'fast-check';

/** A simple model of orders and gift cards. All amounts are in cents. */
export type Payer = 'card' | 'stored' | 'prepaid' | 'ach' | 'cash' | 'check' | 'gift' | 'credit' | 'declined';
export type CardName = 'wallet' | 'sold';
/** Balance of the prepaid card of the sandbox. */
export const PREPAID = 3_000;

type ChangeKind = 'void' | 'dispute' | 'return';
export type Step =
  | { readonly kind: 'pay'; readonly share: number; readonly tip: number; readonly by: Payer }
  | { readonly kind: 'rest'; readonly by: Payer }
  | { readonly kind: ChangeKind; readonly index: number }
  | { readonly kind: 'decide'; readonly outcome: 'won' | 'lost' }
  | { readonly kind: 'refund'; readonly index: number; readonly part: number; readonly isTip: boolean }
  | { readonly kind: 'store-credit'; readonly index: number; readonly part: number }
  | { readonly kind: 'refund-order'; readonly part: number; readonly isStoreCredit: boolean }
  | { readonly kind: 'park' | 'resume' | 'cancel' }
  | { readonly kind: 'block' | 'unblock' | 'replace'; readonly card: CardName }
  | { readonly kind: 'reload' | 'spend'; readonly card: CardName; readonly amount: number };

/** A gift card, or store credit. Its balance is its own money and what orders loaded on it. */
export interface ModelCard {
  id: string;
  code: string;
  /** Balance without what the order of the walk has put on the card; below 0 if some of that is spent. */
  own: number;
  status: 'pending' | 'active' | 'blocked' | 'canceled';
}

export interface ModelPayment {
  readonly id: string;
  readonly by: Payer;
  readonly share: number;
  readonly amount: number;
  returned: number;
  refunded: number;
  /** Tip that was not refunded. */
  tip: number;
  /** Refunds of the payment, with its tip. */
  total: number;
  isVoid: boolean;
  /** True if the bank returned it. */
  isReturned: boolean;
  /** True while a dispute withholds the payment, and after it was lost. */
  isDisputed: boolean;
  outcome: 'won' | 'lost' | null;
}

export interface Model {
  readonly orderId: string;
  readonly amount: number;
  /** Amount of the gift card that the order sells; 0 for none. */
  readonly gift: number;
  /** Amount that the order has put on the card that it sells. */
  loaded: number;
  readonly sold: ModelCard | null;
  readonly wallet: ModelCard;
  /** Store credit of one customer, which all orders share. */
  readonly credit: ModelCard;
  status: 'open' | 'parked' | 'paid' | 'canceled';
  readonly payments: ModelPayment[];
  /** True after the card that the order sells was blocked once: refunds then take it back before other goods. */
  wasBlocked: boolean;
}

const index = fc.nat(5);
const part = fc.integer({ min: 1, max: 4 });
const by = fc.constantFrom<Payer[]>(
  'card',
  'card',
  'stored',
  'prepaid',
  'ach',
  'ach',
  'cash',
  'check',
  'gift',
  'gift',
  'credit',
  'declined',
);
const card = fc.constantFrom<CardName[]>('wallet', 'sold');
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      share: fc.integer({ min: 100, max: 5_000 }),
      tip: fc.constantFrom(0, 0, 150),
      by,
    }),
  },
  { weight: 7, arbitrary: fc.record({ kind: fc.constant('rest' as const), by }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom<ChangeKind[]>('void', 'dispute', 'return'), index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom<ChangeKind[]>('dispute', 'dispute', 'return'), index }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('decide' as const), outcome: fc.constantFrom('won' as const, 'lost' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refund' as const), index, part, isTip: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('store-credit' as const), index, part }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund-order' as const), part, isStoreCredit: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('park' as const, 'resume' as const, 'cancel' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('block' as const, 'unblock' as const, 'replace' as const), card }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('reload' as const, 'spend' as const),
      card,
      amount: fc.integer({ min: 100, max: 3_000 }),
    }),
  },
);

/** Amount, tax and discount of an order, the gift card that it sells, and whether that card exists already and is only reloaded. */
export const sale = fc
  .integer({ min: 100, max: 9_000 })
  .chain((goods) =>
    fc.tuple(
      fc.constant(goods),
      fc.integer({ min: 0, max: Math.floor(goods / 5) }),
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: goods })),
      fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 100, max: 6_000 }) }),
      fc.boolean(),
    ),
  );

export const paidOf = ({ payments }: Model) => payments.reduce((sum, { share, returned }) => sum + share - returned, 0);
export const refundedOf = ({ payments }: Model) => payments.reduce((sum, { refunded }) => sum + refunded, 0);
export const remainingOf = (model: Model) => model.amount - paidOf(model);
/** Returns the money that no refund, void or return gave back. */
export const heldOf = (model: Model) => paidOf(model) - refundedOf(model);
/** Returns the part of the remaining amount that gift cards can pay: they pay for no gift cards. */
export const payableByGiftCards = (model: Model) =>
  model.amount -
  model.gift -
  model.payments
    .filter(({ by: how }) => how === 'gift' || how === 'credit')
    .reduce((sum, { share, returned }) => sum + share - returned, 0);
export const balanceOf = (model: Model, of: ModelCard) => of.own + (of === model.sold ? model.loaded : 0);
/** Returns true if neither a bank nor a chargeback took money of the order. */
export const isKept = ({ payments }: Model) => payments.every(({ isReturned, isDisputed }) => !isDisputed && !isReturned);

/**
 * Returns true if money of a paid order cannot be returned, because the card that it sold is spent: its holder has more of it than the merchant would keep.
 * Undefined if a bank or a chargeback took money before.
 */
export function isSpentFor(model: Model, share: number, isVoid: boolean): boolean | undefined {
  if (model.sold === null || model.loaded === 0) return false;
  if (!isKept(model)) return undefined;
  const spent = Math.max(0, model.loaded - Math.max(0, balanceOf(model, model.sold)));
  return (isVoid ? 0 : heldOf(model) - share) < spent;
}

/** Moves the model between open and paid after its payments changed. */
export function settle(model: Model): void {
  if (model.status === 'open' && remainingOf(model) === 0) {
    model.status = 'paid';
    if (model.sold?.status === 'pending') model.sold.status = 'active';
  } else if (model.status === 'paid' && remainingOf(model) > 0) model.status = 'open';
}

/** Returns what the card that the order sells must hold; undefined if the history of the order decides it. */
export function expectedLoad(model: Model): number | undefined {
  if (model.sold === null) return 0;
  if (!isKept(model) || model.wasBlocked) return undefined;
  return model.status === 'paid' ? Math.min(model.gift, heldOf(model)) : 0;
}
