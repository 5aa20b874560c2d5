import { containsCardNumber } from '#shared/card-numbers';
import type { SaleField, SaleValues } from './form.ts';

const PREFILL_LENGTH_MAX = 120;

/**
 * Returns the values of a link such as `#/sell?amount=45&order=A-100&customer=Ann`. Other parameters are ignored, and so is every value
 * that could be a card number: card data is never accepted from a URL.
 */
export function prefillOf(query: URLSearchParams): SaleValues {
  const customer = query.get('customer');
  const given: [SaleField, string | null][] = [
    ['amount', query.get('amount')],
    ['order', query.get('order')],
    [customer?.includes('@') ? 'email' : 'name', customer],
  ];
  return Object.fromEntries(
    given.filter(
      (pair): pair is [SaleField, string] =>
        pair[1] !== null && pair[1] !== '' && pair[1].length <= PREFILL_LENGTH_MAX && !containsCardNumber(pair[1]),
    ),
  );
}
