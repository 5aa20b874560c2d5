import { count, flag, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

/** A link to the page of a customer, without its address. */
export const CustomerPageLink = record('CustomerPageLink', {
  linkId: id('cpl', 'ID of the link'),
  customerId: id('cus', 'ID of the customer'),
  source: literals(['staff', 'email'], '`staff`: created by a person or program; `email`: added to an invoice, receipt or reminder'),
  status: literals(['open', 'expired', 'revoked'], 'Status'),
  createdBy: text('User, API key or job that created it', 'admin@demo.example'),
  createdAt: time('Time of creation'),
  expiresAt: time('Time until which the page opens'),
  revokedAt: nullable(time('Time at which it was revoked')),
  revokedBy: nullable(text('User or API key that revoked it', 'admin@demo.example')),
});
export type CustomerPageLink = RecordOf<typeof CustomerPageLink>;

/** A new link with its address, which is not shown again. */
export const NewCustomerPageLink = record('NewCustomerPageLink', {
  ...CustomerPageLink.properties,
  url: text('Address of the page. Everyone who has it can see what the customer owes', 'http://127.0.0.1:4801/account/Zk3v9q'),
  isLocalOnly: flag('Whether the address can be opened on this computer only'),
  messageIds: list(id('msg', 'ID of a message'), 'Messages with the link in the outbox; empty without `sendVia`'),
});
export type NewCustomerPageLink = RecordOf<typeof NewCustomerPageLink>;

export const RevokedPageLinks = record('RevokedPageLinks', { revoked: count('Number of links that were open', 2) });
