import { Type } from 'typebox';
import { CHANNELS, REQUEST_CHANNELS, SEC_CODES } from '#shared/channels';
import { DateIn, Lines, Maybe, Text } from './fields.ts';
import { named } from './named.ts';

const literals = <Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description },
    ),
  );

/** Channel that a request names. */
export const ChannelIn = Type.Optional(
  literals(
    REQUEST_CHANNELS,
    `how the payment reached the merchant, one of ${REQUEST_CHANNELS.join(', ')}; \`unscheduled\` and, for an API key, \`recurring\` require a stored card or bank account, and \`internet\` requires an API key`,
  ),
);
const AGREEMENT_CHANNELS = ['phone', 'mail', 'counter', 'internet'] as const;
/** Channel by which a customer agreed to later charges, in a request. */
export const AgreementChannelIn = Type.Optional(
  literals(AGREEMENT_CHANNELS, `how the customer agreed to later charges, one of ${AGREEMENT_CHANNELS.join(', ')}`),
);

export const AccountHolderIn = Type.Optional(
  literals(['person', 'company'] as const, 'holder of the account, person (default) or company'),
);

/** Authorization of a bank debit, in a request. */
export const BankAuthorizationIn = Type.Optional(
  named(
    'BankAuthorizationInput',
    Type.Object(
      {
        date: Type.Optional(DateIn('day on which the holder of the account authorized the debit, YYYY-MM-DD; default today')),
        reference: Type.Optional(Text(100, 'reference of the recording, the notice or the signed form that proves it')),
        text: Type.Optional(Lines(1_000, 'text that the holder agreed to')),
      },
      { description: 'authorization of a bank debit; a debit by mail or at the counter requires `reference` or `text`' },
    ),
  ),
);

export const PaymentChannelOut = literals(CHANNELS, 'how the payment reached the merchant');
export const SecCodeOut = Maybe(literals(SEC_CODES, 'code of a bank debit or credit; null for a card'));
const METHODS = ['oral', 'written', 'online'] as const;
export const BankAuthorizationOut = Maybe(
  named(
    'BankAuthorization',
    Type.Object({
      method: Maybe(literals(METHODS, 'how the holder of the account authorized the debit; null if it was not recorded')),
      date: Maybe(Type.String({ description: 'day of the authorization' })),
      reference: Maybe(Type.String({ description: 'reference of the proof' })),
      text: Maybe(Type.String({ description: 'text that the holder agreed to' })),
    }),
  ),
);

/** Agreement to later charges, in a response. */
export const AgreementOut = Maybe(
  named(
    'Agreement',
    Type.Object({
      channel: Maybe(literals(CHANNELS, 'how the customer agreed; null if it was not recorded')),
      date: Maybe(Type.String({ description: 'day of the agreement' })),
      reference: Maybe(Type.String({ description: 'reference of the proof' })),
      text: Maybe(Type.String({ description: 'text that the customer agreed to' })),
    }),
  ),
);
