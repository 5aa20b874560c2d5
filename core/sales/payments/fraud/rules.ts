import type { Currency, Money } from '#core/kernel';
import type { FraudSettings } from '#core/processing/merchants';
import { reasonAboveLimit } from './amount-limits.ts';

export const FRAUD_RULES = [
  'maxAmount',
  'blockedBins',
  'blockedEmails',
  'maxPerCardPerHour',
  'declineOnAvs',
  'declineOnCvv',
  'duplicateWindowSeconds',
] as const;
/** A fraud rule that declines a payment. */
export type FraudRule = (typeof FRAUD_RULES)[number];

/** A decline by a fraud rule of the merchant. */
export interface FraudDecline {
  readonly rule: FraudRule;
  readonly declineCode: 'fraud_suspected' | 'exceeds_limit' | 'avs_failure' | 'cvv_failure';
  readonly declineReason: string;
}

/** Attributes of a payment that the rules check before it is sent. */
interface CheckedPayment {
  readonly amount: Money;
  /** Currency of the merchant. */
  readonly ownCurrency: Currency;
  /** First digits of a card. */
  readonly bin?: string;
  readonly email?: string;
  /** Payments with the same card in the hour before. */
  readonly usesInHour: number;
}

/** Returns the first rule that declines a payment before the gateway is called; null if none does. */
export function checkBeforeAuthorization(settings: FraudSettings, payment: CheckedPayment): FraudDecline | null {
  const { blockedBins, blockedEmails, maxPerCardPerHour } = settings;
  const aboveLimit = reasonAboveLimit(settings, payment.amount, payment.ownCurrency);
  if (aboveLimit !== null) return { rule: 'maxAmount', declineCode: 'exceeds_limit', declineReason: aboveLimit };
  if (payment.bin !== undefined && blockedBins.some((bin) => payment.bin?.startsWith(bin)))
    return {
      rule: 'blockedBins',
      declineCode: 'fraud_suspected',
      declineReason: 'The merchant blocks cards with these first digits.',
    };
  if (payment.email !== undefined && isBlocked(payment.email, blockedEmails))
    return { rule: 'blockedEmails', declineCode: 'fraud_suspected', declineReason: 'The merchant blocks this email address.' };
  if (maxPerCardPerHour !== null && payment.usesInHour >= maxPerCardPerHour)
    return {
      rule: 'maxPerCardPerHour',
      declineCode: 'fraud_suspected',
      declineReason: `The merchant accepts at most ${maxPerCardPerHour} payments per hour from one card.`,
    };
  return null;
}

/** Returns the first rule that declines a payment after the gateway approved it; null if none does. */
export function checkAfterAuthorization(
  settings: FraudSettings,
  payment: { readonly avsResponse?: string; readonly cvvResponse?: string },
): FraudDecline | null {
  if ((settings.declineOnAvs as readonly string[]).includes(payment.avsResponse ?? ''))
    return {
      rule: 'declineOnAvs',
      declineCode: 'avs_failure',
      declineReason: `The address check returned ${payment.avsResponse}, which the merchant declines.`,
    };
  if ((settings.declineOnCvv as readonly string[]).includes(payment.cvvResponse ?? ''))
    return {
      rule: 'declineOnCvv',
      declineCode: 'cvv_failure',
      declineReason: `The security code check returned ${payment.cvvResponse}, which the merchant declines.`,
    };
  return null;
}

/** Returns true if a list contains an address, or its domain as `@example.com`. */
function isBlocked(email: string, list: readonly string[]): boolean {
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@'));
  return list.some((entry) => entry.toLowerCase() === address || entry.toLowerCase() === domain);
}
