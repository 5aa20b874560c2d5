import type { Money } from '#core/kernel';
import { formatMoney, formatTime } from '#core/platform/documents';
import { asked, titleOf } from './asked.ts';
import type { Faults } from './form.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { type FormContent, payForm } from './pay-form.ts';
import type { PayView } from './view.ts';
import type { Words } from './words.ts';

/** A payment as its page shows it. */
export interface Paid {
  readonly paymentId: string;
  readonly amount: Money;
  readonly transactionId: string | null;
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly bankAccount: { readonly last4: string } | null;
  readonly createdAt: string;
}

const BRAND_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  jcb: 'JCB',
  diners: 'Diners Club',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

const NO_FAULTS: Faults = {};

/** The form, with what went wrong before where something did. */
export function openPage(content: Omit<FormContent, 'faults'> & { readonly faults?: Faults }, status = 200): Page {
  const { view, words, notice, faults = NO_FAULTS } = content;
  const isWrong = notice !== undefined || Object.keys(faults).length > 0;
  return {
    status,
    title: `${isWrong ? words.errors.titlePrefix : ''}${titleOf(view, words)}`,
    main: isWrong
      ? html`${payForm({ ...content, faults })}${asked(view, words)}`
      : html`${asked(view, words)}${payForm({ ...content, faults })}`,
  };
}

/** Page of a successful payment: the receipt and the remaining amount. */
export function paidPage(view: PayView, words: Words, paid: Paid, mailedTo: string | null): Page {
  const { thanks, title, rest, payRest, mailed, bankNote } = words.paid;
  const isAllPaid = view.state === 'paid';
  return {
    status: 200,
    title,
    main: html`<section class="card stack good" role="status">
<h1>${title}</h1>
<p>${thanks(formatMoney(paid.amount, view.language), view.brand.companyName)}</p>
${mailedTo !== null && html`<p>${mailed(mailedTo)}</p>`}
${paid.bankAccount !== null && html`<p>${bankNote}</p>`}
</section>
<section class="card stack">${facts(view, words, paid)}${receiptLink(view, words, paid)}</section>
${!isAllPaid && view.state === 'open' && html`<section class="card stack"><p>${rest(view.due)}</p><p><a class="button" href="${view.path}">${payRest}</a></p></section>`}`,
  };
}

/** Page of a paid invoice, with the receipts of its online payments. */
export function alreadyPaidPage(view: PayView, words: Words, payments: readonly Paid[], status = 200): Page {
  return {
    status,
    title: words.paid.already,
    main: html`<section class="card stack good"><h1>${words.paid.already}</h1>
<p>${titleOf(view, words)}: ${view.total}. ${words.paid.alreadyWords}</p>
${view.kind === 'invoice' && html`<p><a class="action" href="${view.path}/invoice.pdf">${words.pdf}</a></p>`}</section>
${payments.map((paid) => html`<section class="card stack">${facts(view, words, paid)}${receiptLink(view, words, paid)}</section>`)}`,
  };
}

function facts(view: PayView, words: Words, { amount, createdAt, card, bankAccount, transactionId }: Paid): Html {
  const { paid } = words;
  const rows: [string, string | null][] = [
    [paid.amount, formatMoney(amount, view.language)],
    [paid.when, formatTime(createdAt, view.timezone, view.language)],
    [paid.with, card ? paid.ending(BRAND_NAMES[card.brand] ?? words.card, card.last4) : bankAccount && paid.bankEnding(bankAccount.last4)],
    [paid.reference, transactionId],
  ];
  return html`<dl>${rows.map(([name, value]) => value !== null && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function receiptLink({ path }: PayView, words: Words, { paymentId, transactionId }: Paid): Html | null {
  if (transactionId === null) return null;
  return html`<p><a class="action" href="${path}/receipt.pdf?payment=${paymentId}">${words.paid.receipt}</a></p>`;
}

/** A payment whose outcome is not known yet; the page loads itself again until it is. */
export function pendingPage(view: PayView, words: Words, amount: Money): Page {
  const { title, words: said, meanwhile } = words.pending;
  return {
    status: 200,
    title,
    waits: true,
    main: html`<section class="card stack wait" role="status" data-wait><h1>${title}</h1>
<p><strong>${said}</strong></p><p>${meanwhile}</p>
<p class="quiet">${words.paid.amount}: ${formatMoney(amount, view.language)}</p></section>`,
  };
}

export function busyPage(words: Words, status = 200): Page {
  const { title, words: said } = words.busy;
  return {
    status,
    title,
    waits: true,
    main: html`<section class="card stack wait" role="status" data-wait><h1>${title}</h1>
<p><strong>${said}</strong></p><p>${words.pending.meanwhile}</p></section>`,
  };
}

/** One thing said plainly. */
export function saidPage(status: number, { title, words: said }: { readonly title: string; readonly words: string }, back?: Html): Page {
  return { status, title, main: html`<section class="card stack"><h1>${title}</h1><p>${said}</p>${back}</section>` };
}

/** Returns the reason of a decline for the payer: possible mistakes only, because details are the bank's to tell. */
export function declineWords({ declined }: Words, declineCode: string | null): string {
  if (declineCode === null) return declined.failed;
  if (declineCode === 'insufficient_funds' || declineCode === 'R01') return declined.funds;
  if (declineCode === 'expired_card' || declineCode === 'invalid_expiry') return declined.expired;
  if (['cvv_failure', 'avs_failure', 'invalid_account'].includes(declineCode)) return declined.details;
  return /^R\d\d$/.test(declineCode) ? declined.bank : declined.card;
}
