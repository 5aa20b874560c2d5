import type { PageContent, PageMethod, PageSubscription } from '#core/billing/customer-page';
import { type OpenInvoice, type OpenTotal, TOGETHER_MAX } from '#core/billing/invoicing';
import type { Page } from '../layout.ts';
import { type Html, html } from '../markup.ts';
import type { Change } from './texts-en.ts';
import { type AccountView, codeText, methodName } from './view.ts';

/** Returns the page with everything of the customer. `notice` is the result of the last change. */
export function overviewPage(view: AccountView, notice: string | null): Page {
  const { texts, brand, content } = view;
  const title = texts.title(brand.companyName);
  return {
    status: 200,
    title,
    main: html`${notice !== null && html`<p class="note" role="status">${notice}</p>`}
<div class="head"><h1>${title}</h1>${content.name !== null && html`<p class="quiet user">${content.name}</p>`}</div>
<div class="account">
<div>${invoices(view)}${plans(view)}</div>
<div>${subscriptions(view)}${methods(view)}${receipts(view)}${confirmation(view)}</div>
</div>`,
  };
}

/** Returns the open invoices, with one form for each currency. */
function invoices(view: AccountView): Html {
  const { texts, content } = view;
  return html`<section class="card stack" aria-labelledby="invoices"><h2 id="invoices">${texts.invoices.title}</h2>
${content.due.length === 0 && html`<p class="quiet">${texts.invoices.none}</p>`}
${content.due.map((due) =>
  invoiceForm(
    view,
    due,
    content.invoices.filter(({ amountDue }) => amountDue.currency === due.amountDue.currency),
  ),
)}
</section>`;
}

function invoiceForm(view: AccountView, due: OpenTotal, listed: readonly OpenInvoice[]): Html {
  const { texts, path, amount } = view;
  const payable = listed.filter(isPayable);
  const takesPayments = view.page.rules.methods.length > 0 || view.content.methods.length > 0;
  return html`<p><span class="quiet">${texts.invoices.total}</span><br><span class="sum">${amount(due.amountDue)}</span></p>
<form method="get" action="${path}/pay" class="stack">
<fieldset><legend class="hidden">${texts.invoices.choose}</legend>
<ul class="rows">${listed.map((invoice) => invoiceRow(view, invoice, payable.indexOf(invoice) >= 0 && payable.indexOf(invoice) < TOGETHER_MAX))}</ul>
</fieldset>
${due.count > listed.length && html`<p class="small quiet">${texts.invoices.listed(listed.length, due.count)}</p>`}
${payable.length > TOGETHER_MAX && html`<p class="small quiet">${texts.invoices.several(TOGETHER_MAX)}</p>`}
${takesPayments && payable.length > 0 && html`<p><button type="submit">${texts.invoices.pay}</button></p>`}
</form>`;
}

/** Returns true if an invoice can be paid together with others. */
export const isPayable = ({ payable, needsAddress }: OpenInvoice) => payable.minor > 0 && !needsAddress;

function invoiceRow({ texts, amount, day }: AccountView, invoice: OpenInvoice, isChosen: boolean): Html {
  const { invoiceId, number, description, dueDate, isOverdue, path } = invoice;
  const due =
    dueDate === null ? texts.invoices.noDate : isOverdue ? texts.invoices.overdue(day(dueDate)) : texts.invoices.due(day(dueDate));
  const name = html`<span><strong>${number}</strong>${description !== null && html` <span class="user">${description}</span>`}<br><span class="small ${isOverdue ? 'warn' : 'quiet'}">${due}</span></span><strong class="price">${amount(invoice.amountDue)}</strong>`;
  const note = invoice.needsAddress ? texts.invoices.ownPage : invoice.payable.minor === 0 ? texts.invoices.pending : null;
  return html`<li>${
    isPayable(invoice)
      ? html`<label class="row"><input type="checkbox" name="invoice" value="${invoiceId}"${isChosen && html` checked`}>${name}</label>`
      : html`<div class="row">${name}</div>`
  }${note !== null && html`<p class="small quiet">${note}</p>`}<p class="small"><a class="action" href="${path}">${texts.invoices.open(number)}</a></p></li>`;
}

function plans({ texts, content, amount, day }: AccountView): Html | null {
  if (content.plans.length === 0) return null;
  return html`<section class="card stack" aria-labelledby="plans"><h2 id="plans">${texts.plans.title}</h2>
<ul class="rows">${content.plans.map((plan) => {
    const next = plan.installments.find(({ number }) => number === plan.nextNumber);
    return html`<li class="stack"><p><strong>${texts.plans.invoice(plan.invoice?.number ?? '')}</strong></p>
<p class="quiet">${plan.status === 'active' && next && plan.nextDueDate !== null ? texts.plans.next(amount(next.amountRemaining), day(plan.nextDueDate)) : texts.plans.paused}<br>${texts.plans.remaining(amount(plan.amountRemaining))}</p>
${plan.invoice !== null && html`<p class="small"><a class="action" href="${plan.invoice.path}">${texts.plans.schedule}</a></p>`}</li>`;
  })}</ul></section>`;
}

/** Returns the name of a subscription: its amount and interval. */
export function subscriptionName({ texts, amount }: AccountView, { amount: each, frequency }: PageSubscription): string {
  return `${amount(each)} ${texts.subscriptions.frequency[frequency]}`;
}

function subscriptions(view: AccountView): Html | null {
  const { texts, content, day } = view;
  if (content.subscriptions.length === 0) return null;
  const stateOf = ({ status, nextPaymentDate }: PageSubscription) => {
    if (status === 'paused') return texts.subscriptions.paused;
    const next = nextPaymentDate === null ? texts.subscriptions.noNext : texts.subscriptions.next(day(nextPaymentDate));
    return status === 'past_due' ? `${texts.subscriptions.pastDue} ${next}` : next;
  };
  return html`<section class="card stack" aria-labelledby="subscriptions"><h2 id="subscriptions">${texts.subscriptions.title}</h2>
<ul class="rows">${content.subscriptions.map((subscription) => {
    const { subscriptionId, card, canCancel, canSkip } = subscription;
    const name = subscriptionName(view, subscription);
    return html`<li><p><strong>${name}</strong></p>
<p class="quiet">${stateOf(subscription)}<br>${card === null ? texts.subscriptions.noMethod : texts.subscriptions.chargedTo(methodName(view, card))}</p>
${(canCancel || canSkip) && html`<p class="actions">${canSkip && action(view, 'skip', subscriptionId, name)}${canCancel && action(view, 'cancel', subscriptionId, name)}</p>`}</li>`;
  })}</ul></section>`;
}

/** Returns the link to the question of a change. */
function action({ path, texts, content }: AccountView, change: Change, id: string, subject: string): Html | null {
  if (!canChange(content)) return null;
  return html`<a class="action" href="${path}/change/${change}/${id}" aria-label="${texts.changes[change].action}: ${subject}">${texts.changes[change].action}</a>`;
}

const canChange = ({ codeTo, isConfirmed }: PageContent) => isConfirmed || codeTo !== null;

function methods(view: AccountView): Html {
  const { texts, content, path } = view;
  return html`<section class="card stack" aria-labelledby="cards"><h2 id="cards">${texts.methods.title}</h2>
${content.methods.length === 0 && html`<p class="quiet">${texts.methods.none}</p>`}
${content.methods.length === 0 && canChange(content) && html`<p><a class="action" href="${path}/change/replace/new">${texts.methods.add}</a></p>`}
${content.methods.length > 0 && html`<ul class="rows">${content.methods.map((method) => methodRow(view, method))}</ul>`}
</section>`;
}

function methodRow(view: AccountView, method: PageMethod): Html {
  const { texts } = view;
  const { paymentMethodId, expiryMonth, expiryYear, isDefault, canRemove } = method;
  const name = methodName(view, method);
  const facts = [
    expiryMonth === null ? null : texts.methods.expires(`${expiryMonth}/${expiryYear}`),
    isDefault ? texts.methods.isDefault : null,
  ].filter((fact) => fact !== null);
  return html`<li><p><strong>${name}</strong></p>${facts.length > 0 && html`<p class="quiet">${facts.join(' · ')}</p>`}
<p class="actions">${action(view, 'replace', paymentMethodId, name)}${canRemove && action(view, 'remove', paymentMethodId, name)}</p>
${!canRemove && html`<p class="small quiet">${texts.methods.needed}</p>`}</li>`;
}

function receipts({ texts, content, path, amount, dayOf }: AccountView): Html {
  const { items, page, first, total } = content.receipts;
  const last = first + items.length - 1;
  const link = (to: number, text: string) => html`<a class="action" href="${path}?receipts=${String(to)}#receipts">${text}</a>`;
  return html`<section class="card stack" aria-labelledby="receipts"><h2 id="receipts">${texts.receipts.title}</h2>
${total === 0 && html`<p class="quiet">${texts.receipts.none}</p>`}
${
  total > 0 &&
  html`<ul class="rows">${items.map(
    (receipt) =>
      html`<li><a class="action" href="${path}/receipts/${receipt.paymentId}.pdf">${texts.receipts.pdf(amount(receipt.amount), dayOf(receipt.createdAt))}</a></li>`,
  )}</ul>`
}
${total > items.length && html`<p class="quiet">${texts.receipts.range(first, last, total)}</p><p class="actions">${page > 1 && link(page - 1, texts.receipts.newer)}${last < total && link(page + 1, texts.receipts.older)}</p>`}
</section>`;
}

function confirmation(view: AccountView): Html {
  const { texts, content, path, formKey } = view;
  const { confirm } = texts;
  if (content.isConfirmed)
    return html`<section class="card stack" aria-labelledby="confirm"><h2 id="confirm">${confirm.title}</h2><p>${confirm.confirmed}</p>
<form method="post" action="${path}/end"><input type="hidden" name="key" value="${formKey}"><p><button type="submit" class="slim">${confirm.end}</button></p></form></section>`;
  return html`<section class="card stack" aria-labelledby="confirm"><h2 id="confirm">${confirm.title}</h2>
<p>${codeText(view)}</p>
${content.codeTo !== null && html`<form method="post" action="${path}/code"><p><button type="submit" class="slim">${confirm.send}</button></p></form>`}</section>`;
}
