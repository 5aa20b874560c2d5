import { TENANT } from '#core/database';
import { type Currency, parseCurrency } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { By, Dependencies } from './dependencies.ts';

/** Merchants of a report, with the zone and currency to use. */
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
export async function reportScope(deps: Dependencies, actor: By, asked: Asked): Promise<ReportScope> {
  const merchantId = asked.merchantId ?? actor.merchantId ?? undefined;
  const merchant = await deps.merchantFor(actor, merchantId);
  return { merchantId, merchant, currency: asked.currency === undefined ? merchant.currency : parseCurrency(asked.currency) };
}

/** Returns the condition for the rows of a report. */
export const scopeRows = ({ merchantId }: Pick<ReportScope, 'merchantId'>): { tenant_id: string; merchant_id?: string } =>
  merchantId === undefined ? { tenant_id: TENANT } : { tenant_id: TENANT, merchant_id: merchantId };
