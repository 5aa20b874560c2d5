import { addressSchema, oneOf, text } from '#renderer/address';

/** What of the customers' screen is kept in its address. */
export const ADDRESS = addressSchema({ tab: oneOf(['all', 'expiring'], 'all'), q: text });
