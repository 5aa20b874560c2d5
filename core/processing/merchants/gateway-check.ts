import type { Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { AccountCheck, Processor } from '#core/processing/gateways';
import type { Dependencies } from './dependencies.ts';
import { isNamed, isZoneOpen, settingsOf, toStoredSettings } from './gateway.ts';
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
import type { GatewayCheck, GatewaySettings, GatewayType } from './records.ts';
import { type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import { sectionOf } from './settings.ts';

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

/** Runs under the lock of the merchant, so that no rule can name the gateway in the meantime. */
export async function refuseWhenNamed(work: Work, row: GatewayRow, operation: string): Promise<void> {
  const merchant = await work.lockOne(MERCHANTS, { id: row.merchant_id });
  const rules = merchant ? sectionOf(merchant, 'gateway-routing').rules : [];
  const index = rules.findIndex((rule) => isNamed(row, 'default' in rule ? rule.default : rule.gateway));
  if (index < 0) return;
  throw new ServiceError('RESOURCE_CONFLICT', `Rule ${index + 1} of the routing rules uses this gateway, so it can't be ${operation}.`, {
    details: { reason: 'in_use', rule: index },
  });
}

/** Rejects an operation that must wait until all payments at a gateway, and its payment pages, have ended. */
export async function refuseWhileOpen(deps: Dependencies, actor: Actor, row: GatewayRow, advice: string): Promise<void> {
  const { held, unconfirmed } = await deps.openAttempts(actor.tenantId, row.id);
  if (held + unconfirmed > 0)
    throw new ServiceError('RESOURCE_CONFLICT', `This gateway has open payments: ${openWorkText(held, unconfirmed)}. ${advice}`, {
      details: { reason: 'payments_open', held, unconfirmed },
    });
  const pages = await deps.watchedPages(actor.tenantId, row.id);
  if (pages === 0) return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    `This gateway has payment pages that are watched for late payments: ${pages}. If it did not close a page, close it there and mark it as done in To do. ${advice}`,
    { details: { reason: 'hosted_pages_watched', pages } },
  );
}

/** Rejects a change to another account after the gateway has taken payments, because they are refunded through the present account. */
async function refuseWhenUsed(deps: Dependencies, actor: Actor, row: GatewayRow): Promise<void> {
  await refuseWhileOpen(
    deps,
    actor,
    row,
    'The account can be changed after they are concluded, if the gateway has no payments. Otherwise add another gateway.',
  );
  if (!(await deps.hasPayments(actor.tenantId, row.id))) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'Add another gateway, because payments of this gateway are refunded through its account.', {
    details: { reason: 'has_payments' },
  });
}

/** Describes the open work of a gateway: "2 captures or refunds are waiting to be sent; 1 payment is unconfirmed". */
function openWorkText(held: number, unconfirmed: number): string {
  const heldText = held === 1 ? '1 capture or refund is waiting to be sent' : `${held} captures or refunds are waiting to be sent`;
  const unconfirmedText = unconfirmed === 1 ? '1 payment is unconfirmed' : `${unconfirmed} payments are unconfirmed`;
  return [...(held > 0 ? [heldText] : []), ...(unconfirmed > 0 ? [unconfirmedText] : [])].join('; ');
}
