import { addressSchema, matching, oneOf, useAddress } from '#renderer/base/address';

/** Orders of the lines. */
export const SORTS = ['day', '-day'] as const;

const ADDRESS = addressSchema({
  account: matching(/^bac_\w{1,40}$/),
  state: oneOf(['open', 'matched'], 'open'),
  line: matching(/^bln_\w{1,40}$/),
  sort: oneOf(SORTS, '-day'),
});

/** State of the bank screen, kept in the address. */
export const useView = () => useAddress(ADDRESS);
