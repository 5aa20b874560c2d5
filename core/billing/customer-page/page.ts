import type { InstallmentPlan } from '#core/billing/installments';
import { type InvoicePayer, type OpenInvoice, type PaymentRules, paymentRulesOf } from '#core/billing/invoicing';
import type { Subscription } from '#core/billing/recurring';
import { isoTime, type Money } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { PaymentMethod } from '#core/sales/customers';
import { actorOf, findLink, isConfirmed, masked, type PageState } from './access.ts';
import { codeRecipient, heldUntil } from './contacts.ts';
import type { Dependencies } from './dependencies.ts';
import { isNeeded, methodUseOf } from './method-use.ts';
import type { PageLinkRow } from './schema.ts';

const RECEIPTS = 24;
const LISTED_MAX = 100;

/** A subscription with what the customer may do. */
export interface PageSubscription extends Subscription {
  readonly canCancel: boolean;
  readonly canSkip: boolean;
}

/** A card or bank account on file. */
export interface PageMethod extends PaymentMethod {
  /** False if a subscription, an installment plan or a waiting payment is charged to it and could be charged to nothing else. */
  readonly canRemove: boolean;
}

/** A payment whose receipt the page offers. */
export interface PageReceipt {
  /** ID of the transaction or tender. */
  readonly paymentId: string;
  readonly amount: Money;
  readonly createdAt: string;
}

/** Content of an open page. */
export interface PageContent {
  readonly name: string | null;
  /** Unpaid invoices, without those that are paid in installments. */
  readonly invoices: readonly OpenInvoice[];
  readonly plans: readonly (InstallmentPlan & { readonly invoice: OpenInvoice | null })[];
  readonly subscriptions: readonly PageSubscription[];
  readonly methods: readonly PageMethod[];
  /** Approved payments, and payments at the counter and by bank transfer that were not taken back; newest first. */
  readonly receipts: readonly PageReceipt[];
  /** Masked address on file for codes; null if none can be sent. */
  readonly codeTo: string | null;
  /** Time from which codes are sent to an address that was changed, if none can be sent before. */
  readonly codesFrom: string | null;
  /** True if the customer entered a code in this browser. */
  readonly isConfirmed: boolean;
}

/** Page of a customer. A page that is not open contains nothing about the customer. */
export interface CustomerPage {
  readonly rules: PaymentRules;
  readonly merchant: Merchant;
  readonly isSandbox: boolean;
  readonly state: PageState;
  readonly content: PageContent | null;
}

/** Returns the page with a token. @throws ServiceError NOT_FOUND for an unknown token. */
export async function openPage(deps: Dependencies, token: string, session: string | undefined): Promise<CustomerPage> {
  const { link, merchant, state } = await findLink(deps, token);
  const isSandbox = deps.environmentOf(link.tenant_id) === 'sandbox';
  const content = state === 'open' ? await contentOf(deps, link, merchant, session) : null;
  return { merchant, isSandbox, state, content, rules: paymentRulesOf(merchant) };
}

export const payerOf = (link: PageLinkRow): InvoicePayer => ({
  tenantId: link.tenant_id,
  merchantId: link.merchant_id,
  customerId: link.customer_id,
});

async function contentOf(deps: Dependencies, link: PageLinkRow, merchant: Merchant, session: string | undefined): Promise<PageContent> {
  const { tenant_id: tenantId, customer_id: customerId } = link;
  const actor = actorOf(link);
  const filter = { customerId, merchantId: link.merchant_id };
  const open = { customerId, isOpen: true };
  const all = { page: 1, limit: LISTED_MAX };
  const [customer, invoices, { items: plans }, { items: subscriptions }, methods, use, payments, tenders, confirmed] = await Promise.all([
    deps.customers.get(actor, customerId),
    deps.invoicing.openInvoicesOf(payerOf(link)),
    deps.installments.page(actor, open, all),
    deps.recurring.page(actor, open, all),
    deps.customers.methods(actor, customerId, all),
    methodUseOf(deps, deps.database.read(tenantId), customerId),
    deps.payments.page(actor, { ...filter, status: 'approved' }, { page: 1, limit: RECEIPTS }),
    deps.tenders.page(actor, filter, { page: 1, limit: RECEIPTS }),
    isConfirmed(deps, link, session),
  ]);
  const planned = new Set(plans.map(({ invoiceId }) => invoiceId));
  const recipient = await codeRecipient(deps, tenantId, customer);
  const until = recipient === null ? await heldUntil(deps, tenantId, customerId) : null;
  const { allowsCancel, allowsSkip } = merchant.customerPage;
  return {
    name: [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.company,
    invoices: invoices.filter(({ invoiceId }) => !planned.has(invoiceId)),
    plans: plans.map((plan) => ({ ...plan, invoice: invoices.find(({ invoiceId }) => invoiceId === plan.invoiceId) ?? null })),
    subscriptions: subscriptions.map((subscription) => ({
      ...subscription,
      canCancel: allowsCancel && !subscription.paymentInProgress,
      canSkip: allowsSkip && isSkippable(subscription),
    })),
    methods: methods.items.map((method) => ({ ...method, canRemove: !isNeeded(use, method.paymentMethodId, methods.total) })),
    receipts: [
      ...payments.items
        .filter(({ type }) => type !== 'credit')
        .map(({ transactionId, captured, capturedAmount, amount, createdAt }) => ({
          paymentId: transactionId,
          amount: captured ? capturedAmount : amount,
          createdAt,
        })),
      ...tenders.items
        .filter(({ status }) => status !== 'returned')
        .map(({ tenderId, amount, createdAt }) => ({ paymentId: tenderId, amount, createdAt })),
    ]
      .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
      .slice(0, RECEIPTS),
    codeTo: recipient && masked(recipient),
    codesFrom: until && isoTime(until),
    isConfirmed: confirmed,
  };
}

/** Returns true if the next payment of a subscription can be skipped. */
export const isSkippable = ({ status, nextPaymentDate, paymentInProgress }: Subscription): boolean =>
  status === 'active' && nextPaymentDate !== null && !paymentInProgress;
