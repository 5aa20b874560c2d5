import type { InstallmentPlan } from '#core/billing/installments';
import { tipOnAmount } from '#core/billing/invoicing';
import { exponentOf, formatDecimal, type Money } from '#core/kernel';
import { type Brand, type BrandedMerchant, brandOf, formatDay, formatMoney, plain, plainLines } from '#core/platform/documents';
import type { Language } from '#shared/languages';

/** Data of a page and its invoice; a subset of the core's PayPage. */
interface PageData {
  readonly merchant: BrandedMerchant & { readonly language: Language; readonly timezone: string; readonly country: string };
  readonly invoice: {
    readonly number: string;
    readonly kind: 'invoice' | 'link';
    readonly customer: { readonly name: string | null } | null;
    readonly amount: Money;
    readonly amountPaid: Money;
    readonly amountPending: Money;
    readonly amountDue: Money;
    readonly taxAmount: Money;
    readonly purchaseOrderNumber: string | null;
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
    readonly collectShippingAddress: boolean;
    readonly status: string;
  };
  readonly isSandbox: boolean;
  readonly state: PayState;
  readonly methods: readonly ('card' | 'ach')[];
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
  readonly surchargePercent: number;
  readonly tips: { readonly percents: readonly number[]; readonly takesAmount: boolean } | null;
  /** Open installment plan of the invoice; null if there is none. */
  readonly plan: InstallmentPlan | null;
}

/** State of a page, which decides whether it accepts a payment. */
type PayState = 'open' | 'paid' | 'cancelled' | 'expired' | 'busy' | 'closed';

/** Data of a page in the payer's language. Its texts have no control characters, but are not escaped yet. */
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
  /** Tax within the total; null for none. */
  readonly tax: string | null;
  readonly purchaseOrder: string;
  readonly total: string;
  readonly paid: string | null;
  readonly due: string;
  /** Amount that can be paid now: the amount due without pending payments. */
  readonly payable: { readonly text: string; readonly decimal: string; readonly currency: string; readonly decimals: number };
  readonly dueDay: string | null;
  readonly isOverdue: boolean;
  readonly allowPartial: boolean;
  readonly collectShippingAddress: boolean;
  readonly methods: readonly ('card' | 'ach')[];
  readonly requireCvv: boolean;
  readonly requireZip: boolean;
  /** Highest surcharge on credit cards, in percent; 0 for none. */
  readonly surchargePercent: number;
  /** Tips that the page offers; null for none. A percentage has no amount while the payer can change the amount to pay. */
  readonly tips: { readonly suggested: readonly SuggestedTip[]; readonly takesAmount: boolean } | null;
  /** Installments by which the invoice is charged automatically; null without a plan. */
  readonly schedule: ShownSchedule | null;
}

/** Suggested tip; `percent` is the value of its field. */
interface SuggestedTip {
  readonly percent: string;
  readonly amount: string | null;
}

interface ShownSchedule {
  readonly installments: readonly {
    readonly number: number;
    readonly day: string;
    readonly amount: string;
    readonly state: 'paid' | 'next' | 'open';
  }[];
  /** Last digits of the card or bank account; null if it was removed. */
  readonly last4: string | null;
  /** Charges continue automatically; false while the plan is paused or past due. */
  readonly isAutomatic: boolean;
}

/** Returns the page data in the payer's language. */
export function viewOf(page: PageData, path: string): PayView {
  const { merchant, invoice, isSandbox, state, methods, requireCvv, requireZip, surchargePercent, tips, plan } = page;
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
    tax: invoice.taxAmount.minor > 0 ? amount(invoice.taxAmount) : null,
    purchaseOrder: plain(invoice.purchaseOrderNumber ?? ''),
    total: amount(invoice.amount),
    paid: invoice.amountPaid.minor > 0 ? amount(invoice.amountPaid) : null,
    due: amount(invoice.amountDue),
    payable: {
      text: amount(payable),
      decimal: formatDecimal(payable),
      currency: payable.currency,
      decimals: exponentOf(payable.currency),
    },
    dueDay: invoice.dueDate === null ? null : formatDay(invoice.dueDate, language),
    isOverdue: invoice.status === 'overdue',
    allowPartial: invoice.allowPartial,
    collectShippingAddress: invoice.collectShippingAddress,
    methods,
    requireCvv,
    requireZip,
    surchargePercent,
    tips: tips && {
      takesAmount: tips.takesAmount,
      suggested: tips.percents.map((percent) => ({
        percent: String(percent),
        amount: invoice.allowPartial ? null : amount({ ...payable, minor: tipOnAmount(payable.minor, percent) }),
      })),
    },
    schedule: plan && {
      installments: plan.installments.map(({ number, dueDate, amount: whole, amountRemaining, status }) => ({
        number,
        day: formatDay(dueDate, language),
        amount: amount(status === 'paid' ? whole : amountRemaining),
        state: status === 'paid' ? 'paid' : number === plan.nextNumber ? 'next' : 'open',
      })),
      last4: plan.method?.last4 ?? null,
      isAutomatic: plan.status === 'active',
    },
  };
}
