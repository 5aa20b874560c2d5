import { type Html, html } from './html.ts';
import type { PayView } from './view.ts';
import type { Words } from './words.ts';

/** Returns the title of a page: the invoice's number, or the purpose of a link. */
export function titleOf({ kind, number, description }: PayView, words: Words): string {
  if (kind === 'invoice') return words.invoice(number);
  return description === '' ? words.payment : description;
}

/** Shows the merchant, the purpose, the amount and the due date. */
export function asked(view: PayView, words: Words): Html {
  const { brand, kind, customer, description, dueDay, isOverdue, note, payable } = view;
  const isListed = view.items.length > 0 || view.paid !== null;
  return html`<section class="card stack">
<div><h1 class="user">${titleOf(view, words)}</h1>
<p class="quiet user">${words.asks(brand.companyName)}</p></div>
<p><span class="quiet">${words.amountDue}</span><br><span class="sum">${payable.text}</span></p>
${dueDay !== null && html`<p class="${isOverdue ? 'warn' : 'quiet'}">${isOverdue ? words.overdue(dueDay) : words.due(dueDay)}</p>`}
${customer !== '' && html`<p><span class="quiet">${words.billTo}</span> <span class="user">${customer}</span></p>`}
${kind === 'invoice' && description !== '' && html`<p class="user" dir="auto">${description}</p>`}
${isListed && table(view, words)}
${note.length > 0 && html`<p class="user quiet" dir="auto">${note.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`}
${kind === 'invoice' && html`<p><a class="action" href="${view.path}/invoice.pdf">${words.pdf}</a></p>`}
</section>`;
}

function table({ items, total, paid, due }: PayView, words: Words): Html {
  const sums = paid === null ? [] : [[words.total, total] as const, [words.paidSoFar, paid] as const, [words.stillDue, due] as const];
  return html`<table>
<caption class="hidden">${words.items}</caption>
<thead><tr><th scope="col">${words.item}</th><th scope="col">${words.amount}</th></tr></thead>
<tbody>${items.map(
    ({ description, detail, amount }) =>
      html`<tr><td dir="auto"><span class="user">${description}</span><br><span class="quiet small" dir="ltr">${detail}</span></td><td>${amount}</td></tr>`,
  )}</tbody>
${sums.length > 0 && html`<tfoot>${sums.map(([name, amount]) => html`<tr><td>${name}</td><td>${amount}</td></tr>`)}</tfoot>`}
</table>`;
}
