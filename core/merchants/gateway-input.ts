import type { Processor } from '#core/gateways';
import { isTimeZone, parseCurrency, ServiceError } from '#core/kernel';
import type { GatewaySettings } from './gateway.ts';
import type { Credentials } from './gateway-account.ts';
import { isLoopback } from './public-url.ts';
import type { GatewayStatus } from './schema.ts';

/** Input for the settings of a live gateway. Missing fields stay as they are, or get their default. */
type SettingsInput = Partial<GatewaySettings>;

export interface GatewayInput extends SettingsInput {
  readonly type: string;
  readonly name: string;
  /** For a live gateway, by the names of the processor's fields. */
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
] as const satisfies readonly (keyof GatewaySettings)[];
/** Fields whose change requires a new check at the processor. */
const OF_ACCOUNT = ['mode', 'origin', 'currency'] as const satisfies readonly (keyof GatewaySettings)[];
const USUAL = { mode: 'live', origin: null, cutoffTime: '23:00', captureHoldMinutes: 30 } as const;
const NAME_MAX = 60;
const CONTROL = /\p{Cc}/u;

const refused = (message: string, field: string) => new ServiceError('VALIDATION_ERROR', message, { field });

/** Refuses the settings of a live gateway on one of the sandbox. */
export function checkNoSettings(input: SettingsInput): void {
  const given = SETTINGS.find((name) => input[name] !== undefined);
  if (given) throw refused('Sandbox gateways do not have this setting.', given);
}

/**
 * The settings of a live gateway: those before, or the usual ones of a new one, with what is given in their place. VALIDATION_ERROR and INVALID_CURRENCY
 * with the field.
 */
export function settingsFrom(
  processor: Pick<Processor, 'label' | 'hasOwnHosts'>,
  merchant: { readonly currency: string; readonly timezone: string },
  before: GatewaySettings | null,
  input: SettingsInput,
): GatewaySettings {
  const given = Object.fromEntries(SETTINGS.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
  const { currency, timezone } = merchant;
  const whole: GatewaySettings = { ...USUAL, currency, timezone, ...before, ...given };
  if (!isTimeZone(whole.timezone)) throw refused('The time zone must be an IANA name such as America/New_York.', 'timezone');
  const origin = whole.origin === null ? null : parseOrigin(processor, whole.mode, whole.origin);
  return { ...whole, currency: parseCurrency(whole.currency), origin };
}

/** Returns true if a credential that is not secret changes: it may then be another account. */
export const isOtherLogin = ({ credentials: fields }: Pick<Processor, 'credentials'>, before: Credentials, after: Credentials) =>
  fields.some(({ name, isSecret }) => !isSecret && before[name] !== after[name]);

export const isOfAccount = (before: GatewaySettings, after: GatewaySettings) => OF_ACCOUNT.some((name) => before[name] !== after[name]);

function parseOrigin(
  { label, hasOwnHosts }: Pick<Processor, 'label' | 'hasOwnHosts'>,
  mode: GatewaySettings['mode'],
  text: string,
): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isBare || !/^https?:$/.test(url.protocol))
    throw refused('The host must be an address such as https://secure.example.com, without a path.', 'origin');
  if (mode === 'test' && isLoopback(url.origin)) return url.origin;
  if (isLoopback(url.origin)) throw refused('Only a gateway in test mode can use a host on this computer.', 'origin');
  if (!hasOwnHosts) {
    const words =
      mode === 'live' ? `${label} has one address: leave the host out.` : `Beside the one of ${label} only this computer may be named.`;
    throw refused(words, 'origin');
  }
  if (url.protocol !== 'https:') throw refused('The host must use https.', 'origin');
  return url.origin;
}

/**
 * The credentials of a live gateway: those before with what is given in their place; blank takes an optional one away. Exactly the processor's fields:
 * REQUIRED_FIELD_MISSING, VALIDATION_ERROR with `credentials.<name>`.
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
  const whole = new Map<string, string>();
  for (const { name, label, isRequired, lengthMax } of fields) {
    const value = Object.hasOwn(given, name) ? String(given[name]).trim() : (before[name] ?? '');
    const field = `credentials.${name}`;
    if (value === '' && isRequired) throw new ServiceError('REQUIRED_FIELD_MISSING', `${label} is missing.`, { field });
    if (value.length > lengthMax) throw refused(`${label} has at most ${lengthMax} characters.`, field);
    if (CONTROL.test(value)) throw refused(`${label} contains a character that can't be typed.`, field);
    if (value !== '') whole.set(name, value);
  }
  return Object.fromEntries(whole);
}

/**
 * Checks that stored secrets are not sent to a host for which they were not entered. @throws ServiceError REQUIRED_FIELD_MISSING for a
 * secret that must be entered again.
 */
export function checkGivenAnew(
  { credentials: fields }: Pick<Processor, 'credentials'>,
  before: Credentials,
  given: GatewayInput['credentials'] = {},
): void {
  const kept = fields.find(({ name, isSecret }) => isSecret && before[name] !== undefined && !Object.hasOwn(given, name));
  if (!kept) return;
  throw new ServiceError('REQUIRED_FIELD_MISSING', `${kept.label} must be entered again for another host.`, {
    field: `credentials.${kept.name}`,
  });
}
