import { Type } from 'typebox';
import { literals } from '#core/platform/fields';
import { NOT_FREE_TEXT } from '#server/http';
import { CHANNELS } from '#shared/channels';
import { CurrencyIn, Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const Status = Type.Union([Type.Literal('active'), Type.Literal('disabled')], { description: 'one of active, disabled' });
const Mode = Type.Union([Type.Literal('test'), Type.Literal('live')], { description: 'one of test, live' });
const CutoffTime = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: "a time of day, HH:mm in the account's time zone; when the processor closes its batch",
});
const HoldMinutes = Type.Integer({
  minimum: 0,
  maximum: 720,
  description: 'minutes before the cutoff, 0 to 720, at which captures are sent; until then they can be canceled',
});

const GatewayChannels = Type.Array(literals(CHANNELS, `one of ${CHANNELS.join(', ')}`), {
  minItems: 1,
  maxItems: CHANNELS.length,
  uniqueItems: true,
  description: 'channels of the payments that the gateway takes; null means all that its account takes',
});

const GatewaySettingsOut = named(
  'GatewaySettings',
  Type.Object({
    mode: Mode,
    origin: Maybe(Type.String({ description: "address that replaces the processor's own" })),
    currency: Type.String(),
    timezone: Type.String(),
    cutoffTime: CutoffTime,
    captureHoldMinutes: HoldMinutes,
    channels: Maybe(GatewayChannels),
  }),
);

const GatewayCheckOut = named(
  'GatewayCheck',
  Type.Object({
    state: Type.Union([Type.Literal('ok'), Type.Literal('refused'), Type.Literal('unreachable')], {
      description: '`refused`: also if the stored credentials can no longer be decrypted and must be entered again',
    }),
    at: Timestamp,
    merchantName: Maybe(Type.String({ description: "the merchant's name at the processor" })),
    currencies: Type.Array(Type.String()),
    timezone: Maybe(Type.String()),
    takesBankAccounts: Maybe(Type.Boolean()),
    markets: Maybe(
      Type.Array(Type.Union([Type.Literal('ecommerce'), Type.Literal('moto'), Type.Literal('retail')]), {
        description:
          'markets that the account is set up for, which decide about the channels of card payments; null if the processor does not tell',
      }),
    ),
    reason: Maybe(Type.String({ description: 'reason why the account was refused or could not be checked' })),
  }),
);

/** This server's circuit state of a gateway. */
export const GatewayHealthOut = named(
  'GatewayHealth',
  Type.Object({
    state: Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('half-open')], {
      description: '`closed`: payments are sent; `open`: none is sent; `half-open`: one payment at a time is sent to test the gateway',
    }),
    since: Maybe(Timestamp),
    failures: Type.Integer(),
    lastAnswerAt: Maybe(Timestamp),
    lastFailureAt: Maybe(Timestamp),
    lastReason: Maybe(Type.String()),
    isRefused: Type.Boolean({ description: 'the gateway responds, but refuses the account' }),
    nextProbeAt: Maybe(Timestamp),
  }),
);

export const GatewayOut = named(
  'Gateway',
  Type.Object({
    id: Type.String(),
    type: Type.String(),
    name: Type.String(),
    status: Status,
    priority: Type.Integer(),
    hasCredentials: Type.Boolean(),
    settings: Maybe(GatewaySettingsOut),
    check: Maybe(GatewayCheckOut),
    health: GatewayHealthOut,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

export const GatewayTypeOut = named(
  'GatewayType',
  Type.Object({
    type: Type.String(),
    label: Type.String(),
    hasOwnHosts: Type.Boolean({ description: 'whether resellers offer it under other host names, so that the host is part of the setup' }),
    credentials: Type.Array(
      Type.Object({
        name: Type.String(),
        label: Type.String(),
        isSecret: Type.Boolean(),
        isRequired: Type.Boolean(),
        lengthMax: Type.Integer(),
        isMultiline: Type.Boolean({ description: 'whether it is a text of several lines' }),
        hint: Type.String({ description: 'where to find it at the processor' }),
      }),
    ),
    pairsReadersBy: Maybe(
      Type.Union([Type.Literal('code'), Type.Literal('address')], {
        description: 'how its card readers are paired: by the code that they show, or by ID and address in the local network; null without',
      }),
    ),
    hints: Type.Object({
      cutoffTime: Maybe(Type.String({ description: 'where to find the cutoff time at the processor; null if that is unknown' })),
    }),
  }),
);

const GatewayName = Type.String({ minLength: 1, maxLength: 60, description: 'a name of 1 to 60 characters' });
const GatewayFields = {
  credentials: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4_000 }), {
      [NOT_FREE_TEXT]: 'protected',
      description: 'credentials of the processor account; never returned',
    }),
  ),
  status: Type.Optional(Status),
  priority: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'a whole number; gateways with lower numbers are used first' }),
  ),
  mode: Type.Optional(Mode),
  origin: Type.Optional(Maybe(Text(200, "an address such as https://secure.example.com, or null for the processor's own"))),
  currency: Type.Optional(CurrencyIn),
  timezone: Type.Optional(Text(60, 'an IANA time zone')),
  cutoffTime: Type.Optional(CutoffTime),
  captureHoldMinutes: Type.Optional(HoldMinutes),
  channels: Type.Optional(Maybe(GatewayChannels)),
};
export const NewGatewayBody = Type.Object({ type: Text(40), name: GatewayName, ...GatewayFields });
export const GatewayChange = Type.Object({ type: Type.Optional(Text(40)), name: Type.Optional(GatewayName), ...GatewayFields });
