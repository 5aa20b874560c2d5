import { Type } from 'typebox';
import { type RecordOf, record, text } from '#core/platform/fields';

export const CustomerAddress = record('Address', {
  street: Type.Optional(text('Street and number', '12 Harbor Street')),
  city: Type.Optional(text('City', 'Portland')),
  state: Type.Optional(text('State or province', 'ME')),
  zip: Type.Optional(text('ZIP or postal code', '04101')),
  country: Type.Optional(text('ISO 3166 code of the country', 'US')),
});
export type CustomerAddress = RecordOf<typeof CustomerAddress>;
