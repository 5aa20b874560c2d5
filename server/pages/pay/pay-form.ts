import { type Faults, FIELDS, type FieldName, type Filled } from './form.ts';
import { type Html, html } from './html.ts';
import type { PayView } from './view.ts';
import type { Words } from './words.ts';

/** Parts of an earlier form that fill a new one: nothing with which one could pay. */
type Kept = Partial<Pick<Filled, 'method' | 'amount' | 'name' | 'zip' | 'routing' | 'accountType' | 'email'>>;

export interface FormContent {
  readonly view: PayView;
  readonly words: Words;
  /** Names one press of the button. */
  readonly attempt: string;
  readonly kept: Kept;
  readonly faults: Faults;
  /** Problem of the form as a whole. */
  readonly notice?: string;
}

/** Returns the form with the problems of the previous one. It works without scripts; the script of the page makes it quicker to fill in. */
export function payForm(content: FormContent): Html {
  const { view, words, attempt, kept } = content;
  const { methods, payable, allowPartial } = view;
  const chosen = kept.method ?? methods[0] ?? 'card';
  const text = allowPartial ? words.payWithout : words.pay(payable.text);
  return html`${summary(content)}
<form id="pay" class="card${methods.length > 1 && ' several'}" method="post" action="${view.path}" novalidate>
<input type="hidden" name="attempt" value="${attempt}">
<input type="hidden" name="currency" value="${payable.currency}">
${
  allowPartial
    ? field(content, {
        id: 'amount',
        label: words.amountToPay,
        hint: words.amountHint(payable.text),
        value: kept.amount ?? payable.decimal,
        inputmode: 'decimal',
        maxlength: 20,
      })
    : html`<input type="hidden" name="amount" value="${payable.decimal}">`
}
${
  methods.length > 1
    ? html`<fieldset class="field"><legend>${words.payWith}</legend>
<div class="choices">
${methods.map((method) => html`<label><input type="radio" name="method" id="method-${method}" value="${method}"${method === chosen && html` checked`}> ${method === 'card' ? words.card : words.bank}</label>`)}
</div>
<p class="hint only-one">${words.onlyOne}</p>
</fieldset>`
    : html`<input type="hidden" name="method" value="${chosen}">`
}
${methods.includes('card') && cardFields(content)}
${methods.includes('ach') && bankFields(content)}
<div class="person">
${field(content, { id: 'name', label: nameLabel(view, words), value: kept.name, autocomplete: methods.includes('card') ? 'cc-name' : 'name', maxlength: 100 })}
${field(content, { id: 'email', label: words.email, hint: words.emailHint, value: kept.email, type: 'email', autocomplete: 'email', maxlength: 254, isOptional: true })}
</div>
<p class="press"><button type="submit" id="submit" data-paying="${words.paying}" data-idle="${text}" data-pay="${words.pay('{}')}" data-currency="${payable.currency}">${text}</button></p>
</form>`;
}

function nameLabel({ methods }: PayView, words: Words): string {
  if (methods.length > 1) return words.name;
  return methods[0] === 'ach' ? words.nameBank : words.nameCard;
}

function cardFields(content: FormContent): Html {
  const { view, words, kept } = content;
  return html`<fieldset class="method" id="card"><legend>${words.card}</legend>
<div class="number">${field(content, { id: 'number', label: words.number, inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 30 })}<span id="brand" aria-live="polite"></span></div>
<div class="pair">
${field(content, { id: 'expiry', label: words.expiry, hint: words.expiryHint, inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 9 })}
${view.requireCvv && field(content, { id: 'cvv', label: words.cvv, hint: words.cvvHint, inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 4 })}
</div>
${view.requireZip && field(content, { id: 'zip', label: words.zip, value: kept.zip, inputmode: view.country === 'US' ? 'numeric' : undefined, autocomplete: 'postal-code', maxlength: 10 })}
</fieldset>`;
}

function bankFields(content: FormContent): Html {
  const { view, words, kept } = content;
  const isSavings = kept.accountType === 'savings';
  return html`<fieldset class="method" id="ach"><legend>${words.bank}</legend>
${field(content, { id: 'routing', label: words.routing, hint: words.routingHint, value: kept.routing, inputmode: 'numeric', autocomplete: 'off', maxlength: 20 })}
${field(content, { id: 'account', label: words.account, inputmode: 'numeric', autocomplete: 'off', maxlength: 30 })}
<fieldset class="field"><legend>${words.accountType}</legend><div class="choices">
<label><input type="radio" name="accountType" value="checking"${!isSavings && html` checked`}> ${words.checking}</label>
<label><input type="radio" name="accountType" value="savings"${isSavings && html` checked`}> ${words.savings}</label>
</div></fieldset>
<p class="field small quiet">${words.mandate(view.brand.companyName)}</p>
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

function field(
  { faults }: FormContent,
  { id, label, hint, value = '', type, inputmode, autocomplete, maxlength, isOptional }: Field,
): Html {
  const fault = faults[id];
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${id}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}
${fault !== undefined && html`<span class="wrong" id="${id}-fault">${fault}</span>`}
<input id="${id}" name="${id}" type="${type ?? 'text'}" value="${value}" maxlength="${maxlength}"${inputmode && html` inputmode="${inputmode}"`}${autocomplete && html` autocomplete="${autocomplete}"`}${!isOptional && html` required`}${described !== '' && html` aria-describedby="${described}"`}${fault !== undefined && html` aria-invalid="true"`} autocapitalize="off" spellcheck="false"></div>`;
}

/** All that is wrong at one place, which takes the focus; each line leads to its field. */
function summary({ words, faults, notice }: FormContent): Html | null {
  const wrong = FIELDS.filter((name) => faults[name] !== undefined);
  if (wrong.length === 0 && notice === undefined) return null;
  return html`<div class="faults" id="faults" role="alert" tabindex="-1" autofocus>
<h2>${notice ?? words.errors.title}</h2>
${wrong.length > 0 && html`<ul>${wrong.map((name) => html`<li><a href="#${name}">${faults[name]}</a></li>`)}</ul>`}
${wrong.length > 0 && html`<p class="small">${words.errors.again}</p>`}
</div>`;
}
