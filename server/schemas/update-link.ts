import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { EmailIn } from './fields.ts';
import { PhoneIn } from './identity.ts';

/** Fields with the channels and recipients of a link. */
export const UpdateLinkFields = {
  sendVia: Type.Optional(
    Type.Array(literals(['email', 'sms']), {
      maxItems: 2,
      uniqueItems: true,
      description: 'channels by which the customer gets the link; without it, the link is only returned',
    }),
  ),
  email: Type.Optional(EmailIn()),
  phone: Type.Optional(PhoneIn),
};

export const UPDATE_LINK_ERRORS = ['REQUIRED_FIELD_MISSING', 'INVALID_EMAIL', 'INVALID_PHONE'] as const;
