import { Type } from 'typebox';
import { id, literals, nullable, type RecordOf, record, text } from '#core/platform/fields';

export const CustomerAddress = record('Address', {
  street: Type.Optional(text('Street and number', '12 Harbor Street')),
  city: Type.Optional(text('City', 'Portland')),
  state: Type.Optional(text('State or province', 'ME')),
  zip: Type.Optional(text('ZIP or postal code', '04101')),
  country: Type.Optional(text('ISO 3166 code of the country', 'US')),
});
export type CustomerAddress = RecordOf<typeof CustomerAddress>;

/** Returns the record of a payment method as other records show it. */
export const shownMethod = <const Name extends string>(name: Name) =>
  record(name, {
    paymentMethodId: id('pm', 'ID of the stored payment method'),
    type: literals(['card', 'ach'], 'Type'),
    brand: nullable(text('Brand of the card', 'visa')),
    last4: text('Last four digits', '1111'),
    expiryMonth: nullable(text('Month of expiry, two digits', '12')),
    expiryYear: nullable(text('Year of expiry, four digits', '2031')),
  });
