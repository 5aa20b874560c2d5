import type { InstallmentPlan } from '#core/billing/installments';
import { type InvoicePayer, type OpenInvoice, type OpenTotal, type PaymentRules, paymentRulesOf } from '#core/billing/invoicing';
import type { Subscription } from '#core/billing/recurring';
import { isoTime } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { PaymentMethod } from '#core/sales/customers';
import type { Language } from '#shared/languages';
import { actorOf, type FoundLink, findLink, isConfirmed, masked, type PageState } from './access.ts';
import { codeRecipient, heldUntil } from './contacts.ts';
import type { Dependencies } from './dependencies.ts';
import { isNeeded, methodUseOf } from './method-use.ts';
import { type PageReceipts, receiptsOf } from './receipts.ts';
import type { PageLinkRow } from './schema.ts';

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

/** Content of an open page. */
export interface PageContent {
  readonly name: string | null;
  /** Language that was chosen for the customer; null for none. */
  readonly language: Language | null;
  /** Unpaid invoices, without those that are paid in installments; the first 200 of them. */
  readonly invoices: readonly OpenInvoice[];
  /** Number and sum of all of them, by currency. */
  readonly due: readonly OpenTotal[];
  readonly plans: readonly (InstallmentPlan & { readonly invoice: OpenInvoice | null })[];
  readonly subscriptions: readonly PageSubscription[];
  readonly methods: readonly PageMethod[];
  readonly receipts: PageReceipts;
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

/** Returns the page with a token, with a page of its receipts. @throws ServiceError NOT_FOUND for an unknown token. */
export async function openPage(deps: Dependencies, token: string, session: string | undefined, receiptPage = 1): Promise<CustomerPage> {
  const found = await findLink(deps, token);
  const { link, merchant, state } = found;
  const isSandbox = deps.environmentOf(link.tenant_id) === 'sandbox';
  const content = state === 'open' ? await contentOf(deps, found, session, receiptPage) : null;
  return { merchant, isSandbox, state, content, rules: paymentRulesOf(merchant) };
}

export const payerOf = (link: PageLinkRow): InvoicePayer => ({
  tenantId: link.tenant_id,
  merchantId: link.merchant_id,
  customerId: link.customer_id,
});

async function contentOf(
  deps: Dependencies,
  { link, merchant }: FoundLink,
  session: string | undefined,
  receiptPage: number,
): Promise<PageContent> {
  const { tenant_id: tenantId, customer_id: customerId } = link;
  const actor = actorOf(link);
  const open = { customerId, isOpen: true };
  const all = { page: 1, limit: LISTED_MAX };
  const [customer, { language }, invoices, { items: plans }, { items: subscriptions }, methods, use, receipts, confirmed] =
    await Promise.all([
      deps.customers.get(actor, customerId),
      deps.invoicing.reminders.choiceOf(actor, customerId),
      deps.invoicing.openInvoicesOf(payerOf(link)),
      deps.installments.page(actor, open, all),
      deps.recurring.page(actor, open, all),
      deps.customers.methods(actor, customerId, all),
      methodUseOf(deps, deps.database.read(tenantId), customerId),
      receiptsOf(deps.database.read(tenantId), link, receiptPage),
      isConfirmed(deps, link, session),
    ]);
  const planned = new Set(plans.map(({ invoiceId }) => invoiceId));
  const recipient = await codeRecipient(deps, tenantId, customer);
  const until = recipient === null ? await heldUntil(deps, tenantId, customerId) : null;
  const { allowsCancel, allowsSkip } = merchant.customerPage;
  return {
    name: [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.company,
    language,
    invoices: invoices.filter(({ invoiceId }) => !planned.has(invoiceId)),
    due: await deps.invoicing.openTotalsOf(payerOf(link), [...planned]),
    plans: plans.map((plan) => ({ ...plan, invoice: invoices.find(({ invoiceId }) => invoiceId === plan.invoiceId) ?? null })),
    subscriptions: subscriptions.map((subscription) => ({
      ...subscription,
      canCancel: allowsCancel && !subscription.paymentInProgress,
      canSkip: allowsSkip && isSkippable(subscription),
    })),
    methods: methods.items.map((method) => ({ ...method, canRemove: !isNeeded(use, method.paymentMethodId, methods.total) })),
    receipts,
    codeTo: recipient && masked(recipient),
    codesFrom: until && isoTime(until),
    isConfirmed: confirmed,
  };
}

/** Returns true if the next payment of a subscription can be skipped. */
export const isSkippable = ({ status, nextPaymentDate, paymentInProgress }: Subscription): boolean =>
  status === 'active' && nextPaymentDate !== null && !paymentInProgress;
