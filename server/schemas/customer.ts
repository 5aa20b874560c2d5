import { Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import type { MethodInput } from '#core/sales/customers';
import type { AccountHolder, Channel } from '#shared/channels';
import { AccountHolderIn, AgreementChannelIn } from './channel.ts';
import { CardNumberIn, EmailIn, ExpiryMonthIn, ExpiryYearIn, Lines, Maybe, MetadataIn, ProtectedText, Text } from './fields.ts';
import { PhoneIn } from './identity.ts';
import { named } from './named.ts';

export const BankAccountIn = named(
  'BankAccountInput',
  Type.Object(
    {
      accountNumber: ProtectedText(20, 'the account number, 4 to 17 digits'),
      routingNumber: Text(20, 'nine digits with a correct check digit'),
      accountType: Text(20, 'checking or savings'),
      accountHolderName: Text(100, 'Holder of the account'),
      accountHolderType: AccountHolderIn,
    },
    { description: 'Bank account' },
  ),
);
/** A card to be stored. It has no security code, because security codes are never stored. */
export const StoredCardIn = named(
  'StoredCardInput',
  Type.Object({ number: CardNumberIn, expiryMonth: ExpiryMonthIn, expiryYear: ExpiryYearIn }, { description: 'Card' }),
);
export const ConsentText = Lines(
  1_000,
  'consent of the customer to store the payment method; stored with the time',
  'I agree to be charged every month.',
);

const AddressIn = named(
  'AddressInput',
  Type.Object(
    {
      street: Type.Optional(Lines(200, 'Street and number')),
      city: Type.Optional(Text(100, 'City')),
      state: Type.Optional(Text(50, 'State or province')),
      zip: Type.Optional(Text(20, 'ZIP or postal code')),
      country: Type.Optional(Text(60, 'ISO 3166 code of the country')),
    },
    { description: 'Postal address' },
  ),
);

export const CustomerFields = {
  firstName: Type.Optional(Maybe(Text(100, 'First name'))),
  lastName: Type.Optional(Maybe(Text(100, 'Last name'))),
  email: Type.Optional(Maybe(EmailIn())),
  phone: Type.Optional(Maybe(PhoneIn)),
  company: Type.Optional(Maybe(Text(200, 'Company'))),
  address: Type.Optional(Maybe(AddressIn)),
  notes: Type.Optional(Maybe(Lines(2_000, 'Notes of the staff'))),
  metadata: Type.Optional(Maybe(MetadataIn)),
};

/** Fields that identify a payment method; exactly one of the first three is sent. */
export const MethodFields = {
  card: Type.Optional(StoredCardIn),
  bankAccount: Type.Optional(BankAccountIn),
  token: Type.Optional(Text(60, 'a token returned by tokenize-card or a payment')),
  consentText: Type.Optional(ConsentText),
  agreementChannel: AgreementChannelIn,
};

type MethodBody = {
  readonly card?: { number: string; expiryMonth: string; expiryYear: string };
  readonly bankAccount?: {
    accountNumber: string;
    routingNumber: string;
    accountType: string;
    accountHolderName: string;
    accountHolderType?: AccountHolder;
  };
  readonly token?: string;
  readonly consentText?: string;
  readonly agreementChannel?: Channel;
};

/** Returns the payment method of a request; undefined if there is none. @throws VALIDATION_ERROR for several. */
export function methodFrom({ card, bankAccount, token, consentText, agreementChannel }: MethodBody): MethodInput | undefined {
  if ([card, bankAccount, token].filter((method) => method !== undefined).length > 1)
    throw new ServiceError('VALIDATION_ERROR', 'Send only one of `card`, `bankAccount` and `token`.', { field: 'card' });
  const consent = { ...(consentText !== undefined && { consentText }), ...(agreementChannel !== undefined && { agreementChannel }) };
  if (card !== undefined) return { card, ...consent };
  if (bankAccount !== undefined) return { bankAccount, ...consent };
  return token === undefined ? undefined : { token, ...consent };
}

/** Same as `methodFrom()`, for a required payment method. */
export function requiredMethod(body: MethodBody, field: string): MethodInput {
  const method = methodFrom(body);
  if (method !== undefined) return method;
  throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\`, \`token\` or \`bankAccount\` is required.`, { field });
}
