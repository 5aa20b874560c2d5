import { type Money, money } from '#core/kernel';
import { formatMoney, formatTime } from '#core/platform/documents';
import { brandName } from '#shared/card-brands';
import { type Html, html } from '../html.ts';
import type { Faults } from './form.ts';
import type { Page } from './layout.ts';
import { type FormContent, payForm } from './pay-form.ts';
import { paymentDetails, paymentSummary, titleOf } from './payment-summary.ts';
import type { Texts } from './texts-en.ts';
import type { PayView } from './view.ts';

/** Data of a payment that its page shows. */
export interface Paid {
  readonly paymentId: string;
  readonly amount: Money;
  readonly tipAmount: Money;
  readonly surchargeAmount: Money;
  readonly transactionId: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly bankAccount: { readonly last4: string } | null;
  readonly createdAt: string;
}

const NO_FAULTS: Faults = {};

/** Returns the page with the form, and with the problems of the previous submission if there were any. */
export function openPage(content: Omit<FormContent, 'faults'> & { readonly faults?: Faults }, status = 200): Page {
  const { view, texts, notice, faults = NO_FAULTS } = content;
  const hasProblems = notice !== undefined || Object.keys(faults).length > 0;
  const form = html`<div class="payment">${payForm({ ...content, faults })}</div>`;
  const summary = paymentSummary(view, texts);
  return {
    status,
    title: `${hasProblems ? texts.errors.titlePrefix : ''}${titleOf(view, texts)}`,
    main: html`<div class="two">
${hasProblems ? [form, summary] : [summary, form]}
${paymentDetails(view, texts)}
</div>`,
  };
}

/** Page of a successful payment: the receipt and the remaining amount. */
export function paidPage(view: PayView, texts: Texts, paid: Paid, receiptEmail: string | null): Page {
  const { thanks, title, remaining, payRemaining, receiptSent, bankDelay } = texts.paid;
  const isAllPaid = view.state === 'paid';
  return {
    status: 200,
    title,
    main: html`<section class="card stack good" role="status">
<h1>${title}</h1>
<p>${thanks(formatMoney(totalOf(paid), view.language), view.brand.companyName)}</p>
${receiptEmail !== null && html`<p>${receiptSent(receiptEmail)}</p>`}
${paid.bankAccount !== null && html`<p>${bankDelay}</p>`}
</section>
<section class="card stack">${receiptOf(view, texts, paid)}${receiptLink(view, texts, paid)}</section>
${!isAllPaid && view.state === 'open' && html`<section class="card stack"><p>${remaining(view.due)}</p><p><a class="button" href="${view.path}">${payRemaining}</a></p></section>`}`,
  };
}

/** Page of a paid invoice, with the receipts of its online payments. */
export function alreadyPaidPage(view: PayView, texts: Texts, payments: readonly Paid[], status = 200): Page {
  return {
    status,
    title: texts.paid.alreadyPaid,
    main: html`<section class="card stack good"><h1>${texts.paid.alreadyPaid}</h1>
<p>${titleOf(view, texts)}: ${view.total}. ${texts.paid.nothingDue}</p>
${view.kind === 'invoice' && html`<p><a class="action" href="${view.path}/invoice.pdf">${texts.pdf}</a></p>`}</section>
${payments.map((paid) => html`<section class="card stack">${receiptOf(view, texts, paid)}${receiptLink(view, texts, paid)}</section>`)}`,
  };
}

/** Returns the amount of a payment with what the payer added to it. */
function totalOf({ amount, tipAmount, surchargeAmount }: Pick<Paid, 'amount' | 'tipAmount' | 'surchargeAmount'>): Money {
  return money(amount.minor + tipAmount.minor + surchargeAmount.minor, amount.currency);
}

function receiptOf(view: PayView, texts: Texts, payment: Paid): Html {
  const { createdAt, card, bankAccount, transactionId, tipAmount, surchargeAmount } = payment;
  const { paid } = texts;
  const rows: [string, string | null][] = [
    [paid.amount, formatMoney(totalOf(payment), view.language)],
    [texts.tip.label, tipAmount.minor === 0 ? null : formatMoney(tipAmount, view.language)],
    [texts.surcharge.label, surchargeAmount.minor === 0 ? null : formatMoney(surchargeAmount, view.language)],
    [paid.date, formatTime(createdAt, view.timezone, view.language)],
    [
      paid.paidWith,
      card ? paid.cardEnding(brandName(card.brand) || texts.card, card.last4) : bankAccount && paid.bankEnding(bankAccount.last4),
    ],
    [paid.reference, transactionId],
  ];
  return html`<dl>${rows.map(([name, value]) => value !== null && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function receiptLink({ path }: PayView, texts: Texts, { paymentId, transactionId }: Paid): Html | null {
  if (transactionId === null) return null;
  return html`<p><a class="action" href="${path}/receipt.pdf?payment=${paymentId}">${texts.paid.receipt}</a></p>`;
}

/** Returns the page of a payment with an unknown outcome; the page reloads itself until the outcome is known. */
export function pendingPage(view: PayView, texts: Texts, payment: Parameters<typeof totalOf>[0]): Page {
  const { title, text, reloadNote } = texts.pending;
  return {
    status: 200,
    title,
    waits: true,
    main: html`<section class="card stack wait" role="status" data-wait><h1>${title}</h1>
<p><strong>${text}</strong></p><p>${reloadNote}</p>
<p class="quiet">${texts.paid.amount}: ${formatMoney(totalOf(payment), view.language)}</p></section>`,
  };
}

export function busyPage(texts: Texts, status = 200): Page {
  const { title, text } = texts.busy;
  return {
    status,
    title,
    waits: true,
    main: html`<section class="card stack wait" role="status" data-wait><h1>${title}</h1>
<p><strong>${text}</strong></p><p>${texts.pending.reloadNote}</p></section>`,
  };
}

/** Returns a page with a title and one message. */
export function messagePage(status: number, { title, text }: { readonly title: string; readonly text: string }, back?: Html): Page {
  return { status, title, main: html`<section class="card stack"><h1>${title}</h1><p>${text}</p>${back}</section>` };
}

/** Returns the text of a decline for the payer. It names possible mistakes only; further reasons are confidential between the payer and the bank. */
export function declineText({ declined }: Texts, declineCode: string | null): string {
  if (declineCode === null) return declined.failed;
  if (declineCode === 'insufficient_funds' || declineCode === 'R01') return declined.funds;
  if (declineCode === 'expired_card' || declineCode === 'invalid_expiry') return declined.expired;
  if (['cvv_failure', 'avs_failure', 'invalid_account'].includes(declineCode)) return declined.details;
  return /^R\d\d$/.test(declineCode) ? declined.bank : declined.card;
}
