import type { StatementKind } from './records.ts';

/** Money that moved for a customer, as the ledger has it. */
export interface Movement {
  readonly id: string;
  /** `reversed`: the payment was voided; `returned`: the bank took it back; `corrected`: an amount was replaced by another one; `to_store_credit`: a refund that moved no money. */
  readonly kind: 'received' | 'reversed' | 'corrected' | 'refunded' | 'to_store_credit' | 'returned' | 'credited';
  readonly at: string;
  /** Day of the ledger, in the time zone that the merchant had; null for a movement that the ledger does not have. */
  readonly day: string | null;
  /** Minor units, at least 0. */
  readonly amountMinor: number;
  /** Tip and surcharge within the amount of a refund or a return. */
  readonly extraMinor: number;
}

/** IDs and names that an entry shows. */
export interface EntryOrigin {
  readonly transactionId: string | null;
  readonly tenderId: string | null;
  readonly method: string | null;
  readonly last4: string | null;
  readonly reference: string | null;
}

/** A payment with its movements of money. */
export interface PaymentFacts extends EntryOrigin {
  readonly currency: string;
  /** Part that pays the invoice, in minor units. */
  readonly amountMinor: number;
  /** Oldest first. */
  readonly movements: readonly Movement[];
}

export interface InvoiceFacts {
  readonly invoiceId: string;
  readonly number: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly dueDate: string | null;
  /** Time from which the customer owes it; null for a draft. */
  readonly issuedAt: string | null;
  readonly cancelledAt: string | null;
  /** Late fees, which are not part of `amountMinor`. */
  readonly lateFees: readonly {
    readonly id: string;
    readonly at: string;
    readonly day: string;
    readonly amountMinor: number;
    readonly reversedAt: string | null;
  }[];
  readonly payments: readonly PaymentFacts[];
}

/** An entry of the account of a customer. Amounts are in minor units; the balance changes by the charge less the credit. */
export interface AccountEntry extends EntryOrigin {
  readonly id: string;
  readonly at: string;
  /** Day on which it was booked; null if it is that of its time. */
  readonly day: string | null;
  readonly kind: StatementKind;
  readonly currency: string;
  readonly chargeMinor: number;
  readonly creditMinor: number;
  /** Money that moved, negative if the customer got it. */
  readonly moneyMinor: number;
  readonly invoiceId: string | null;
  readonly invoiceNumber: string | null;
  readonly dueDate: string | null;
}

const NO_ORIGIN: EntryOrigin = { transactionId: null, tenderId: null, method: null, last4: null, reference: null };

const ENTRY_KINDS = {
  received: 'payment',
  corrected: 'void',
  reversed: 'void',
  refunded: 'refund',
  to_store_credit: 'store_credit',
  returned: 'return',
  credited: 'credit',
} as const satisfies Record<Movement['kind'], StatementKind>;

const isRefund = ({ kind }: Movement): boolean => kind === 'refunded' || kind === 'to_store_credit';

function moneyOf({ kind, amountMinor }: Movement): number {
  if (kind === 'to_store_credit') return 0;
  return kind === 'received' ? amountMinor : -amountMinor;
}

const originOf = ({ transactionId, tenderId, method, last4, reference }: PaymentFacts): EntryOrigin => ({
  transactionId,
  tenderId,
  method,
  last4,
  reference,
});

/** Returns the entries of a payment that pays no invoice: the sale and its money, which change no balance. */
export function entriesOfSale(payment: PaymentFacts): AccountEntry[] {
  return payment.movements.map((movement) => ({
    ...originOf(payment),
    id: movement.id,
    at: movement.at,
    day: movement.day,
    kind: movement.kind === 'received' ? 'sale' : ENTRY_KINDS[movement.kind],
    currency: payment.currency,
    chargeMinor: movement.amountMinor,
    creditMinor: movement.amountMinor,
    moneyMinor: moneyOf(movement),
    invoiceId: null,
    invoiceNumber: null,
    dueDate: null,
  }));
}

/**
 * Returns the entries of an invoice with its payments. A refund does not reopen an invoice, so it is also a credit of the same amount, unless the invoice is
 * canceled: then it pays out what the customer paid for nothing. The sum of all entries is the amount due of an open invoice, and the opposite of the money
 * that was kept for a canceled one.
 */
export function entriesOfInvoice(invoice: InvoiceFacts): AccountEntry[] {
  const { invoiceId, number, currency, amountMinor, dueDate, issuedAt, cancelledAt } = invoice;
  const common = { day: null, currency, invoiceId, invoiceNumber: number, dueDate: null };
  const isCancelledAt = (at: string) => cancelledAt !== null && at >= cancelledAt;
  const entries: AccountEntry[] = [];
  if (issuedAt !== null)
    entries.push({
      ...NO_ORIGIN,
      ...common,
      id: invoiceId,
      at: issuedAt,
      kind: 'invoice',
      dueDate,
      chargeMinor: amountMinor,
      creditMinor: 0,
      moneyMinor: 0,
    });
  let feesMinor = 0;
  for (const { id, at, day, amountMinor: fee, reversedAt } of invoice.lateFees) {
    const entry = { ...NO_ORIGIN, ...common, moneyMinor: 0 };
    entries.push({ ...entry, id, at, day, kind: 'late_fee', chargeMinor: fee, creditMinor: 0 });
    if (reversedAt === null) feesMinor += fee;
    else entries.push({ ...entry, id: `${id}-reversed`, at: reversedAt, kind: 'late_fee_reversed', chargeMinor: 0, creditMinor: fee });
  }
  let creditedMinor = 0;
  for (const payment of invoice.payments) {
    let isPaid = false;
    let creditedOfPayment = 0;
    for (const movement of payment.movements) {
      const { kind, at, amountMinor: moved, extraMinor } = movement;
      const sides = { charge: moved, credit: moved };
      if (kind === 'received' && !isPaid) {
        isPaid = true;
        sides.charge = moved - payment.amountMinor;
      } else if (kind === 'reversed') sides.credit = moved - payment.amountMinor;
      else if (isRefund(movement) && isCancelledAt(at)) sides.credit = extraMinor;
      else if (isRefund(movement)) creditedOfPayment += moved - extraMinor;
      else if (kind === 'returned' && isCancelledAt(at)) sides.credit = extraMinor;
      else if (kind === 'returned') {
        // The payment no longer pays the invoice, whatever part of it was refunded before.
        sides.credit = Math.max(0, moved - payment.amountMinor);
        sides.charge = sides.credit + payment.amountMinor;
        creditedOfPayment = 0;
      }
      entries.push({
        ...originOf(payment),
        ...common,
        id: movement.id,
        at,
        day: movement.day,
        kind: ENTRY_KINDS[kind],
        chargeMinor: sides.charge,
        creditMinor: sides.credit,
        moneyMinor: moneyOf(movement),
      });
    }
    creditedMinor += creditedOfPayment;
  }
  if (issuedAt !== null && cancelledAt !== null)
    entries.push({
      ...NO_ORIGIN,
      ...common,
      id: `${invoiceId}-cancelled`,
      at: cancelledAt,
      kind: 'cancellation',
      chargeMinor: 0,
      creditMinor: amountMinor + feesMinor - creditedMinor,
      moneyMinor: 0,
    });
  return entries;
}

const RANKS: readonly StatementKind[] = [
  'invoice',
  'late_fee',
  'late_fee_reversed',
  'cancellation',
  'sale',
  'payment',
  'credit',
  'void',
  'return',
  'refund',
  'store_credit',
];

/** Compares entries by their time; an invoice comes before its payments. */
export const byTime = (left: AccountEntry, right: AccountEntry): number =>
  left.at === right.at
    ? RANKS.indexOf(left.kind) - RANKS.indexOf(right.kind) || (left.id < right.id ? -1 : 1)
    : left.at < right.at
      ? -1
      : 1;
