import { addressSchema, oneOf, text } from '#renderer/base/address';

/** State of the customers screen in its URL. */
export const ADDRESS = addressSchema({ tab: oneOf(['all', 'expiring'], 'all'), q: text });
