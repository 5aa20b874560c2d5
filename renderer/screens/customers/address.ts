import { addressSchema, oneOf, text } from '#renderer/address';

/** State of the customers screen in its URL. */
export const ADDRESS = addressSchema({ tab: oneOf(['all', 'expiring'], 'all'), q: text });
