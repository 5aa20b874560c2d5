import { readModel } from '#core/database';
import { CUSTOMERS, EXTERNAL_IDS, PAYMENT_METHODS } from './schema.ts';

/** Columns of customers that imports and exports read. */
export const READABLE_CUSTOMERS = readModel(CUSTOMERS, [
  'tenant_id',
  'id',
  'merchant_id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'address',
  'notes',
  'metadata',
  'default_method_id',
  'deleted_at',
]);

/** Columns of payment methods that imports and exports read. */
export const READABLE_METHODS = readModel(PAYMENT_METHODS, [
  'tenant_id',
  'id',
  'customer_id',
  'merchant_id',
  'kind',
  'token',
  'fingerprint',
  'brand',
  'last4',
  'expiry_month',
  'expiry_year',
  'account_type',
  'consent_text',
  'consent_at',
  'external_id',
  'network_transaction_id',
]);

/** Columns of identifiers at earlier providers that imports and exports read. */
export const READABLE_EXTERNAL_IDS = readModel(EXTERNAL_IDS, ['tenant_id', 'merchant_id', 'source', 'external_id', 'customer_id']);
