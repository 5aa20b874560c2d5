import { TENANT } from '#core/database';
import { type Caller, type Currency, parseCurrency } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';

/** Merchants of a report, with its time zone and currency. */
export interface ReportScope {
  /** Undefined if the report covers every merchant of the tenant. */
  readonly merchantId: string | undefined;
  /** The merchant whose time zone and currency the report uses: the named one, the caller's, or the first of the tenant. */
  readonly merchant: Merchant;
  readonly currency: Currency;
}

interface ScopeInput {
  readonly merchantId?: string;
  readonly currency?: string;
}

/**
 * Returns the scope of a report: the named merchant, the caller's, or all of the tenant. @throws ServiceError
 * MERCHANT_NOT_FOUND,
 * MERCHANT_NOT_AUTHORIZED, INVALID_CURRENCY.
 */
export async function reportScope(deps: Dependencies, actor: Caller, input: ScopeInput): Promise<ReportScope> {
  const merchantId = input.merchantId ?? actor.merchantId ?? undefined;
  const merchant = await deps.merchantFor(actor, merchantId);
  return { merchantId, merchant, currency: input.currency === undefined ? merchant.currency : parseCurrency(input.currency) };
}

/** Returns the condition for the rows of a report. */
export const scopeRows = ({ merchantId }: Pick<ReportScope, 'merchantId'>): { tenant_id: string; merchant_id?: string } =>
  merchantId === undefined ? { tenant_id: TENANT } : { tenant_id: TENANT, merchant_id: merchantId };
