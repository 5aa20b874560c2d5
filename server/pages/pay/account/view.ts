import type { CustomerPage, PageContent } from '#core/billing/customer-page';
import { dateIn, exponentOf, formatDecimal, type Money, money } from '#core/kernel';
import { type Brand, brandOf, formatDay, formatMoney, formatTime } from '#core/platform/documents';
import { brandName } from '#shared/card-brands';
import type { Language } from '#shared/languages';
import { textsOf } from '../languages.ts';
import type { Texts } from '../texts-en.ts';
import type { PayView } from '../view.ts';
import { ACCOUNT_TEXTS } from './languages.ts';
import type { AccountTexts } from './texts-en.ts';

/** An open page of a customer with its texts. */
export interface AccountView {
  readonly page: CustomerPage;
  readonly content: PageContent;
  /** Path of the page. */
  readonly path: string;
  readonly language: Language;
  readonly brand: Brand;
  readonly texts: AccountTexts;
  /** Texts of the payment page. */
  readonly payTexts: Texts;
  readonly amount: (amount: Money) => string;
  readonly day: (date: string) => string;
  /** Returns the local day of a time. */
  readonly dayOf: (time: string) => string;
  /** Returns the local day and time of a time. */
  readonly momentOf: (time: string) => string;
  /** Value that the forms of a confirmed browser contain; empty otherwise. */
  readonly formKey: string;
}

export function accountView(page: CustomerPage, content: PageContent, path: string, formKey: string): AccountView {
  const { language, timezone } = page.merchant;
  return {
    page,
    content,
    path,
    language,
    brand: brandOf(page.merchant),
    texts: ACCOUNT_TEXTS[language],
    payTexts: textsOf(language),
    amount: (amount) => formatMoney(amount, language),
    day: (date) => formatDay(date, language),
    dayOf: (time) => formatDay(dateIn(timezone, Date.parse(time)), language),
    momentOf: (time) => formatTime(time, timezone, language),
    formKey,
  };
}

/** Returns the name of a card or bank account, such as Visa ending 1111. */
export function methodName(
  { payTexts }: Pick<AccountView, 'payTexts'>,
  { type, brand, last4 }: { readonly type: 'card' | 'ach'; readonly brand: string | null; readonly last4: string },
): string {
  const { paid } = payTexts;
  return type === 'card' ? paid.cardEnding(brandName(brand ?? '') || payTexts.card, last4) : paid.bankEnding(last4);
}

/** Returns the sentence about codes: where they are sent, or why none is sent. */
export function codeText({ texts, content, brand, momentOf }: AccountView): string {
  const { confirm } = texts;
  if (content.codeTo !== null) return confirm.explanation(content.codeTo);
  return content.codesFrom === null ? confirm.impossible(brand.companyName) : confirm.held(brand.companyName, momentOf(content.codesFrom));
}

/** Returns the sum of amounts of one currency. */
export function sumOf(amounts: readonly Money[]): Money {
  const [first] = amounts;
  return money(
    amounts.reduce((sum, { minor }) => sum + minor, 0),
    first?.currency ?? ('USD' as Money['currency']),
  );
}

/** Returns the view of the payment form for a sum. */
export function payViewOf({ page, path, language, brand }: AccountView, sum: Money): PayView {
  const { merchant, isSandbox, rules } = page;
  const text = formatMoney(sum, language);
  return {
    ...rules,
    language,
    timezone: merchant.timezone,
    country: merchant.country,
    isSandbox,
    brand,
    path: `${path}/pay`,
    state: 'open',
    kind: 'invoice',
    number: '',
    customer: '',
    description: '',
    note: [],
    items: [],
    tax: null,
    purchaseOrder: '',
    total: text,
    paid: null,
    due: text,
    payable: { text, decimal: formatDecimal(sum), currency: sum.currency, decimals: exponentOf(sum.currency) },
    dueDay: null,
    isOverdue: false,
    allowPartial: false,
    collectShippingAddress: false,
    tips: null,
    schedule: null,
  };
}
