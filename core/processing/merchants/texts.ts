interface AddressChange {
  readonly merchant: string;
  readonly actorName: string;
  /** Addresses before and after the change; null means that of the server. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Returns the notice to an owner that payers are sent to another address. */
export function payerAddressChangedText({ merchant, actorName, from, to }: AddressChange): {
  readonly subject: string;
  readonly body: string;
} {
  const nameOf = (address: string | null) => address ?? 'the address of the server';
  return {
    subject: `The public address of ${merchant} was changed`,
    body: `${actorName} changed the address of the pay pages and card fields of ${merchant} from ${nameOf(from)} to ${nameOf(to)}. Customers type their cards there. If you did not expect this change, sign in to Paydesk, restore the address in Settings > Pay pages, and change your password.`,
  };
}
