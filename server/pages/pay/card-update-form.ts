import type { CardInput } from '#core/records/vault';
import { CARD_ENTRY } from '../card-entry.ts';
import { type Html, html } from '../html.ts';
import type { CardUpdateTexts } from './card-update-texts.ts';
import type { Faults } from './form.ts';
import type { Page } from './layout.ts';
import { field, summary } from './pay-form.ts';
import type { Texts } from './texts-en.ts';

const NUMBER_CHARS_MAX = 30;
const EXPIRY_CHARS_MAX = 9;

/** Content of the form. */
export interface CardForm {
  readonly path: string;
  /** Name of the merchant. */
  readonly merchant: string;
  /** Payment method to replace, with its last four digits; null if there is none. */
  readonly replaced: string | null;
  readonly texts: CardUpdateTexts;
  /** Texts of the payment page for the same fields. */
  readonly fieldTexts: Texts;
  readonly faults: Faults;
  /** Problem of the form as a whole. */
  readonly notice?: string;
}

/** Reads a submitted form. The result is the card, or all problems together. */
export function readCard(form: URLSearchParams, { errors }: Texts): { readonly card: CardInput } | { readonly faults: Faults } {
  const number = (form.get('number') ?? '').trim().slice(0, NUMBER_CHARS_MAX);
  const expiry = (form.get('expiry') ?? '').trim().slice(0, EXPIRY_CHARS_MAX);
  const found = CARD_ENTRY.expiryOf(expiry);
  const faults: Partial<Record<'number' | 'expiry', string>> = {};
  if (number === '') faults.number = errors.number.missing;
  else if (!CARD_ENTRY.isCardNumber(number.replace(/[ -]/g, ''))) faults.number = errors.number.wrong;
  if (expiry === '') faults.expiry = errors.expiry.missing;
  else if (found === null) faults.expiry = errors.expiry.wrong;
  if (found === null || Object.keys(faults).length > 0) return { faults };
  return { card: { number, expiryMonth: found.month, expiryYear: found.year } };
}

/** Returns the page with the form. It works without scripts; the script of the payment page makes it quicker to fill in. */
export function cardFormPage({ path, merchant, replaced, texts, fieldTexts, faults, notice }: CardForm, status = 200): Page {
  const errors = { ...fieldTexts.errors, title: texts.faults, retype: texts.retype };
  const content = { faults, texts: { ...fieldTexts, errors }, ...(notice === undefined ? {} : { notice }) };
  const problems = summary(content);
  return {
    status,
    title: `${problems === null ? '' : errors.titlePrefix}${texts.title}`,
    main: html`${problems}<section class="card stack"><h1>${texts.title}</h1><p>${texts.purpose(merchant, replaced)}</p></section>
<form id="pay" class="card" method="post" action="${path}" novalidate>
${cardFields(content)}
<p class="field small quiet">${texts.consent(merchant)}</p>
<p class="press"><button type="submit" id="submit" data-paying="${texts.saving}">${texts.save}</button></p>
</form>`,
  };
}

function cardFields(content: { readonly faults: Faults; readonly texts: Texts }): Html {
  const { number, expiry, expiryHint } = content.texts;
  return html`<div class="number">${field(content, { id: 'number', label: number, inputmode: 'numeric', autocomplete: 'cc-number', maxlength: NUMBER_CHARS_MAX })}<span id="brand" aria-live="polite"></span></div>
${field(content, { id: 'expiry', label: expiry, hint: expiryHint, inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: EXPIRY_CHARS_MAX })}`;
}
