import type { Gateway, GatewayType } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { Channel } from '#shared/channels';
import type { GatewayBody } from './requests.ts';
import { TIME } from './texts.ts';
import type { GatewaySettings } from './types.ts';

/** Form of a gateway. It never contains saved credentials. */
export interface GatewayForm {
  readonly type: string;
  readonly name: string;
  readonly priority: string;
  /** Values by the names of the processor's fields. An empty field keeps the stored value. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Names of saved optional credentials to remove. */
  readonly dropped: readonly string[];
  readonly mode: 'test' | 'live';
  readonly origin: string;
  readonly currency: string;
  /** Empty for the processor's time zone. */
  readonly timezone: string;
  readonly cutoffTime: string;
  readonly captureHoldMinutes: string;
  /** Channels of the payments that the gateway takes. */
  readonly channels: readonly Channel[];
}

/** Channels that payments can have without a card reader. */
export const GATEWAY_CHANNELS = [
  'phone',
  'mail',
  'counter',
  'internet',
  'recurring',
  'installment',
  'unscheduled',
] as const satisfies readonly Channel[];

const HOLD_MINUTES_MAX = 720;
const PRIORITY_MAX = 1_000;
const DEFAULTS = { mode: 'live', cutoffTime: '23:00', captureHoldMinutes: '30', channels: GATEWAY_CHANNELS } as const;

export function newForm(type: string, name: string, priority: number, currency: string): GatewayForm {
  return { type, name, priority: String(priority), credentials: {}, dropped: [], origin: '', currency, timezone: '', ...DEFAULTS };
}

export function formOf({ type, name, priority, settings }: Gateway): GatewayForm {
  const kept = { ...newForm(type, name, priority, ''), priority: String(priority) };
  if (settings === null) return kept;
  return {
    ...kept,
    ...settings,
    origin: settings.origin ?? '',
    captureHoldMinutes: String(settings.captureHoldMinutes),
    channels: settings.channels ?? GATEWAY_CHANNELS,
  };
}

/** Returns true if the form asks for a host: for a processor with several host names, or its simulator. */
export const asksHost = (form: GatewayForm, { hasOwnHosts, pairsReadersBy }: GatewayType) =>
  pairsReadersBy !== 'address' && (hasOwnHosts || form.mode === 'test');

/** Returns true for an account at a processor, with settings and credentials; the sandbox has none. */
export const hasAccount = ({ credentials }: GatewayType) => credentials.length > 0;

/** Problems by the service's field names. */
type Faults = Readonly<Record<string, string>>;

/** Returns the names of the visible fields, as the service spells them. */
export function fieldsOf(form: GatewayForm, type: GatewayType): readonly string[] {
  const account = [
    'mode',
    'currency',
    'timezone',
    'cutoffTime',
    'captureHoldMinutes',
    'channels',
    ...(asksHost(form, type) ? ['origin'] : []),
  ];
  return [...type.credentials.map(({ name }) => `credentials.${name}`), ...(hasAccount(type) ? account : []), 'name', 'priority'];
}

const isWhole = (text: string, least: number, most: number) => /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most;

/** Returns the problems that are known before a request, in the order of the fields. */
export function faultsOf(form: GatewayForm, type: GatewayType, isKept: boolean): Faults {
  const faults: Record<string, string> = {};
  for (const { name, label, isRequired, lengthMax } of type.credentials) {
    const { length } = (form.credentials[name] ?? '').trim();
    if (length === 0 && isRequired && !isKept) faults[`credentials.${name}`] = t('{{credential}} is required.', { credential: label });
    if (length > lengthMax)
      faults[`credentials.${name}`] = t('At most {{maximum}} characters; you entered {{typed}}.', { maximum: lengthMax, typed: length });
  }
  if (hasAccount(type)) {
    if (!/^[A-Za-z]{3}$/.test(form.currency.trim())) faults.currency = t('Enter three letters, such as USD.');
    if (!TIME.test(form.cutoffTime)) faults.cutoffTime = t('Enter a time such as 23:00.');
    if (!isWhole(form.captureHoldMinutes, 0, HOLD_MINUTES_MAX))
      faults.captureHoldMinutes = t('Enter whole minutes from 0 to {{maximum}}.', { maximum: HOLD_MINUTES_MAX });
  }
  if (form.channels.length === 0) faults.channels = t('Choose at least one channel.');
  if (form.name.trim() === '') faults.name = t('Enter a name.');
  if (!isWhole(form.priority, 1, PRIORITY_MAX))
    faults.priority = t('Enter a whole number from 1 to {{maximum}}.', { maximum: PRIORITY_MAX });
  return faults;
}

/** Returns the typed credentials by field. */
function typedOf({ credentials }: GatewayForm, type: GatewayType): Record<string, string> {
  const typed = type.credentials.map(({ name }) => [name, (credentials[name] ?? '').trim()] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== ''));
}

function accountOf(form: GatewayForm, type: GatewayType): Omit<GatewaySettings, 'timezone'> {
  const origin = asksHost(form, type) ? form.origin.trim() : '';
  return {
    mode: form.mode,
    origin: origin === '' ? null : origin,
    currency: form.currency.trim().toUpperCase(),
    cutoffTime: form.cutoffTime,
    captureHoldMinutes: Number(form.captureHoldMinutes),
    channels: GATEWAY_CHANNELS.every((channel) => form.channels.includes(channel)) ? null : [...form.channels],
  };
}

/** Returns the body of a new gateway. */
export function bodyOfNew(form: GatewayForm, type: GatewayType): GatewayBody & { type: string; name: string } {
  const base = { type: form.type, name: form.name.trim(), priority: Number(form.priority) };
  if (!hasAccount(type)) return base;
  const { origin, channels, ...account } = accountOf(form, type);
  return {
    ...base,
    credentials: typedOf(form, type),
    ...account,
    ...(origin !== null && { origin }),
    ...(channels !== null && { channels }),
    ...(form.timezone !== '' && { timezone: form.timezone }),
  };
}

/** Returns the fields that differ from the saved gateway. */
export function bodyOfChange(form: GatewayForm, type: GatewayType, before: Gateway): GatewayBody {
  const { settings } = before;
  const typed = { ...Object.fromEntries(form.dropped.map((name) => [name, ''])), ...typedOf(form, type) };
  const wanted: GatewayBody = {
    name: form.name.trim(),
    priority: Number(form.priority),
    ...(settings && { ...accountOf(form, type), timezone: form.timezone }),
  };
  const known: GatewayBody = { name: before.name, priority: before.priority, ...settings };
  const changed = Object.entries(wanted).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(known[field as keyof GatewayBody]),
  );
  return { ...Object.fromEntries(changed), ...(Object.keys(typed).length > 0 && { credentials: typed }) };
}

/** Fields that the processor checks before they are saved. */
const ACCOUNT: ReadonlySet<string> = new Set(['credentials', 'mode', 'origin', 'currency']);

/** Returns true if the processor checks a change before it is saved. */
export const asksProcessor = (body: GatewayBody) => Object.keys(body).some((field) => ACCOUNT.has(field));
