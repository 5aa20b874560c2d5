import { type Html, html } from '../html.ts';
import type { Texts } from './texts-en.ts';
import type { PayView } from './view.ts';

/** Returns the title of a page: the invoice's number, or the purpose of a link. */
export function titleOf({ kind, number, description }: PayView, texts: Texts): string {
  if (kind === 'invoice') return texts.invoice(number);
  return description === '' ? texts.payment : description;
}

/** Shows the merchant, the purpose, the amount and the due date, with a link to the details if there are some. */
export function paymentSummary(view: PayView, texts: Texts): Html {
  const { brand, customer, dueDay, isOverdue, payable, purchaseOrder } = view;
  return html`<section class="card stack summary">
<div><h1 class="user">${titleOf(view, texts)}</h1>
<p class="quiet user">${texts.requestedBy(brand.companyName)}</p></div>
<p><span class="quiet">${texts.amountDue}</span><br><span class="sum">${payable.text}</span></p>
${dueDay !== null && html`<p class="${isOverdue ? 'warn' : 'quiet'}">${isOverdue ? texts.overdue(dueDay) : texts.due(dueDay)}</p>`}
${customer !== '' && html`<p><span class="quiet">${texts.billTo}</span> <span class="user">${customer}</span></p>`}
${purchaseOrder !== '' && html`<p><span class="quiet">${texts.purchaseOrder}</span> <span class="user">${purchaseOrder}</span></p>`}
${hasDetails(view) && html`<p class="to-details"><a class="action" href="#details">${texts.details}</a></p>`}
</section>`;
}

const hasDetails = ({ kind, items, paid, tax, schedule: plan, note }: PayView) =>
  kind === 'invoice' || items.length > 0 || paid !== null || tax !== null || plan !== null || note.length > 0;

/** Shows what the payment is for: items, installments, the note and the invoice's file. Null if there is nothing of it. */
export function paymentDetails(view: PayView, texts: Texts): Html | null {
  if (!hasDetails(view)) return null;
  const { kind, description, note } = view;
  const isListed = view.items.length > 0 || view.paid !== null || view.tax !== null;
  return html`<section class="card stack details" id="details" aria-label="${texts.details}">
${kind === 'invoice' && description !== '' && html`<p class="user" dir="auto">${description}</p>`}
${isListed && table(view, texts)}
${schedule(view, texts)}
${note.length > 0 && html`<p class="user quiet" dir="auto">${note.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`}
${kind === 'invoice' && html`<p><a class="action" href="${view.path}/invoice.pdf">${texts.pdf}</a></p>`}
</section>`;
}

/** Shows the installments that are charged automatically, and says that the rest can be paid now. */
function schedule({ schedule: plan, payable }: PayView, { installments: texts }: Texts): Html | null {
  if (plan === null) return null;
  const rows = plan.installments.map(
    ({ number, day, amount, state }) =>
      html`<tr><td>${number}. ${day}<br><span class="quiet small">${texts.states[state]}</span></td><td>${amount}</td></tr>`,
  );
  return html`<h2>${texts.title}</h2>
<table>
<caption class="hidden">${texts.title}</caption>
<thead><tr><th scope="col">${texts.date}</th><th scope="col">${texts.amount}</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p>${plan.isAutomatic && plan.last4 !== null ? texts.automatic(plan.last4) : texts.stopped} ${texts.payRest(payable.text)}</p>`;
}

function table({ items, tax, total, paid, due }: PayView, texts: Texts): Html {
  const sums: (readonly [name: string, amount: string])[] = [
    ...(tax === null ? [] : [[texts.taxIncluded, tax] as const]),
    ...(tax === null && paid === null ? [] : [[texts.total, total] as const]),
    ...(paid === null ? [] : [[texts.paidSoFar, paid] as const, [texts.stillDue, due] as const]),
  ];
  return html`<table>
<caption class="hidden">${texts.itemsCaption}</caption>
<thead><tr><th scope="col">${texts.item}</th><th scope="col">${texts.amount}</th></tr></thead>
<tbody>${items.map(
    ({ description, detail, amount }) =>
      html`<tr><td dir="auto"><span class="user">${description}</span><br><span class="quiet small" dir="ltr">${detail}</span></td><td>${amount}</td></tr>`,
  )}</tbody>
${sums.length > 0 && html`<tfoot>${sums.map(([name, amount]) => html`<tr><td>${name}</td><td>${amount}</td></tr>`)}</tfoot>`}
</table>`;
}
