import { containsCardNumber } from '#shared/card-numbers';
import type { SaleField, SaleValues } from './form.ts';

const LONGEST_PREFILL = 120;

/**
 * What a link such as `#/sell?amount=45&order=A-100&customer=Ann` fills in. Other parameters are ignored, and so is any
 * value that passes for a card number: card data never comes by address.
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
        pair[1] !== null && pair[1] !== '' && pair[1].length <= LONGEST_PREFILL && !containsCardNumber(pair[1]),
    ),
  );
}
