import { isTimeZone, parseCurrentCurrency, ServiceError } from '#core/kernel';
import type { Processor } from '#core/processing/gateways';
import type { Credentials } from './gateway-account.ts';
import { isLoopback } from './public-url.ts';
import type { GatewaySettings } from './records.ts';
import type { GatewayStatus } from './schema.ts';

/** Input for the settings of a live gateway. Missing fields stay as they are, or get their default. */
type SettingsInput = Partial<GatewaySettings>;

export interface GatewayInput extends SettingsInput {
  readonly type: string;
  readonly name: string;
  /** Credentials; for a live gateway by the names of the processor's fields. */
  readonly credentials?: Readonly<Record<string, unknown>>;
  readonly status?: GatewayStatus;
  readonly priority?: number;
}

const SETTINGS = [
  'mode',
  'origin',
  'currency',
  'timezone',
  'cutoffTime',
  'captureHoldMinutes',
  'channels',
] as const satisfies readonly (keyof GatewaySettings)[];
/** Fields whose change requires a new check at the processor. */
const ACCOUNT_FIELDS = ['mode', 'origin', 'currency'] as const satisfies readonly (keyof GatewaySettings)[];
const DEFAULTS = { mode: 'live', origin: null, cutoffTime: '23:00', captureHoldMinutes: 30, channels: null } as const;
const NAME_MAX = 60;
const CONTROL = /\p{Cc}/u;

const refused = (message: string, field: string) => new ServiceError('VALIDATION_ERROR', message, { field });

/** Checks that a sandbox gateway gets no settings of a live gateway. @throws ServiceError VALIDATION_ERROR. */
export function checkNoSettings(input: SettingsInput): void {
  const sent = SETTINGS.find((name) => input[name] !== undefined);
  if (sent) throw refused('Sandbox gateways do not have this setting.', sent);
}

/**
 * Returns the settings of a live gateway: the former ones, or the defaults of a new gateway, with the given fields replaced. @throws
 * ServiceError
 * VALIDATION_ERROR and INVALID_CURRENCY with the field.
 */
export function settingsFrom(
  processor: Pick<Processor, 'label' | 'hasOwnHosts' | 'pairsReadersBy'>,
  merchant: { readonly currency: string; readonly timezone: string },
  before: GatewaySettings | null,
  input: SettingsInput,
): GatewaySettings {
  const sent = Object.fromEntries(SETTINGS.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
  const { currency, timezone } = merchant;
  const settings: GatewaySettings = { ...DEFAULTS, currency, timezone, ...before, ...sent };
  if (!isTimeZone(settings.timezone)) throw refused('The time zone must be an IANA name such as America/New_York.', 'timezone');
  const origin = settings.origin === null ? null : parseOrigin(processor, settings.mode, settings.origin);
  return {
    ...settings,
    currency: settings.currency === before?.currency ? before.currency : parseCurrentCurrency(settings.currency),
    origin,
  };
}

/** Returns true if a credential that is not secret changes, so that it may be another account. */
export const hasOtherLogin = ({ credentials: fields }: Pick<Processor, 'credentials'>, before: Credentials, after: Credentials) =>
  fields.some(({ name, isSecret, isReplaceable }) => !isSecret && !isReplaceable && before[name] !== after[name]);

export const hasOtherAccount = (before: GatewaySettings, after: GatewaySettings) =>
  ACCOUNT_FIELDS.some((name) => before[name] !== after[name]);

function parseOrigin(
  { label, hasOwnHosts, pairsReadersBy }: Pick<Processor, 'label' | 'hasOwnHosts' | 'pairsReadersBy'>,
  mode: GatewaySettings['mode'],
  text: string,
): string {
  if (pairsReadersBy === 'address') throw refused('Each card reader has its own address. Omit the host.', 'origin');
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isBare || !/^https?:$/.test(url.protocol))
    throw refused('The host must be an address such as https://secure.example.com, without a path.', 'origin');
  if (mode === 'test' && isLoopback(url.origin)) return url.origin;
  if (isLoopback(url.origin)) throw refused('Only a gateway in test mode can use a host on this computer.', 'origin');
  if (!hasOwnHosts) {
    const message =
      mode === 'live' ? `${label} has a fixed address. Omit the host.` : `The host must be empty for ${label}, or a host on this computer.`;
    throw refused(message, 'origin');
  }
  if (url.protocol !== 'https:') throw refused('The host must use https.', 'origin');
  return url.origin;
}

/**
 * Returns the credentials of a live gateway: the former ones with the given fields replaced; an empty value removes an optional one. Only
 * the processor's
 * fields are allowed. @throws ServiceError REQUIRED_FIELD_MISSING, VALIDATION_ERROR with `credentials.<name>`.
 */
export function credentialsFrom(
  { credentials: fields }: Pick<Processor, 'credentials'>,
  before: Credentials,
  given: GatewayInput['credentials'] = {},
): Credentials {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'This processor does not have this credential.', {
      field: `credentials.${unknown.slice(0, NAME_MAX)}`,
      details: { credentials: fields.map(({ name }) => name) },
    });
  const credentials = new Map<string, string>();
  for (const { name, label, isRequired, isMultiline, lengthMax } of fields) {
    const typed = Object.hasOwn(given, name) ? String(given[name]).trim() : (before[name] ?? '');
    const value = isMultiline ? typed.replaceAll(/\s+/g, ' ') : typed;
    const field = `credentials.${name}`;
    if (value === '' && isRequired) throw new ServiceError('REQUIRED_FIELD_MISSING', `${label} is required.`, { field });
    if (value.length > lengthMax) throw refused(`${label} must have at most ${lengthMax} characters.`, field);
    if (CONTROL.test(value)) throw refused(`${label} contains a control character.`, field);
    if (value !== '') credentials.set(name, value);
  }
  return Object.fromEntries(credentials);
}

/**
 * Checks that stored secrets are not sent to a host for which they were not entered. @throws ServiceError REQUIRED_FIELD_MISSING for a
 * secret that must be entered again.
 */
export function checkSecretsReentered(
  { credentials: fields }: Pick<Processor, 'credentials'>,
  before: Credentials,
  given: GatewayInput['credentials'] = {},
): void {
  const notReentered = fields.find(({ name, isSecret }) => isSecret && before[name] !== undefined && !Object.hasOwn(given, name));
  if (!notReentered) return;
  throw new ServiceError('REQUIRED_FIELD_MISSING', `${notReentered.label} must be entered again, because the host has changed.`, {
    field: `credentials.${notReentered.name}`,
  });
}
