import { Type } from 'typebox';
import { day, flag, id, list, literals, metadata, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { CHANNELS } from '#shared/channels';

export const CustomerAddress = record('Address', {
  street: Type.Optional(text('Street and number', '12 Harbor Street')),
  city: Type.Optional(text('City', 'Portland')),
  state: Type.Optional(text('State or province', 'ME')),
  zip: Type.Optional(text('ZIP or postal code', '04101')),
  country: Type.Optional(text('ISO 3166 code of the country', 'US')),
});
export type CustomerAddress = RecordOf<typeof CustomerAddress>;

const customerId = id('cus', 'ID of the customer');
const createdAt = time('Time of creation');
const updatedAt = time('Time of the last change');
const shown = {
  brand: nullable(text('Brand of the card', 'visa')),
  last4: text('Last four digits', '1111'),
  expiryMonth: nullable(text('Month of expiry, two digits', '12')),
  expiryYear: nullable(text('Year of expiry, four digits', '2031')),
};
const paymentMethodId = id('pm', 'ID of the stored payment method');
const type = literals(['card', 'ach'], 'Type');

/** Returns the record of a payment method as other records show it. */
export const shownMethod = <const Name extends string>(name: Name) => record(name, { paymentMethodId, type, ...shown });

const methodFields = {
  paymentMethodId,
  customerId,
  type,
  ...shown,
  accountType: nullable(text('Type of the bank account', null)),
  gatewayId: nullable(text('Gateway that stores a card read by a card reader, and alone can charge it; null if every gateway can', null)),
  isDefault: flag('True if it is charged by default'),
  token: text('Token of the card or bank account', 'tok_01m7y495cj0020acfq3xv5ygj8'),
  consentText: nullable(text('Consent of the customer when it was stored', 'I agree that my card is stored.')),
  consentAt: nullable(time('Time of the consent')),
  agreementChannel: nullable(literals(CHANNELS, 'How the customer agreed to later charges; null if it was not recorded', 'internet')),
  externalId: nullable(text('Identifier of the method at an earlier provider', null)),
  hasNetworkTransactionId: flag("True if the network's identifier of the first payment is known, to which payments by the merchant refer"),
  createdAt,
  updatedAt,
};
/** A card or bank account on file. */
export const PaymentMethod = record('PaymentMethod', methodFields);
export type PaymentMethod = RecordOf<typeof PaymentMethod>;

/** A card on file that has expired or expires soon, with its customer. */
export const ExpiringCard = record('ExpiringCard', {
  ...methodFields,
  customerName: nullable(text('Name of the customer', 'Ann Marsh')),
  customerEmail: nullable(text('Email address of the customer', 'ann@example.com')),
  expiresOn: day('Last day of its validity'),
});
export type ExpiringCard = RecordOf<typeof ExpiringCard>;

/** Identifier of a customer at an earlier provider. */
const ExternalId = record('ExternalId', {
  source: text('The earlier provider', 'stripe'),
  id: text('Identifier at that provider', 'cus_9s6XKzkNRiz8i3'),
});
export type ExternalId = RecordOf<typeof ExternalId>;

/** A customer with the payment method that is charged by default. */
export const Customer = record('Customer', {
  customerId,
  merchantId: id('mer', 'ID of the merchant'),
  firstName: nullable(text('First name', 'Ann')),
  lastName: nullable(text('Last name', 'Marsh')),
  email: nullable(text('Email address', 'ann@example.com')),
  phone: nullable(text('Phone number with country code', '+12075550142')),
  company: nullable(text('Company', null)),
  address: nullable(CustomerAddress, 'Address'),
  notes: nullable(text('Notes about the customer', null)),
  metadata: nullable(metadata()),
  externalIds: list(ExternalId, 'Identifiers of the customer at earlier providers'),
  defaultPaymentMethodId: nullable(id('pm', 'ID of the payment method that is charged by default')),
  defaultPaymentMethod: nullable(PaymentMethod, 'The payment method that is charged by default'),
  lastPaymentAt: nullable(time("Time of the customer's last payment")),
  createdAt,
  updatedAt,
});
export type Customer = RecordOf<typeof Customer>;

/** A link to the page on which a customer replaces a card. */
export const UpdateLink = record('CardUpdateLink', {
  linkId: id('cul', 'ID of the link'),
  url: text(
    'Address of the page; everyone who has it can save one card for this customer until expiresAt',
    'https://pay.harbor.example/card/5b1f',
  ),
  customerId,
  paymentMethodId: nullable(id('pm', 'Payment method to replace; null if the customer has none')),
  subscriptionId: nullable(id('sub', 'Subscription for which the link was created')),
  expiresAt: time('Time at which the link expires'),
  isLocalOnly: flag('True if the address opens on this computer only', false),
  messageIds: list(Type.String(), 'Messages with the link in the outbox', ['msg_01m7y495cj0020acfq3xv5ygj8']),
});
export type UpdateLink = RecordOf<typeof UpdateLink>;
