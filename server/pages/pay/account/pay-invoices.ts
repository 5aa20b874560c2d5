import { randomBytes } from 'node:crypto';
import type { OpenInvoice } from '#core/billing/invoicing';
import type { Faults, ReusableFields } from '../form.ts';
import type { Page } from '../layout.ts';
import { type Html, html } from '../markup.ts';
import { payForm } from '../pay-form.ts';
import type { ShownSurcharge } from '../surcharge.ts';
import { type AccountView, methodName, payViewOf, sumOf } from './view.ts';

const ATTEMPT_BYTES = 18;

/** State of the form after a submission that was refused. */
export interface Refused {
  readonly kept?: ReusableFields;
  readonly faults?: Faults;
  readonly surcharge?: ShownSurcharge;
  readonly notice?: string;
  /** True if the payment was by a card on file. */
  readonly isStored?: boolean;
}

/** Returns the page on which chosen invoices are paid, with a card on file or another one. */
export function payInvoicesPage(view: AccountView, chosen: readonly OpenInvoice[], refused: Refused = {}, status = 200): Page {
  const { texts, payTexts, amount, page } = view;
  const sum = sumOf(chosen.map(({ payable }) => payable));
  const attempt = randomBytes(ATTEMPT_BYTES).toString('base64url');
  const fields = html`${chosen.map(({ invoiceId, payable }) => html`<input type="hidden" name="invoice" value="${invoiceId}:${payable.minor}">`)}`;
  const { kept = {}, faults = {}, surcharge, notice, isStored = false } = refused;
  const hasProblems = notice !== undefined || Object.keys(faults).length > 0;
  const form =
    page.rules.methods.length === 0
      ? null
      : payForm({
          view: payViewOf(view, sum),
          texts: payTexts,
          attempt,
          kept,
          faults,
          together: fields,
          ...(surcharge !== undefined && !isStored && { surcharge }),
          ...(notice !== undefined && !isStored && { notice }),
        });
  return {
    status,
    title: `${hasProblems ? payTexts.errors.titlePrefix : ''}${texts.pay.title}`,
    main: html`${isStored && notice !== undefined && html`<div class="faults" role="alert" tabindex="-1" autofocus><h2>${notice}</h2></div>`}<section class="card stack"><h1>${texts.pay.title}</h1>
<p><span class="sum">${amount(sum)}</span></p>
<ul class="rows">${chosen.map(({ number, payable }) => html`<li><div class="row"><span>${number}</span><span class="price">${amount(payable)}</span></div></li>`)}</ul>
${chosen.length > 1 && html`<p class="small quiet">${texts.pay.seconds}</p>`}
<p><a class="action" href="${view.path}">${texts.back}</a></p></section>
${onFile(view, chosen, { fields, attempt, ...(isStored && surcharge !== undefined && { surcharge }) })}
${form !== null && view.content.methods.length > 0 && html`<h2 class="between">${texts.pay.otherCard}</h2>`}
${form}`,
  };
}

interface StoredForm {
  readonly fields: Html;
  readonly attempt: string;
  /** Surcharge of the card, which an earlier page had not shown. */
  readonly surcharge?: ShownSurcharge;
}

/** Returns the form for a card on file; without a code, the link to get one. */
function onFile(view: AccountView, chosen: readonly OpenInvoice[], { fields, attempt, surcharge }: StoredForm): Html | null {
  const { texts, content, path, amount, formKey } = view;
  if (content.methods.length === 0 || (content.codeTo === null && !content.isConfirmed)) return null;
  const query = chosen.map(({ invoiceId }) => `invoice=${invoiceId}`).join('&');
  if (!content.isConfirmed)
    return html`<section class="card stack"><h2>${texts.pay.onFile}</h2><p>${texts.pay.needsCode}</p>
<form method="post" action="${path}/code"><input type="hidden" name="next" value="pay?${query}"><p><button type="submit" class="slim">${texts.confirm.send}</button></p></form></section>`;
  const sum = sumOf(chosen.map(({ payable }) => payable));
  return html`<form class="card stack" method="post" action="${path}/pay"><h2 id="on-file">${texts.pay.onFile}</h2>
<input type="hidden" name="attempt" value="${attempt}s"><input type="hidden" name="surcharge" value="${surcharge?.decimal ?? '0'}"><input type="hidden" name="key" value="${formKey}">${fields}
<fieldset aria-labelledby="on-file"><div class="choices">${content.methods.map(
    (method, nth) =>
      html`<label><input type="radio" name="stored" value="${method.paymentMethodId}"${(method.isDefault || (nth === 0 && !content.methods.some(({ isDefault }) => isDefault))) && html` checked`}> ${methodName(view, method)}</label>`,
  )}</div></fieldset>
${surcharge !== undefined && html`<p>${surcharge.line}</p>`}
<p><button type="submit">${surcharge?.button ?? texts.pay.payOnFile(amount(sum))}</button></p></form>`;
}
