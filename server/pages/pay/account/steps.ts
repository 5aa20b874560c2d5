import type { PaymentGroup } from '#core/billing/invoicing';
import type { Page } from '../layout.ts';
import { html } from '../markup.ts';
import { declineText } from '../states.ts';
import type { Change } from './texts-en.ts';
import type { AccountView } from './view.ts';
import { codeText, sumOf } from './view.ts';

const back = ({ path, texts }: AccountView) => html`<p><a class="action" href="${path}">${texts.back}</a></p>`;

const problem = (text: string | null) =>
  text !== null && html`<div class="faults" id="faults" role="alert" tabindex="-1" autofocus><h2>${text}</h2></div>`;

/** Returns the page on which a customer requests a code. `next` is the path that is opened after it, below that of the page. */
export function requestCodePage(view: AccountView, next: string, fault: string | null, status = 200): Page {
  const { texts, content, path } = view;
  const { confirm } = texts;
  return {
    status,
    title: confirm.title,
    main: html`${problem(fault)}<section class="card stack"><h1>${confirm.title}</h1>
<p>${codeText(view)}</p>
${content.codeTo !== null && html`<form method="post" action="${path}/code"><input type="hidden" name="next" value="${next}"><p><button type="submit">${confirm.send}</button></p></form>`}
${back(view)}</section>`,
  };
}

interface EnteredCode {
  readonly codeId: string;
  readonly next: string;
  readonly fault: string | null;
}

/** Returns the page on which a customer enters a code. */
export function enterCodePage(view: AccountView, { codeId, next, fault }: EnteredCode, status = 200): Page {
  const { texts, content, path } = view;
  const { confirm } = texts;
  return {
    status,
    title: confirm.title,
    main: html`${problem(fault)}<section class="card stack"><h1>${confirm.title}</h1>
<p role="status">${confirm.sent(content.codeTo ?? '')}</p>
<form method="post" action="${path}/confirm" novalidate>
<input type="hidden" name="codeId" value="${codeId}"><input type="hidden" name="next" value="${next}">
<div class="field"><label for="code">${confirm.code}</label><span class="hint" id="code-hint">${confirm.codeHint}</span>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required aria-describedby="code-hint"${fault !== null && html` aria-invalid="true"`}></div>
<p class="field"><button type="submit">${confirm.check}</button></p></form></section>
<section class="card stack"><form method="post" action="${path}/code"><input type="hidden" name="next" value="${next}"><p><button type="submit" class="slim">${confirm.again}</button></p></form>
${back(view)}</section>`,
  };
}

interface Question {
  readonly change: Change;
  readonly id: string;
  /** Name of the subscription or card. */
  readonly subject: string;
  /** Date of the payment that is skipped; empty for other changes. */
  readonly date: string;
}

/** Returns the question before a change. */
export function questionPage(view: AccountView, { change, id, subject, date }: Question): Page {
  const { texts, path, formKey, day } = view;
  const words = texts.changes[change];
  const title = words.question(subject);
  return {
    status: 200,
    title,
    main: html`<section class="card stack"><h1>${title}</h1><p>${words.explanation(date === '' ? '' : day(date))}</p>
<form method="post" action="${path}/change/${change}/${id}"><input type="hidden" name="key" value="${formKey}"><input type="hidden" name="date" value="${date}">
<p><button type="submit">${words.button}</button></p></form>
<p><a class="action" href="${path}">${texts.keep}</a></p></section>`,
  };
}

/** Returns a page that says that a change or a payment was not possible. */
export function refusedPage(view: AccountView, text: string, status: number): Page {
  return { status, title: text, main: html`${problem(text)}<section class="card stack">${back(view)}</section>` };
}

/** Returns the result of a payment of several invoices. It reloads itself while one of them has no result. */
export function resultPage(view: AccountView, { payments }: PaymentGroup): Page {
  const { texts, payTexts, amount, brand, path } = view;
  const paid = payments.filter(({ payment }) => payment?.status === 'succeeded');
  const waits = payments.some(({ payment }) => payment?.status === 'pending');
  const declined = payments.find(({ payment }) => payment?.status === 'failed')?.payment;
  const { result } = texts;
  const title = waits ? payTexts.pending.title : paid.length === payments.length ? result.all : paid.length > 0 ? result.some : result.none;
  const labels = { succeeded: result.paid, pending: result.waiting, failed: result.notCharged, voided: result.voided } as const;
  const tone = waits ? 'wait' : paid.length === payments.length ? 'good' : 'bad';
  return {
    status: 200,
    title,
    waits,
    main: html`<section class="card stack ${tone}" role="status"${waits && html` data-wait`}><h1>${title}</h1>
${waits && html`<p><strong>${payTexts.pending.text}</strong></p><p>${payTexts.pending.reloadNote}</p>`}
${!waits && paid.length > 0 && html`<p>${result.received(amount(sumOf(paid.map((each) => each.amount))), brand.companyName)}</p>`}
${!waits && declined && html`<p>${declineText(payTexts, declined.declineCode)}</p>`}
${!waits && paid.length < payments.length && payments.length > 1 && html`<p>${result.stopped}</p>`}
</section>
<section class="card stack"><ul class="rows">${payments.map(({ number, amount: each, payment }) => {
      const label = payment === null ? result.notCharged : labels[payment.status];
      const isPaid = payment?.status === 'succeeded' && payment.transactionId !== null;
      return html`<li><div class="row"><span><strong>${number}</strong><br><span class="quiet">${label}</span></span><strong class="price">${amount(each)}</strong></div>
${isPaid && html`<p class="small"><a class="action" href="${path}/receipts/${payment.transactionId}.pdf" aria-label="${payTexts.paid.receipt}: ${number}">${payTexts.paid.receipt}</a></p>`}</li>`;
    })}</ul>${back(view)}</section>`,
  };
}
