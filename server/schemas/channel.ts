import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { REQUEST_CHANNELS } from '#shared/channels';
import { DateIn, Lines, Text } from './fields.ts';
import { named } from './named.ts';

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
