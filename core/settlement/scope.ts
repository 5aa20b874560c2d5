import { TENANT } from '#core/database';
import { type Currency, parseCurrency } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { By, Needs } from './needs.ts';

/** The merchants of a report, and the zone and currency that it is told in. */
export interface ReportScope {
  /** Undefined if the report covers every merchant of the tenant. */
  readonly merchantId: string | undefined;
  /** The merchant whose time zone and currency the report uses: the named one, the caller's, or the first of the tenant. */
  readonly merchant: Merchant;
  readonly currency: Currency;
}

interface Asked {
  readonly merchantId?: string;
  readonly currency?: string;
}

/**
 * Settles what a report covers: the named merchant, the caller's, or all of the tenant (decisions 12). Throws MERCHANT_NOT_FOUND,
 * MERCHANT_NOT_AUTHORIZED and INVALID_CURRENCY.
 */
export async function reportScope(on: Needs, by: By, asked: Asked): Promise<ReportScope> {
  const merchantId = asked.merchantId ?? by.merchantId ?? undefined;
  const merchant = await on.merchantFor(by, merchantId);
  return { merchantId, merchant, currency: asked.currency === undefined ? merchant.currency : parseCurrency(asked.currency) };
}

/** Whose rows a report reads. */
export const scopeRows = ({ merchantId }: Pick<ReportScope, 'merchantId'>): { tenant_id: string; merchant_id?: string } =>
  merchantId === undefined ? { tenant_id: TENANT } : { tenant_id: TENANT, merchant_id: merchantId };
