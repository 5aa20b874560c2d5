import { addressSchema, matching, oneOf, useAddress } from '#renderer/base/address';

const ADDRESS = addressSchema({
  account: matching(/^bac_\w{1,40}$/),
  state: oneOf(['open', 'matched'], 'open'),
  line: matching(/^bln_\w{1,40}$/),
});

/** State of the bank screen, kept in the address. */
export const useView = () => useAddress(ADDRESS);
