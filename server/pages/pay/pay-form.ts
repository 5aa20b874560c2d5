import { type Html, html } from '../html.ts';
import { type Faults, FIELDS, type FieldName, type ReusableFields } from './form.ts';
import { shippingFields } from './shipping-fields.ts';
import type { ShownSurcharge } from './surcharge.ts';
import type { Texts } from './texts-en.ts';
import { CUSTOM_TIP, isTipOffered, type TipValues } from './tip.ts';
import type { PayView } from './view.ts';

export interface FormContent {
  readonly view: PayView;
  readonly texts: Texts;
  /** Identifies one submission of the form. */
  readonly attempt: string;
  /** Values of an earlier form that fill a new one; card and account numbers are not among them. */
  readonly kept: ReusableFields;
  readonly faults: Faults;
  /** Surcharge of the card of the previous submission, which its page had not shown. */
  readonly surcharge?: ShownSurcharge;
  /** Problem of the form as a whole. */
  readonly notice?: string;
  /** Hidden fields of a payment of several invoices, whose surcharge is known only after a submission. */
  readonly together?: Html;
}

/** Returns the form with the problems of the previous one. It works without scripts; the script of the page makes it quicker to fill in. */
export function payForm(content: FormContent): Html {
  const { view, texts, attempt, kept, surcharge, together } = content;
  const { methods, payable, allowPartial } = view;
  const chosen = kept.method ?? methods[0] ?? 'card';
  const text = surcharge?.button ?? (allowPartial || view.tips !== null ? texts.payWithoutAmount : texts.pay(payable.text));
  return html`${summary(content)}
<form id="pay" class="card${methods.length > 1 && ' several'}" method="post" action="${view.path}" novalidate>
<input type="hidden" name="attempt" value="${attempt}">
<input type="hidden" name="currency" value="${payable.currency}">
<input type="hidden" name="surcharge" value="${surcharge?.decimal ?? '0'}" id="surcharge">${together}
${
  allowPartial
    ? field(content, {
        id: 'amount',
        label: texts.amountToPay,
        hint: texts.amountHint(payable.text),
        value: kept.amount ?? payable.decimal,
        inputmode: 'decimal',
        maxlength: 20,
      })
    : html`<input type="hidden" name="amount" value="${payable.decimal}" id="fixed-amount">`
}
${tipFields({ view, texts, kept, field: (own) => field(content, own) })}
${
  methods.length > 1
    ? html`<fieldset class="field"><legend>${texts.payWith}</legend>
<div class="choices">
${methods.map((method) => html`<label><input type="radio" name="method" id="method-${method}" value="${method}"${method === chosen && html` checked`}> ${method === 'card' ? texts.card : texts.bank}</label>`)}
</div>
<p class="hint only-one">${texts.fillOnlyChosen}</p>
</fieldset>`
    : html`<input type="hidden" name="method" value="${chosen}">`
}
${methods.includes('card') && cardFields(content)}
${methods.includes('ach') && bankFields(content)}
<div class="person">
${field(content, { id: 'name', label: nameLabel(view, texts), value: kept.name, autocomplete: methods.includes('card') ? 'cc-name' : 'name', maxlength: 100 })}
${field(content, { id: 'email', label: texts.email, hint: texts.emailHint, value: kept.email, type: 'email', autocomplete: 'email', maxlength: 254, isOptional: true })}
</div>
${view.collectShippingAddress && shippingFields({ view, texts, kept, field: (own) => field(content, own), fault: content.faults.shippingCountry })}
${view.surchargePercent > 0 && surchargeLine(content)}
<p class="press"><button type="submit" id="submit" data-paying="${texts.paying}" data-idle="${text}" data-pay="${texts.pay('{}')}" data-currency="${payable.currency}" data-decimals="${payable.decimals}">${text}</button></p>
</form>`;
}

/** Says that a credit card may have a surcharge, and shows it as soon as the card is known. */
function surchargeLine({ view, texts, surcharge, together }: FormContent): Html {
  const rule = html`<p class="field small quiet">${texts.surcharge.mayApply(view.surchargePercent)}</p>`;
  if (together) return html`${rule}<p class="field">${surcharge?.line ?? ''}</p>`;
  return html`${rule}
<p class="field" id="surcharge-line" role="status" data-url="${view.path}/surcharge">${surcharge?.line ?? ''}</p>`;
}

function nameLabel({ methods }: PayView, texts: Texts): string {
  if (methods.length > 1) return texts.name;
  return methods[0] === 'ach' ? texts.nameBank : texts.nameCard;
}

function cardFields(content: FormContent): Html {
  const { view, texts, kept } = content;
  return html`<fieldset class="method" id="card"><legend>${texts.card}</legend>
<div class="number">${field(content, { id: 'number', label: texts.number, inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 30 })}<span id="brand" aria-live="polite"></span></div>
<div class="pair">
${field(content, { id: 'expiry', label: texts.expiry, hint: texts.expiryHint, inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 9 })}
${view.requireCvv && field(content, { id: 'cvv', label: texts.cvv, hint: texts.cvvHint, inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 4 })}
</div>
${view.requireZip && field(content, { id: 'zip', label: texts.zip, value: kept.zip, inputmode: view.country === 'US' ? 'numeric' : undefined, autocomplete: 'postal-code', maxlength: 10 })}
</fieldset>`;
}

function bankFields(content: FormContent): Html {
  const { view, texts, kept } = content;
  const isSavings = kept.accountType === 'savings';
  const isCompany = kept.accountHolder === 'company';
  return html`<fieldset class="method" id="ach"><legend>${texts.bank}</legend>
${field(content, { id: 'routing', label: texts.routing, hint: texts.routingHint, value: kept.routing, inputmode: 'numeric', autocomplete: 'off', maxlength: 20 })}
${field(content, { id: 'account', label: texts.account, inputmode: 'numeric', autocomplete: 'off', maxlength: 30 })}
<fieldset class="field"><legend>${texts.accountType}</legend><div class="choices">
<label><input type="radio" name="accountType" value="checking"${!isSavings && html` checked`}> ${texts.checking}</label>
<label><input type="radio" name="accountType" value="savings"${isSavings && html` checked`}> ${texts.savings}</label>
</div></fieldset>
<fieldset class="field"><legend>${texts.accountHolder}</legend><div class="choices">
<label><input type="radio" name="accountHolder" value="person"${!isCompany && html` checked`}> ${texts.person}</label>
<label><input type="radio" name="accountHolder" value="company"${isCompany && html` checked`}> ${texts.company}</label>
</div></fieldset>
<p class="field small quiet">${texts.mandate(view.brand.companyName)}</p>
</fieldset>`;
}

interface Field {
  readonly id: FieldName;
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  readonly type?: 'email';
  readonly inputmode?: 'numeric' | 'decimal';
  readonly autocomplete?: string;
  readonly maxlength: number;
  readonly isOptional?: boolean;
}

export function field(
  { faults }: Pick<FormContent, 'faults'>,
  { id, label, hint, value = '', type, inputmode, autocomplete, maxlength, isOptional }: Field,
): Html {
  const fault = faults[id];
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${id}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}
${fault !== undefined && html`<span class="wrong" id="${id}-fault">${fault}</span>`}
<input id="${id}" name="${id}" type="${type ?? 'text'}" value="${value}" maxlength="${maxlength}"${inputmode && html` inputmode="${inputmode}"`}${autocomplete && html` autocomplete="${autocomplete}"`}${!isOptional && html` required`}${described !== '' && html` aria-describedby="${described}"`}${fault !== undefined && html` aria-invalid="true"`} autocapitalize="off" spellcheck="false"></div>`;
}

/** Returns a focused summary of all problems; each line links to its field. */
export function summary({ texts, faults, notice }: Pick<FormContent, 'texts' | 'faults' | 'notice'>): Html | null {
  const wrong = FIELDS.filter((name) => faults[name] !== undefined);
  if (wrong.length === 0 && notice === undefined) return null;
  return html`<div class="faults" id="faults" role="alert" tabindex="-1" autofocus>
<h2>${notice ?? texts.errors.title}</h2>
${wrong.length > 0 && html`<ul>${wrong.map((name) => html`<li><a href="#${name}">${faults[name]}</a></li>`)}</ul>`}
${wrong.length > 0 && html`<p class="small">${texts.errors.retype}</p>`}
</div>`;
}

interface TipForm {
  readonly view: PayView;
  readonly texts: Texts;
  readonly kept: Partial<TipValues>;
  /** Draws a text field with its problem. */
  readonly field: (field: {
    readonly id: 'tipAmount';
    readonly label: string;
    readonly value: string | undefined;
    readonly inputmode: 'decimal';
    readonly maxlength: number;
    readonly isOptional: boolean;
  }) => Html;
}

/** Returns the choice of a tip; no tip is the default. Returns null if the page offers none. */
function tipFields({ view, texts, kept, field }: TipForm): Html | null {
  if (view.tips === null) return null;
  const { suggested, takesAmount } = view.tips;
  const chosen = kept.tip !== undefined && isTipOffered({ tip: kept.tip }, view) ? kept.tip : '';
  const choice = (value: string, id: string, label: Html | string) =>
    html`<label><input type="radio" name="tip" id="${id}" value="${value}"${value === chosen && html` checked`}> <span>${label}</span></label>`;
  return html`<fieldset class="field"><legend>${texts.tip.title}</legend>
<div class="choices">
${choice('', 'tip-none', texts.tip.none)}
${suggested.map(({ percent, amount }) => choice(percent, `tip-${percent}`, html`${percent}%<br> <span class="small quiet" data-percent="${percent}">${amount ?? ''}</span>`))}
${takesAmount && choice(CUSTOM_TIP, 'tip-custom', texts.tip.custom)}
</div>
${takesAmount && html`<div class="custom-tip">${field({ id: 'tipAmount', label: texts.tip.amount, value: kept.tipAmount, inputmode: 'decimal', maxlength: 20, isOptional: true })}</div>`}
</fieldset>`;
}
