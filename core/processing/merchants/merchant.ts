import { capitalsOfTimeZone, isoTime, isTimeZone, parseCurrency, ServiceError, storedCurrency } from '#core/kernel';
import { COUNTRY_CODES } from '#shared/countries';
import type { Language } from '#shared/languages';
import type { MerchantRecord, PublicUrlChange } from './records.ts';
import type { MerchantRow } from './schema.ts';
import {
  type DunningSettings,
  type FraudSettings,
  type LateFeeSettings,
  type ReminderSettings,
  type Sections,
  sectionOf,
  type VtSettings,
} from './settings.ts';

/** Time in which a closed merchant can be opened again. */
export const REOPEN_MS = 30 * 86_400_000;

/** A merchant with its settings, as payments use it. */
export interface Merchant extends MerchantRecord {
  /** Fee of a card payment, in percent. */
  readonly cardFeePercent: number;
  readonly fraud: FraudSettings;
  readonly routing: Sections['gateway-routing'];
  readonly dunning: DunningSettings;
  readonly reminders: ReminderSettings;
  readonly lateFees: LateFeeSettings;
  readonly ceiling: Sections['permissions']['permissions'];
  readonly branding: Sections['branding'];
  readonly language: Language;
  /** Address of this server for payers; null means its own address. */
  readonly publicUrl: string | null;
  readonly allowPrivateWebhookTargets: boolean;
  /** Settings of the page of a customer: changes that customers may make there, and links to it in emails. */
  readonly customerPage: { readonly allowsCancel: boolean; readonly allowsSkip: boolean; readonly isInEmails: boolean };
  readonly refundMaxAttempts: number;
  /** Time of closing. */
  readonly deletedAt: string | null;
}

/** Returns the merchant if it accepts payments. @throws ServiceError MERCHANT_NOT_FOUND if it was deleted. */
export function checkOpen(merchant: Merchant): Merchant {
  if (merchant.deletedAt === null) return merchant;
  throw new ServiceError('MERCHANT_NOT_FOUND', `The merchant ${merchant.merchantId} no longer accepts payments.`, {
    details: { merchantId: merchant.merchantId },
  });
}

/** Profile of a merchant. */
export interface MerchantProfile {
  readonly name: string;
  readonly legalName?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly currency?: string;
  readonly timezone?: string;
  readonly country?: string;
  readonly address?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly zip?: string | null;
}

export type NewMerchant = MerchantProfile & { readonly vtSettings?: Partial<VtSettings> };

/**
 * Returns the columns of a profile's fields. @throws ServiceError INVALID_CURRENCY; VALIDATION_ERROR for an unknown time zone or country.
 */
export function columnsOf(profile: Partial<MerchantProfile>): Partial<MerchantRow> {
  const { timezone, currency, country } = profile;
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new ServiceError('VALIDATION_ERROR', 'The time zone must be an IANA name such as America/New_York.', { field: 'timezone' });
  if (country !== undefined && !COUNTRY_CODES.includes(country)) {
    if (country === 'UK')
      throw new ServiceError('VALIDATION_ERROR', 'The code of the United Kingdom is GB. Send GB.', { field: 'country' });
    throw new ServiceError('VALIDATION_ERROR', 'The country must be two capital letters of ISO 3166-1 such as US.', { field: 'country' });
  }
  const columns: Partial<Record<keyof MerchantRow, string | null | undefined>> = {
    name: profile.name,
    legal_name: profile.legalName,
    email: profile.email,
    phone: profile.phone,
    currency: currency === undefined ? undefined : parseCurrency(currency),
    timezone: timezone && capitalsOfTimeZone(timezone),
    country,
    address: profile.address,
    city: profile.city,
    state: profile.state,
    zip: profile.zip,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

export function toMerchant(row: MerchantRow): Omit<Merchant, 'isLocalOnly'> {
  const settings = sectionOf(row, 'settings');
  const { cardFee, language, publicUrl, allowPrivateWebhookTargets, refundMaxAttempts } = settings;
  return {
    merchantId: row.id,
    name: row.name,
    legalName: row.legal_name,
    email: row.email,
    phone: row.phone,
    currency: storedCurrency(row.currency),
    timezone: row.timezone,
    country: row.country,
    address: row.address,
    city: row.city,
    state: row.state,
    zip: row.zip,
    vtSettings: sectionOf(row, 'vt-settings'),
    amountSettings: sectionOf(row, 'amount-settings'),
    cardFeePercent: cardFee.percent,
    fraud: sectionOf(row, 'fraud-settings'),
    routing: sectionOf(row, 'gateway-routing'),
    dunning: sectionOf(row, 'dunning-settings'),
    reminders: sectionOf(row, 'reminder-settings'),
    lateFees: sectionOf(row, 'late-fee-settings'),
    ceiling: sectionOf(row, 'permissions').permissions,
    branding: sectionOf(row, 'branding'),
    language,
    publicUrl,
    publicUrlChange: row.public_url_change === null ? null : (JSON.parse(row.public_url_change) as PublicUrlChange),
    allowPrivateWebhookTargets,
    customerPage: {
      allowsCancel: settings.customerPageCancel,
      allowsSkip: settings.customerPageSkip,
      isInEmails: settings.customerPageInEmails,
    },
    refundMaxAttempts,
    createdAt: row.created_at,
    status: row.deleted_at === null ? 'open' : 'closed',
    deletedAt: row.deleted_at,
    reopenUntil: row.deleted_at === null ? null : isoTime(Date.parse(row.deleted_at) + REOPEN_MS),
  };
}

/** Returns the profile of a merchant. */
export const profileOf = (row: MerchantRow): MerchantProfile => {
  const { name, legalName, email, phone, currency, timezone, country, address, city, state, zip } = toMerchant(row);
  return { name, legalName, email, phone, currency, timezone, country, address, city, state, zip };
};
