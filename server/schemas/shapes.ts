import type { Static } from 'typebox';
import type { Merchant } from '#core/processing/merchants';
import { MerchantOut } from './merchant.ts';

const MERCHANT_FIELDS = Object.keys(MerchantOut.properties) as (keyof Static<typeof MerchantOut>)[];

/** Returns the fields of a merchant that a response may contain. Its settings have their own routes and permissions. */
export function showMerchant(merchant: Merchant): Pick<Merchant, keyof Static<typeof MerchantOut>> {
  return Object.fromEntries(MERCHANT_FIELDS.map((name) => [name, merchant[name]])) as Pick<Merchant, keyof Static<typeof MerchantOut>>;
}
