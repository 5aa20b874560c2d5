import { Type } from 'typebox';
import {
  count,
  currencyCode,
  described,
  flag,
  group,
  id,
  list,
  literals,
  nullable,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { GatewayHealth, MARKETS } from '#core/processing/gateways';
import { CHANNELS } from '#shared/channels';
import { GATEWAY_STATUSES } from './schema.ts';
import { SECTIONS } from './settings.ts';

const createdAt = time('Time of creation');
const timezone = text('IANA time zone', 'America/New_York');

/** A change of the public address of a merchant. Screens show it for 24 hours. */
const PublicUrlChange = group('Last change of the address for payers', {
  from: nullable(text('Previous address; null means that of the server', null)),
  to: nullable(text('New address; null means that of the server', 'https://pay.harbor.example')),
  changedBy: text('Person who changed it', 'ann@harbor.example'),
  changedAt: time('Time of the change'),
});
export type PublicUrlChange = RecordOf<typeof PublicUrlChange>;

/** A merchant. Its further settings have their own routes and permissions. */
export const MerchantRecord = record('Merchant', {
  merchantId: id('mer', 'ID of the merchant'),
  name: text('Name', 'Harbor Street'),
  legalName: nullable(text('Registered name', 'Harbor Street Coffee LLC')),
  email: nullable(text('Email address', 'hello@harbor.example')),
  phone: nullable(text('Phone number with country code', '+12075550142')),
  currency: currencyCode(),
  timezone,
  country: text('ISO 3166 code of the country', 'US'),
  address: nullable(text('Postal address', '12 Harbor Street')),
  city: nullable(text('City', 'Portland')),
  state: nullable(text('State or province', 'ME')),
  zip: nullable(text('ZIP or postal code', '04101')),
  vtSettings: SECTIONS['vt-settings'],
  amountSettings: SECTIONS['amount-settings'],
  publicUrlChange: nullable(PublicUrlChange),
  isLocalOnly: flag('Whether the pages for payers open on this computer only', false),
  status: literals(['open', 'closed'], 'A closed merchant takes no more payments; earlier ones can still be refunded'),
  reopenUntil: nullable(time('Time until which a closed merchant can be reopened; null for an open one', null)),
  createdAt,
});
export type MerchantRecord = RecordOf<typeof MerchantRecord>;

/** Settings of a merchant that a client program needs. */
export const ClientConfig = group('The configuration', {
  merchantId: MerchantRecord.properties.merchantId,
  name: MerchantRecord.properties.name,
  environment: text('`sandbox` or `live`', 'sandbox'),
  currency: currencyCode(),
  timezone,
  country: MerchantRecord.properties.country,
  paymentMethods: list(Type.String(), 'Payment methods that the merchant accepts', ['card', 'ach']),
  gateways: list(Type.String(), 'Types of the active gateways, most preferred first', ['sandbox']),
  branding: SECTIONS.branding,
  virtualTerminal: SECTIONS['vt-settings'],
});
export type ClientConfig = RecordOf<typeof ClientConfig>;

const fee = (description: string) => group(description, { ...SECTIONS.settings.properties.cardFee.properties, currency: currencyCode() });
/** Fees of a merchant by payment method. */
export const Fees = group('The fees', { card: fee('Fee of card payments'), ach: fee('Fee of bank payments') });
export type Fees = RecordOf<typeof Fees>;

export const GatewayMode = literals(['test', 'live'], 'one of test, live');
export const CutoffTime = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  ...described("a time of day, HH:mm in the account's time zone; when the processor closes its batch", '22:00'),
});
export const HoldMinutes = Type.Integer({
  minimum: 0,
  maximum: 720,
  description: 'minutes before the cutoff, 0 to 720, at which captures are sent; until then they can be canceled',
});
export const GatewayChannels = Type.Array(literals(CHANNELS, `one of ${CHANNELS.join(', ')}`), {
  minItems: 1,
  maxItems: CHANNELS.length,
  uniqueItems: true,
  description: 'channels of the payments that the gateway takes; null means all that its account takes',
});

/** Settings of a gateway's account besides its credentials. */
const GatewaySettings = record('GatewaySettings', {
  mode: GatewayMode,
  origin: nullable(text("Address that replaces the processor's own, such as https://secure.example.com", null)),
  currency: text('The only currency that the gateway accepts, as ISO 4217 code', 'USD'),
  timezone,
  cutoffTime: CutoffTime,
  captureHoldMinutes: HoldMinutes,
  channels: nullable(GatewayChannels),
});
export type GatewaySettings = RecordOf<typeof GatewaySettings>;

/** Result of the last check of the account at the processor. */
const GatewayCheck = record('GatewayCheck', {
  state: literals(
    ['ok', 'refused', 'unreachable'],
    '`refused`: also if the stored credentials can no longer be decrypted and must be entered again',
  ),
  at: time('Time of the check'),
  merchantName: nullable(text("The merchant's name at the processor", 'Harbor Street Coffee')),
  currencies: list(Type.String(), 'Currencies of the account', ['USD']),
  timezone: nullable(timezone),
  takesBankAccounts: nullable(flag('True if the account takes bank accounts; null if the processor does not tell')),
  markets: nullable(
    list(
      literals(MARKETS),
      'Markets that the account is set up for, which decide about the channels of card payments; null if the processor does not tell',
    ),
  ),
  reason: nullable(text('Reason why the account was refused or could not be checked', null)),
});
export type GatewayCheck = RecordOf<typeof GatewayCheck>;

/** A gateway of a merchant, without its credentials. */
export const Gateway = record('Gateway', {
  id: id('gw', 'ID of the gateway'),
  type: text('Type of the processor', 'nmi'),
  name: text('Name', 'Main gateway'),
  status: literals(GATEWAY_STATUSES, 'Status'),
  priority: count('Order of preference; 1 is tried first', 1),
  hasCredentials: flag('True if credentials are stored'),
  settings: nullable(GatewaySettings, 'Settings; null for a sandbox gateway'),
  check: nullable(GatewayCheck, 'Result of the last check; null for a sandbox gateway'),
  health: GatewayHealth,
  createdAt,
  updatedAt: time('Time of the last change'),
});
export type Gateway = RecordOf<typeof Gateway>;

/** A processor that a tenant can choose. */
export const GatewayType = record('GatewayType', {
  type: text('Type of the processor', 'nmi'),
  label: text('Name of the processor', 'NMI'),
  hasOwnHosts: flag('Whether resellers offer it under other host names, so that the host is part of the setup'),
  credentials: list(
    group('A field', {
      name: text('Name of the field', 'securityKey'),
      label: text('Label of the field', 'Security key'),
      isSecret: flag('True if it is masked while typing and never shown again'),
      isRequired: flag('True if it is required'),
      lengthMax: count('Largest length', 200),
      isMultiline: flag('Whether it is a text of several lines', false),
      hint: text('Where to find it at the processor', 'Settings > Security keys'),
    }),
    'Credentials that the processor requires',
  ),
  pairsReadersBy: nullable(
    literals(
      ['code', 'address'],
      'How its card readers are paired: by the code that they show, or by ID and address in the local network; null without',
    ),
  ),
  hints: group('Where to find the other settings at the processor', {
    cutoffTime: nullable(text('Where to find the cutoff time at the processor; null if that is unknown', 'Settings > Batch')),
  }),
});
export type GatewayType = RecordOf<typeof GatewayType>;
