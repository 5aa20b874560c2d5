import type { Work } from '#core/database';
import { type Actor, isoTime, newId, parseCurrentCurrency, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { sandboxGatewayRow } from './gateway.ts';
import { columnsOf, type Merchant, type NewMerchant, profileOf } from './merchant.ts';
import { vtChangeFrom } from './queued-payment-limits.ts';
import { anyRow, merchantOf } from './read.ts';
import { GATEWAYS, MERCHANTS, type MerchantRow } from './schema.ts';
import { NEW_VT_SETTINGS } from './settings.ts';

function newRow(tenantId: string, input: NewMerchant & { readonly currency: string; readonly timezone: string }, now: number): MerchantRow {
  const blank = { legal_name: null, email: null, phone: null, address: null, city: null, state: null, zip: null };
  return {
    tenant_id: tenantId,
    id: newId('mer', now),
    ...blank,
    name: input.name,
    timezone: input.timezone,
    country: 'US',
    ...columnsOf(input),
    currency: parseCurrentCurrency(input.currency),
    vt_settings: JSON.stringify(vtChangeFrom(NEW_VT_SETTINGS, input.vtSettings ?? {}, input.currency)),
    amount_settings: '{}',
    settings: '{}',
    fraud_settings: '{}',
    branding: '{}',
    permissions: '{}',
    dunning_settings: '{}',
    reminder_settings: '{}',
    late_fee_settings: '{}',
    routing: '{}',
    public_url_change: null,
    deleted_at: null,
    updated_at: null,
    created_at: isoTime(now),
  };
}

async function insertMerchant(
  deps: Dependencies,
  work: Work,
  row: MerchantRow,
  environment: 'sandbox' | 'live',
  now: number,
): Promise<void> {
  work.insert(MERCHANTS, row);
  if (environment === 'sandbox') work.insert(GATEWAYS, sandboxGatewayRow(row.tenant_id, row.id, now));
  await deps.withMerchant(work, row.tenant_id, row.id, row.timezone, now);
}

/** Creates the first merchant of a new tenant, in the unit of work that creates the tenant. */
export async function beginMerchant(
  deps: Dependencies,
  work: Work,
  tenantId: string,
  input: NewMerchant & { currency: string; timezone: string },
  environment: 'sandbox' | 'live',
  now: number,
) {
  const row = newRow(tenantId, input, now);
  await insertMerchant(deps, work, row, environment, now);
  return row.id;
}

/**
 * Creates a merchant. Missing fields get the values of the tenant's first merchant. @throws ServiceError MERCHANT_NOT_AUTHORIZED for a
 * caller of one merchant.
 */
export async function createMerchant(deps: Dependencies, actor: Actor, input: NewMerchant): Promise<Merchant> {
  if (actor.merchantId !== null) throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'Only users of the whole account can create merchants.');
  const first = await anyRow(deps, actor);
  const now = deps.clockOf(actor.tenantId).now();
  const row = newRow(
    actor.tenantId,
    { country: first.country, ...input, currency: input.currency ?? first.currency, timezone: input.timezone ?? first.timezone },
    now,
  );
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await insertMerchant(deps, work, row, deps.environmentOf(actor.tenantId), now);
    deps.audit(work, {
      actor,
      action: 'merchant.created',
      resource: `merchants/${row.id}`,
      merchantId: row.id,
      after: { ...profileOf(row) },
    });
  });
  deps.directory.rows.changed(actor.tenantId, row.id);
  return merchantOf(deps, row);
}
