import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { AccountCheck, Processor } from '#core/processing/gateways';
import type { Dependencies } from './dependencies.ts';
import { isZoneOpen, settingsOf, toStoredSettings } from './gateway.ts';
import { accountWith, type Credentials } from './gateway-account.ts';
import {
  checkNoSettings,
  checkSecretsReentered,
  credentialsFrom,
  type GatewayInput,
  hasOtherAccount,
  hasOtherLogin,
  settingsFrom,
} from './gateway-input.ts';
import { refuseWhenUsed } from './gateway-use.ts';
import type { GatewayCheck, GatewaySettings, GatewayType } from './records.ts';
import type { GatewayRow, MerchantRow } from './schema.ts';

const SANDBOX: GatewayType = {
  type: 'sandbox',
  label: 'Sandbox',
  hasOwnHosts: false,
  credentials: [],
  pairsReadersBy: 'code',
  hints: { cutoffTime: null },
};

/** Stored properties of an account after a check at its processor. */
type Account = Partial<Pick<GatewayRow, 'credentials' | 'settings' | 'last_check'>>;

export const nowOf = (deps: Dependencies, actor: Actor) => deps.clockOf(actor.tenantId).now();

const processorsOf = (deps: Dependencies, actor: Actor): readonly Processor[] =>
  deps.gateways.processorsFor(deps.environmentOf(actor.tenantId));

export function gatewayTypes(deps: Dependencies, actor: Actor): GatewayType[] {
  if (deps.environmentOf(actor.tenantId) === 'sandbox') return [SANDBOX];
  return processorsOf(deps, actor).map(({ type, label, hasOwnHosts, credentials, pairsReadersBy, hints }) => ({
    type,
    label,
    hasOwnHosts,
    credentials: credentials.map(({ isReplaceable: _, isMultiline = false, ...field }) => ({ ...field, isMultiline })),
    pairsReadersBy: pairsReadersBy ?? null,
    hints: { cutoffTime: hints?.cutoffTime ?? null },
  }));
}

/** Checks an account at its processor. @throws ServiceError VALIDATION_ERROR with the processor's text if it refuses. */
async function checkAccount(
  deps: Dependencies,
  actor: Actor,
  type: string,
  id: string,
  credentials: Credentials,
  settings: GatewaySettings,
): Promise<GatewayCheck> {
  const result = await deps.gateways.check(type, accountWith(actor.tenantId, id, credentials, settings));
  if (result.kind === 'refused') throw refusedBy(processorOf(deps, actor, type), result);
  return checkFrom(result, isoTime(nowOf(deps, actor)), null);
}

const processorOf = (deps: Dependencies, actor: Actor, type: string) => processorsOf(deps, actor).find((each) => each.type === type);

/** Returns the account of a new gateway. The credentials of a sandbox gateway are stored as given. */
export async function newAccount(
  deps: Dependencies,
  actor: Actor,
  merchant: MerchantRow,
  id: string,
  input: GatewayInput,
): Promise<Account> {
  const processor = processorOf(deps, actor, input.type);
  if (!processor) {
    checkNoSettings(input);
    return {
      credentials: input.credentials === undefined ? null : await deps.directory.accounts.seal(actor.tenantId, id, input.credentials),
    };
  }
  const settings = settingsFrom(processor, merchant, null, input);
  const credentials = credentialsFrom(processor, {}, input.credentials);
  const check = await checkAccount(deps, actor, input.type, id, credentials, settings);
  return {
    credentials: await deps.directory.accounts.seal(actor.tenantId, id, credentials),
    settings: toStoredSettings(settings, check, input.timezone === undefined),
    last_check: JSON.stringify(check),
  };
}

/** Returns the changed properties of an account; empty if none is given. */
export async function changedAccount(
  deps: Dependencies,
  actor: Actor,
  merchant: MerchantRow,
  row: GatewayRow,
  input: Partial<GatewayInput>,
): Promise<Account> {
  const processor = processorOf(deps, actor, row.type);
  if (!processor) {
    checkNoSettings(input);
    return input.credentials === undefined
      ? {}
      : { credentials: await deps.directory.accounts.seal(actor.tenantId, row.id, input.credentials) };
  }
  const before = settingsOf(row);
  const settings = settingsFrom(processor, merchant, before, input);
  const isOpen = input.timezone === undefined && isZoneOpen(row);
  const isAccountChanged = before === null || hasOtherAccount(before, settings);
  if (input.credentials === undefined && !isAccountChanged) return { settings: toStoredSettings(settings, null, isOpen) };
  if (isAccountChanged) await refuseWhenUsed(deps, actor, row);
  const opened = await deps.directory.accounts.credentialsOf(row);
  const storedCredentials = opened ?? {};
  if (settings.origin !== null && settings.origin !== before?.origin)
    checkSecretsReentered(processor, storedCredentials, input.credentials);
  const credentials = credentialsFrom(processor, storedCredentials, input.credentials);
  // Credentials that cannot be decrypted cannot be compared; they have to be entered again.
  const isOtherAccount = isAccountChanged || (opened !== null && hasOtherLogin(processor, opened, credentials));
  if (isOtherAccount && !isAccountChanged) await refuseWhenUsed(deps, actor, row);
  const check = await checkAccount(deps, actor, row.type, row.id, credentials, settings);
  // The check may have taken minutes.
  if (isOtherAccount) await refuseWhenUsed(deps, actor, row);
  return {
    ...(input.credentials === undefined ? {} : { credentials: await deps.directory.accounts.seal(actor.tenantId, row.id, credentials) }),
    settings: toStoredSettings(settings, check, isOpen),
    last_check: JSON.stringify(check),
  };
}

function refusedBy(processor: Processor | undefined, { reason, field }: Extract<AccountCheck, { kind: 'refused' }>): ServiceError {
  const isCredential = processor?.credentials.some(({ name }) => name === field);
  return new ServiceError('VALIDATION_ERROR', reason, { field: isCredential ? `credentials.${field}` : (field ?? 'credentials') });
}

/** Returns the stored result of a check. If the processor did not answer, its former answer is kept beside it. */
export function checkFrom(result: AccountCheck, at: string, before: GatewayCheck | null): GatewayCheck {
  if (result.kind === 'ok') {
    const { merchantName = '', currencies = [], timezone = null, takesBankAccounts = null, markets = null } = result;
    return { state: 'ok', at, merchantName: merchantName || null, currencies, timezone, takesBankAccounts, markets, reason: null };
  }
  const { merchantName = null, currencies = [], timezone = null, takesBankAccounts = null, markets = null } = before ?? {};
  return { state: result.kind, at, merchantName, currencies, timezone, takesBankAccounts, markets, reason: result.reason };
}
