import { Type } from 'typebox';
import { described } from '#core/platform/fields';
import { SECTIONS } from '#core/processing/merchants';
import { CurrencyIn, EmailIn, Maybe, Text } from './fields.ts';
import { PhoneIn } from './identity.ts';

/** Changes of each settings object. Absent fields stay. */
export const SECTION_CHANGES = {
  settings: Type.Partial(SECTIONS.settings),
  'fraud-settings': Type.Partial(SECTIONS['fraud-settings']),
  'vt-settings': Type.Partial(SECTIONS['vt-settings']),
  'amount-settings': Type.Partial(SECTIONS['amount-settings']),
  branding: Type.Partial(SECTIONS.branding),
  permissions: SECTIONS.permissions,
  'dunning-settings': Type.Partial(SECTIONS['dunning-settings']),
  'reminder-settings': Type.Partial(SECTIONS['reminder-settings']),
  'late-fee-settings': Type.Partial(SECTIONS['late-fee-settings']),
  'gateway-routing': SECTIONS['gateway-routing'],
};

const ProfileFields = {
  legalName: Type.Optional(Maybe(Text(200, 'Registered name'))),
  email: Type.Optional(Maybe(EmailIn())),
  phone: Type.Optional(Maybe(PhoneIn)),
  currency: Type.Optional(CurrencyIn),
  timezone: Type.Optional(Text(60, 'an IANA time zone')),
  country: Type.Optional(Text(2, 'two capital letters')),
  address: Type.Optional(Maybe(Text(200, 'Postal address'))),
  city: Type.Optional(Maybe(Text(100, 'City'))),
  state: Type.Optional(Maybe(Text(50, 'State or province'))),
  zip: Type.Optional(Maybe(Text(20, 'ZIP or postal code'))),
};
const Name = Type.String({ minLength: 1, maxLength: 100, ...described('Name', 'Harbor Street') });
export const NewMerchantBody = Type.Object({ name: Name, ...ProfileFields });
export const MerchantChange = Type.Object({ name: Type.Optional(Name), ...ProfileFields });
