import { type Actor, amountAboveLimit, currencyOfPayment, type Money, money, parseMoney, ServiceError } from '#core/kernel';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import { checkTerminalMerchant } from '#core/processing/terminals';
import { brandOfDigits, type Source } from '#core/records/vault';
import { scaledSurchargeOn, surchargeOn } from '#shared/surcharge';
import type { Dependencies } from '../dependencies.ts';
import { type Parts, type PartsInput, parseParts } from '../parts/parts.ts';
import type { Billing } from '../records.ts';
import type { TransactionSource } from '../schema.ts';
import { fundingOf } from './card-ranges.ts';
import type { Funding, SurchargeQuote } from './records.ts';
import { type AllowedSurcharge, allowedSurcharge, REASON_TEXTS } from './rule.ts';

type PayerAddress = Pick<Billing, 'state' | 'zip'>;

/** A payment whose surcharge is computed or checked. */
interface Charge {
  readonly tenantId: string;
  readonly merchant: Merchant;
  /** Brand and first digits of the card; null for a bank account. */
  readonly card: { readonly brand: string; readonly number: string } | null;
  readonly billing?: PayerAddress;
  readonly source: TransactionSource;
}

async function allowedFor(
  deps: Dependencies,
  { tenantId, merchant, card, billing, source }: Charge,
): Promise<AllowedSurcharge & { readonly funding: Funding | null }> {
  const funding = card === null ? null : await fundingOf(deps, tenantId, card.number);
  const allowed = allowedSurcharge({
    percent: merchant.amountSettings.surchargePercent,
    check: merchant.amountSettings.surchargeCheck,
    costPercent: merchant.cardFeePercent,
    country: merchant.country,
    state: merchant.state,
    card: card === null || funding === null ? null : { brand: card.brand, funding },
    // A card that is swiped is present, so the sale takes place where the merchant is.
    payer: source === 'swiped' ? {} : { state: billing?.state, zip: billing?.zip },
    isRemote: source === 'link',
  });
  return { ...allowed, funding };
}

/**
 * Checks the surcharge of a new payment. @throws ServiceError INVALID_AMOUNT (422) with `details.reason`, or with `details.allowedSurcharge`, if the
 * merchant's rule or a limit does not allow it.
 */
export async function checkSurcharge(
  deps: Dependencies,
  charge: Omit<Charge, 'card'> & {
    readonly paidWith: Source | { readonly kind: 'terminal' };
    readonly amount: Money;
    readonly parts: Parts;
  },
): Promise<void> {
  const { paidWith, amount, parts } = charge;
  if (parts.surcharge === 0) return;
  const { percent, reason } = await allowedFor(deps, { ...charge, card: paidWith.kind === 'terminal' ? null : cardIn(paidWith) });
  const limit = money(surchargeOn(amount.minor - parts.tip - parts.surcharge, percent), amount.currency);
  if (parts.surcharge <= limit.minor) return;
  const message = reason === null ? `The surcharge is more than the ${percent} % that are allowed here.` : REASON_TEXTS[reason];
  throw amountAboveLimit(
    message,
    { reason: reason ?? 'above_limit', surchargePercent: percent, allowedSurcharge: limit },
    'surchargeAmount',
  );
}

/**
 * Returns the highest percentage that the merchant's rule adds to a payment with any credit card: 0 without a rule, or if the country, the state or
 * the cost of the merchant allows none.
 */
export function highestSurchargePercent(merchant: Merchant): number {
  if (merchant.amountSettings.surchargeCheck !== 'rule') return 0;
  return Math.max(...['visa', 'mastercard'].map((brand) => surchargeOfBrand(merchant, brand).percent));
}

/** Brands that a card reader reads. */
const BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb'] as const;

/**
 * Returns the percentages that a card reader adds to credit cards, by brand. @throws ServiceError INVALID_AMOUNT (422) with `details.reason` if the
 * merchant's rule, the law or the cost allow none.
 */
export function surchargePercents(merchant: Merchant): Record<string, number> {
  const all = readerSurcharges(merchant);
  const reason = all.every(([, allowed]) => allowed.percent === 0) ? (all[0]?.[1].reason ?? 'no_rule') : null;
  if (reason !== null) throw amountAboveLimit(REASON_TEXTS[reason], { reason }, 'addSurcharge');
  return Object.fromEntries(all.map(([brand, allowed]) => [brand, allowed.percent]));
}

/** Returns the surcharge that the merchant's rule adds to a credit card of each brand. */
const readerSurcharges = (merchant: Merchant) => BRANDS.map((brand) => [brand, surchargeOfBrand(merchant, brand)] as const);

function surchargeOfBrand({ amountSettings, cardFeePercent: costPercent, country, state }: Merchant, brand: string) {
  const { surchargePercent: percent } = amountSettings;
  const card = { brand, funding: 'credit' } as const;
  return allowedSurcharge({ percent, check: 'rule', costPercent, country, state, card, payer: {}, isRemote: false });
}

/** Request for a quote: a payment without its surcharge. */
export interface SurchargeQuoteInput extends Omit<PartsInput, 'surchargeAmount'> {
  /** Amount without surcharge; tip and tax are parts of it. */
  readonly amount: string | number;
  readonly currency?: string;
  readonly merchantId?: string;
  /** First six to eight digits of the card. */
  readonly firstDigits?: string;
  readonly token?: string;
  readonly customerId?: string;
  readonly paymentMethodId?: string;
  readonly isBankAccount?: boolean;
  /** Card reader that will read the card: the quote is the highest surcharge, which a credit card may have. */
  readonly terminalId?: string;
  readonly billing?: PayerAddress;
  readonly source?: TransactionSource;
}

/**
 * Computes the surcharge of a payment. Nothing is stored or charged. The card is given by its first digits, its token, or the customer.
 * @throws ServiceError REQUIRED_FIELD_MISSING without a payment method, and the codes of a sale.
 */
export async function quoteSurcharge(deps: Dependencies, actor: Actor, input: SurchargeQuoteInput): Promise<SurchargeQuote> {
  const payer = input.customerId === undefined ? null : await deps.payer(actor, input.customerId, input.paymentMethodId);
  const ofToken = input.token === undefined || actor.merchantId !== null ? null : await deps.vault.merchantOf(actor, input.token);
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId ?? payer?.merchantId ?? ofToken ?? undefined));
  const amount = parseMoney(input.amount, currencyOfPayment(input.currency, merchant));
  const parts = parseParts({ tipAmount: input.tipAmount, taxAmount: input.taxAmount }, amount);
  if (input.terminalId !== undefined)
    return quoteFrom(merchant, amount, parts.tip, await allowedOnReader(deps, actor, merchant, input.terminalId));
  const card = await cardOf(deps, actor, merchant, input, payer?.method?.token);
  const charge = { tenantId: actor.tenantId, merchant, card, billing: input.billing, source: input.source ?? 'api' };
  return quoteFor(deps, charge, amount, parts.tip);
}

/** Returns the quote for a payment whose merchant and card are known. */
async function quoteFor(deps: Dependencies, charge: Charge, amount: Money, tipMinor: number): Promise<SurchargeQuote> {
  return quoteFrom(charge.merchant, amount, tipMinor, await allowedFor(deps, charge));
}

/** Returns the highest surcharge that a card reader adds, or the reason why it adds none. */
async function allowedOnReader(deps: Dependencies, actor: Actor, merchant: Merchant, terminalId: string) {
  const terminal = await deps.terminals.forPayment(actor, terminalId);
  checkTerminalMerchant(terminal, merchant.merchantId);
  const { terminals } = await deps.gateways.connectorFor(actor.tenantId, terminal.gateway_id);
  if (!terminals?.features?.has('surcharge')) return { percent: 0, reason: 'card_reader', funding: null } as const;
  const all = readerSurcharges(merchant).map(([, allowed]) => allowed);
  return { ...all.reduce((most, each) => (each.percent > most.percent ? each : most)), funding: null };
}

function quoteFrom(
  merchant: Merchant,
  amount: Money,
  tipMinor: number,
  { percent, reason, funding }: AllowedSurcharge & { readonly funding: Funding | null },
): SurchargeQuote {
  // A rule of the caller has no percentage that the service could compute.
  const isComputed = merchant.amountSettings.surchargeCheck === 'rule';
  const surcharge = isComputed ? surchargeOn(amount.minor - tipMinor, percent) : 0;
  return {
    surchargeAllowed: percent > 0,
    surchargePercent: percent,
    amount,
    surchargeAmount: money(surcharge, amount.currency),
    totalAmount: money(amount.minor + surcharge, amount.currency),
    currency: amount.currency,
    cardFunding: funding,
    reason,
    message: reason === null ? null : REASON_TEXTS[reason],
  };
}

async function cardOf(
  deps: Dependencies,
  actor: Actor,
  { merchantId }: Merchant,
  { firstDigits, token, isBankAccount, customerId }: SurchargeQuoteInput,
  storedToken: string | undefined,
): Promise<Charge['card']> {
  if (isBankAccount) return null;
  if (firstDigits !== undefined) return { brand: brandOfDigits(firstDigits), number: firstDigits };
  const charged = token ?? storedToken;
  if (charged === undefined)
    throw new ServiceError(
      'REQUIRED_FIELD_MISSING',
      'The first digits of a card, a token or a customer with a payment method is required.',
      {
        field: 'firstDigits',
      },
    );
  const source = await deps.vault.openFor(actor, charged, { owner: customerId, merchantId });
  return cardIn(source);
}

/** Returns the card of a source; without first digits if only its gateway has the number, so that its type is not known. */
function cardIn(source: Source): Charge['card'] {
  if (source.kind === 'ach') return null;
  return { brand: source.brand, number: source.kind === 'card' ? source.number : '' };
}

/**
 * Returns the surcharge of a changed amount: the share that the payer agreed to, computed without the tip and rounded down. All amounts in minor
 * units (decision record 86).
 */
export function scaledSurcharge(
  amountMinor: number,
  tipMinor: number,
  agreed: { readonly amountMinor: number; readonly parts: Parts },
): number {
  const { surcharge: surchargeMinor, tip } = agreed.parts;
  return scaledSurchargeOn(amountMinor, tipMinor, { amountMinor: agreed.amountMinor, tipMinor: tip, surchargeMinor });
}

/** Checks a stated surcharge of a changed amount. @throws ServiceError INVALID_AMOUNT (422) above the share that the payer agreed to. */
export function checkScaledSurcharge(amount: Money, parts: Parts, agreed: { readonly amountMinor: number; readonly parts: Parts }): void {
  const limit = scaledSurcharge(amount.minor, parts.tip, agreed);
  if (parts.surcharge <= limit) return;
  throw amountAboveLimit(
    'The surcharge is more than the share that the payer agreed to. Leave `surchargeAmount` out to have it computed.',
    { reason: 'above_agreed', allowedSurcharge: money(limit, amount.currency) },
    'surchargeAmount',
  );
}
