import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import { formatDecimal, type Money, ServiceError } from '#core/kernel';
import { formatMoney } from '#core/platform/documents';
import type { SurchargeQuote } from '#core/sales/payments';
import type { Language } from '#shared/languages';
import type { Texts } from './texts-en.ts';
import { CUSTOM_TIP, tipChoice } from './tip.ts';

/** Surcharge of a card as the page shows it. */
export interface ShownSurcharge {
  /** Amount that the form sends back, as a decimal. */
  readonly decimal: string;
  /** Line with the surcharge; empty without one. */
  readonly line: string;
  /** Text of the button, with the total. */
  readonly button: string;
}

type Quote = Pick<SurchargeQuote, 'surchargeAmount' | 'totalAmount' | 'surchargePercent'>;

export function shownSurcharge(
  { surchargeAmount, totalAmount, surchargePercent }: Quote,
  language: Language,
  texts: Texts,
): ShownSurcharge {
  const total = formatMoney(totalAmount, language);
  return {
    decimal: formatDecimal(surchargeAmount),
    line: surchargeAmount.minor === 0 ? '' : texts.surcharge.line(formatMoney(surchargeAmount, language), surchargePercent, total),
    button: texts.pay(total),
  };
}

/** Returns the surcharge that an error reports because the page did not show it; null for other errors. */
export function missingSurcharge(error: unknown): Quote | null {
  if (!(error instanceof ServiceError) || error.details?.reason !== 'surcharge_not_shown') return null;
  const { surchargeAmount, totalAmount, surchargePercent } = error.details;
  return { surchargeAmount: surchargeAmount as Money, totalAmount: totalAmount as Money, surchargePercent: Number(surchargePercent) };
}

const FIRST_DIGITS = /^\d{6,8}$/;
const PERCENT = /^\d{0,3}$/;
const AMOUNT = /^\d{1,11}(\.\d{1,4})?$/;

/** Returns the surcharge for the first digits of a card, which the script of the page sends while the payer types. */
async function quoteForForm(core: Core, token: string, form: URLSearchParams): Promise<Quote | null> {
  const value = (name: string) => form.get(name)?.trim() ?? '';
  const [firstDigits, amount, tip, tipAmount] = [value('firstDigits'), value('amount'), value('tip'), value('tipAmount')];
  if (!FIRST_DIGITS.test(firstDigits) || !AMOUNT.test(amount)) return null;
  if (tip === CUSTOM_TIP ? !AMOUNT.test(tipAmount) : !PERCENT.test(tip)) return null;
  return core.invoicing.quoteOnPage(token, { firstDigits, amount, tip: tipChoice({ tip, tipAmount }), zip: value('zip').slice(0, 20) });
}

interface QuotePage {
  readonly core: () => Core;
  readonly open: (request: FastifyRequest) => Promise<{ readonly view: { readonly language: Language }; readonly texts: Texts }>;
}

/** Adds the address that the script of the page asks for the surcharge of a card. */
export function addSurchargeQuote(scope: FastifyInstance, { core, open }: QuotePage): void {
  scope.post('/pay/:token/surcharge', { config: { isForPayers: true } }, async (request) => {
    const { view, texts } = await open(request);
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const quote = await quoteForForm(core(), (request.params as { token: string }).token, form);
    return quote === null ? { decimal: '0', line: '', button: '' } : shownSurcharge(quote, view.language, texts);
  });
}
