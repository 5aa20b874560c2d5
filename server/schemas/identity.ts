import { Type } from 'typebox';
import { described, literals, text } from '#core/platform/fields';
import { NOT_FREE_TEXT } from '#server/http';
import { AlwaysTrue, AmountIn, CurrencyIn, Maybe, Text } from './fields.ts';
import { named } from './named.ts';

export { PermissionsIn } from '#core/processing/merchants';

export const PhoneIn = Type.String({
  'x-error-code': 'INVALID_PHONE',
  [NOT_FREE_TEXT]: 'phone',
  ...described('a phone number in E.164, such as +12075550142', '+12075550142'),
  pattern: '^\\+[1-9]\\d{6,14}$',
});

/** Origins in a request. */
export const AllowedOriginsIn = Type.Array(Text(200), {
  maxItems: 20,
  description:
    'at most 20 origins of web pages that may call the SDK surface with this key, such as `https://shop.example`; `http://` only for this computer. Everyone who opens such a page can read the key, so limit its permissions and spending.',
  examples: [['https://shop.example']],
});
/** Addresses and networks in a request. */
export const AllowedAddressesIn = Type.Array(Text(50), {
  maxItems: 50,
  description:
    'at most 50 addresses and networks, such as `203.0.113.7` or `10.0.0.0/8`, from which requests are accepted; empty for all. Behind a proxy, the address that a trusted proxy reports counts.',
  examples: [['203.0.113.0/24']],
});
/** Spending limits in a request; null removes them. */
export const SpendingLimitsIn = Maybe(
  named(
    'SpendingLimitsInput',
    Type.Object(
      {
        currency: CurrencyIn,
        perPayment: Type.Optional(Maybe(AmountIn)),
        perDay: Type.Optional(Maybe(AmountIn)),
        liveWrites: Type.Optional(Type.Boolean({ description: 'true lets the key change data of a live account; false by default' })),
        overLimit: Type.Optional(
          literals(
            ['refuse', 'ask'],
            '`ask` requests the approval of a person for an operation above a limit, with a token or a stored customer; `refuse` by default',
          ),
        ),
      },
      {
        description:
          'Limits for keys of programs that are not fully trusted, such as agents. They hold on every surface. An operation above a limit gets PERMISSION_DENIED, or waits for an approval if `overLimit` is `ask`. A new subscription counts once, with its amount; its later payments are not limited. The day starts at midnight in UTC, by the account’s clock.',
        examples: [{ currency: 'USD', perPayment: 50, perDay: 200 }],
      },
    ),
  ),
);
/** Response of every deletion. */
export const Deleted = named(
  'Deleted',
  Type.Object({ id: text('ID of the record', 'rec_01m7y495cj0020acfq3xv5ygj8'), deleted: AlwaysTrue }),
);
