import type { Customer } from '#renderer/base/client';

/** Returns the display name of a customer. */
export function customerName({ firstName, lastName, company, email, customerId }: Customer): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name || company || email || customerId;
}
