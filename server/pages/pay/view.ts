import { formatDecimal, type Money } from '#core/kernel';
import {
  type Brand,
  type BrandedMerchant,
  brandOf,
  formatDay,
  formatMoney,
  type Language,
  plain,
  plainLines,
} from '#core/platform/documents';

/** Data of a page about its invoice; the core's PayPage has it. */
interface Asked {
  readonly merchant: BrandedMerchant & { readonly language: Language; readonly timezone: string; readonly country: string };
  readonly invoice: {
    readonly number: string;
    readonly kind: 'invoice' | 'link';
    readonly customer: { readonly name: string | null } | null;
    readonly amount: Money;
    readonly amountPaid: Money;
    readonly amountPending: Money;
    readonly amountDue: Money;
    readonly dueDate: string | null;
    readonly items: readonly {
      readonly description: string;
      readonly quantity: string | number;
      readonly unitPrice: Money;
      readonly amount: Money;
    }[];
    readonly note: string | null;
    readonly description: string | null;
    readonly allowPartial: boolean;
    readonly status: string;
  };
  readonly isSandbox: boolean;
  readonly state: PayState;
  readonly methods: readonly ('card' | 'ach')[];
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
}

/** Reason why a page does or does not accept a payment. */
type PayState = 'open' | 'paid' | 'cancelled' | 'expired' | 'busy' | 'closed';

/** A page in the payer's language: every text harmless, not yet escaped. */
export interface PayView {
  readonly language: Language;
  readonly timezone: string;
  readonly country: string;
  readonly isSandbox: boolean;
  readonly brand: Brand;
  /** Path of the page. */
  readonly path: string;
  readonly state: PayState;
  readonly kind: 'invoice' | 'link';
  readonly number: string;
  readonly customer: string;
  readonly description: string;
  readonly note: readonly string[];
  readonly items: readonly { readonly description: string; readonly detail: string; readonly amount: string }[];
  readonly total: string;
  readonly paid: string | null;
  readonly due: string;
  /** Amount that can be paid now: the amount due without pending payments. */
  readonly payable: { readonly text: string; readonly decimal: string; readonly currency: string };
  readonly dueDay: string | null;
  readonly isOverdue: boolean;
  readonly allowPartial: boolean;
  readonly methods: readonly ('card' | 'ach')[];
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
}

/** The page of a token as the payer reads it. */
export function viewOf(asked: Asked, path: string): PayView {
  const { merchant, invoice, isSandbox, state, methods, requireCvv, requireZip } = asked;
  const { language, timezone, country } = merchant;
  const amount = (money: Money) => formatMoney(money, language);
  const payable: Money = { ...invoice.amountDue, minor: Math.max(0, invoice.amountDue.minor - invoice.amountPending.minor) };
  return {
    language,
    timezone,
    country,
    isSandbox,
    brand: brandOf(merchant),
    path,
    state,
    kind: invoice.kind,
    number: plain(invoice.number),
    customer: plain(invoice.customer?.name ?? ''),
    description: plain(invoice.description ?? ''),
    note: plainLines(invoice.note),
    items: invoice.items.map(({ description, quantity, unitPrice, amount: whole }) => ({
      description: plain(description),
      detail: `${quantity} × ${amount(unitPrice)}`,
      amount: amount(whole),
    })),
    total: amount(invoice.amount),
    paid: invoice.amountPaid.minor > 0 ? amount(invoice.amountPaid) : null,
    due: amount(invoice.amountDue),
    payable: { text: amount(payable), decimal: formatDecimal(payable), currency: payable.currency },
    dueDay: invoice.dueDate === null ? null : formatDay(invoice.dueDate, language),
    isOverdue: invoice.status === 'overdue',
    allowPartial: invoice.allowPartial,
    methods,
    requireCvv,
    requireZip,
  };
}
