import { addressSchema, oneOf, text } from '#renderer/base/address';

/** Orders of the list of customers. */
export const SORTS = ['createdAt', '-createdAt', 'name', '-name'] as const;

/** State of the customers screen in its URL. */
export const ADDRESS = addressSchema({ tab: oneOf(['all', 'expiring'], 'all'), q: text, sort: oneOf(SORTS, '-createdAt') });
