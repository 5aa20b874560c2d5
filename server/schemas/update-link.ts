import { Type } from 'typebox';
import { EmailIn, Maybe, Timestamp } from './fields.ts';
import { PhoneIn } from './identity.ts';
import { named } from './named.ts';

/** Fields with the channels and recipients of a link. */
export const UpdateLinkFields = {
  sendVia: Type.Optional(
    Type.Array(Type.Union([Type.Literal('email'), Type.Literal('sms')]), {
      maxItems: 2,
      uniqueItems: true,
      description: 'channels by which the customer gets the link; without it, the link is only returned',
    }),
  ),
  email: Type.Optional(EmailIn),
  phone: Type.Optional(PhoneIn),
};

/** Link to the page on which a customer replaces a card. */
export const UpdateLinkOut = named(
  'CardUpdateLink',
  Type.Object({
    linkId: Type.String(),
    url: Type.String({ description: 'address of the page; everyone who has it can save one card for this customer until expiresAt' }),
    customerId: Type.String(),
    paymentMethodId: Maybe(Type.String({ description: 'payment method to replace; null if the customer has none' })),
    subscriptionId: Maybe(Type.String({ description: 'subscription for which the link was created' })),
    expiresAt: Timestamp,
    isLocalOnly: Type.Boolean({ description: 'true if the address opens on this computer only' }),
    messageIds: Type.Array(Type.String(), { description: 'messages with the link in the outbox' }),
  }),
);

export const UPDATE_LINK_ERRORS = ['REQUIRED_FIELD_MISSING', 'INVALID_EMAIL', 'INVALID_PHONE'] as const;
