import type { Customer } from '#renderer/client';

/** The name under which a customer is found. */
export function customerName({ firstName, lastName, company, email, customerId }: Customer): string {
  const name = [firstName, lastName].filter(Boolean).join(' ');
  return name || company || email || customerId;
}
