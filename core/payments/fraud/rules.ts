import type { FraudSettings } from '#core/merchants';

/** A rule that stops a payment. */
export type FraudRule =
  | 'maxAmount'
  | 'blockedBins'
  | 'blockedEmails'
  | 'maxPerCardPerHour'
  | 'declineOnAvs'
  | 'declineOnCvv'
  | 'duplicateWindowSeconds';

/** A decline of the merchant's own making (decisions 4). */
export interface FraudDecline {
  readonly rule: FraudRule;
  readonly declineCode: 'fraud_suspected' | 'exceeds_limit' | 'avs_failure' | 'cvv_failure';
  readonly declineReason: string;
}

/** Attributes of a payment that the rules check before it is sent. */
interface Subject {
  /** Amount in major units. */
  readonly amount: number;
  /** First digits of a card. */
  readonly bin?: string;
  readonly email?: string;
  /** Payments with the same card in the hour before. */
  readonly usesInHour: number;
}

/** The first rule that stops a payment before the gateway is asked; null lets it go. */
export function checkBeforeAuthorization(settings: FraudSettings, of: Subject): FraudDecline | null {
  const { maxAmount, blockedBins, blockedEmails, maxPerCardPerHour } = settings;
  if (maxAmount !== null && of.amount > maxAmount)
    return { rule: 'maxAmount', declineCode: 'exceeds_limit', declineReason: `The amount is above the merchant's limit of ${maxAmount}.` };
  if (of.bin !== undefined && blockedBins.some((bin) => of.bin?.startsWith(bin)))
    return {
      rule: 'blockedBins',
      declineCode: 'fraud_suspected',
      declineReason: 'Cards that begin like this one are blocked by the merchant.',
    };
  if (of.email !== undefined && isBlocked(of.email, blockedEmails))
    return { rule: 'blockedEmails', declineCode: 'fraud_suspected', declineReason: 'This e-mail address is blocked by the merchant.' };
  if (maxPerCardPerHour !== null && of.usesInHour >= maxPerCardPerHour)
    return {
      rule: 'maxPerCardPerHour',
      declineCode: 'fraud_suspected',
      declineReason: `The merchant takes at most ${maxPerCardPerHour} payments an hour from one card.`,
    };
  return null;
}

/** The first rule that undoes what the gateway approved; null leaves it. */
export function checkAfterAuthorization(
  settings: FraudSettings,
  of: { readonly avsResponse?: string; readonly cvvResponse?: string },
): FraudDecline | null {
  if ((settings.declineOnAvs as readonly string[]).includes(of.avsResponse ?? ''))
    return {
      rule: 'declineOnAvs',
      declineCode: 'avs_failure',
      declineReason: `The address check answered ${of.avsResponse}, which the merchant declines.`,
    };
  if ((settings.declineOnCvv as readonly string[]).includes(of.cvvResponse ?? ''))
    return {
      rule: 'declineOnCvv',
      declineCode: 'cvv_failure',
      declineReason: `The security code check answered ${of.cvvResponse}, which the merchant declines.`,
    };
  return null;
}

/** Returns true if a list contains an address, or its domain as `@example.com`. */
function isBlocked(email: string, list: readonly string[]): boolean {
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@'));
  return list.some((entry) => entry.toLowerCase() === address || entry.toLowerCase() === domain);
}
