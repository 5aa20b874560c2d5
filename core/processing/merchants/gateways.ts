import { type Page, type PageRequest, pageOf, UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { AccountCheck, Processor } from '#core/processing/gateways';
import type { Dependencies } from './dependencies.ts';
import {
  CREDENTIALS_UNREADABLE,
  checkOf,
  gatewaysIn,
  gatewaysOf,
  isNamed,
  isZoneOpen,
  settingsOf,
  toGateway,
  toStoredSettings,
} from './gateway.ts';
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
import type { Gateway, GatewayCheck, GatewaySettings, GatewayType } from './records.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import { sectionOf } from './settings.ts';

const GATEWAYS_MAX = 20;
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

const auditFields = (row: GatewayRow) => {
  const { type, name, status, priority } = row;
  return { type, name, status, priority, ...settingsOf(row) };
};
const resource = (row: GatewayRow) => `merchants/${row.merchant_id}/gateways/${row.id}`;

export function createGatewaySettings(deps: Dependencies) {
  const { database, audit } = deps;
  const { seal, credentialsOf, ...accounts } = deps.directory.accounts;

  const nowOf = (actor: Actor) => deps.clockOf(actor.tenantId).now();
  const processorsOf = (actor: Actor): readonly Processor[] => deps.gateways.processorsFor(deps.environmentOf(actor.tenantId));

  function types(actor: Actor): GatewayType[] {
    if (deps.environmentOf(actor.tenantId) === 'sandbox') return [SANDBOX];
    return processorsOf(actor).map(({ type, label, hasOwnHosts, credentials, pairsReadersBy, hints }) => ({
      type,
      label,
      hasOwnHosts,
      credentials: credentials.map(({ isReplaceable: _, isMultiline = false, ...field }) => ({ ...field, isMultiline })),
      pairsReadersBy: pairsReadersBy ?? null,
      hints: { cutoffTime: hints?.cutoffTime ?? null },
    }));
  }

  const toApiGateway = async (row: GatewayRow): Promise<Gateway> =>
    toGateway(deps, row, (await accounts.unreadableAmong([row])).has(row.id));

  async function rowOf(actor: Actor, merchantId: string, id: string): Promise<GatewayRow> {
    await deps.rowFor(actor, merchantId);
    const row = await database.read(actor.tenantId).one(GATEWAYS, { id, merchant_id: merchantId });
    if (!row || row.removed_at !== null) throw noGateway();
    return row;
  }

  /** Returns the row as the unit of work sees it. @throws ServiceError NOT_FOUND if it was removed in the meantime. */
  async function lockedRow(work: Work, id: string): Promise<GatewayRow> {
    const locked = await work.lockOne(GATEWAYS, { id });
    if (!locked || locked.removed_at !== null) throw noGateway();
    return locked;
  }

  /** Same as `lockedRow()`. @throws ServiceError RESOURCE_CONFLICT if the account was changed since it was read. */
  async function lockUnchanged(work: Work, row: GatewayRow): Promise<GatewayRow> {
    const locked = await lockedRow(work, row.id);
    if (locked.credentials === row.credentials && locked.settings === row.settings) return locked;
    throw new ServiceError('RESOURCE_CONFLICT', 'This gateway was changed in the meantime. Load it again.', {
      details: { reason: 'changed_meanwhile' },
    });
  }

  function checkType(actor: Actor, type: string): void {
    const known = types(actor).map((each) => each.type);
    if (known.includes(type)) return;
    throw new ServiceError('VALIDATION_ERROR', `The type must be one of: ${known.join(', ')}.`, {
      field: 'type',
      details: { types: known },
    });
  }

  const nameTaken = (name: string) =>
    new ServiceError('RESOURCE_CONFLICT', `This merchant already has a gateway named ${name}.`, { field: 'name' });

  /** Checks the limit of gateways. Called before the check at the processor, which may take a while, and again before the write. */
  function checkRoom(known: readonly GatewayRow[]): void {
    if (known.length < GATEWAYS_MAX) return;
    throw new ServiceError('RESOURCE_CONFLICT', `A merchant can have at most ${GATEWAYS_MAX} gateways.`, {
      details: { limit: GATEWAYS_MAX },
    });
  }

  async function withUniqueName<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      throw error instanceof UniqueViolation ? nameTaken(name) : error;
    }
  }

  /** Checks an account at its processor. @throws ServiceError VALIDATION_ERROR with the processor's text if it refuses. */
  async function checkAccount(
    actor: Actor,
    type: string,
    id: string,
    credentials: Credentials,
    settings: GatewaySettings,
  ): Promise<GatewayCheck> {
    const result = await deps.gateways.check(type, accountWith(actor.tenantId, id, credentials, settings));
    if (result.kind === 'refused') throw refusedBy(processorOf(actor, type), result);
    return checkFrom(result, isoTime(nowOf(actor)), null);
  }

  const processorOf = (actor: Actor, type: string) => processorsOf(actor).find((each) => each.type === type);

  /** Returns the account of a new gateway. The credentials of a sandbox gateway are stored as given. */
  async function newAccount(actor: Actor, merchant: MerchantRow, id: string, input: GatewayInput): Promise<Account> {
    const processor = processorOf(actor, input.type);
    if (!processor) {
      checkNoSettings(input);
      return { credentials: input.credentials === undefined ? null : await seal(actor.tenantId, id, input.credentials) };
    }
    const settings = settingsFrom(processor, merchant, null, input);
    const credentials = credentialsFrom(processor, {}, input.credentials);
    const check = await checkAccount(actor, input.type, id, credentials, settings);
    return {
      credentials: await seal(actor.tenantId, id, credentials),
      settings: toStoredSettings(settings, check, input.timezone === undefined),
      last_check: JSON.stringify(check),
    };
  }

  /** Returns the changed properties of an account; empty if none is given. */
  async function changedAccount(actor: Actor, merchant: MerchantRow, row: GatewayRow, input: Partial<GatewayInput>): Promise<Account> {
    const processor = processorOf(actor, row.type);
    if (!processor) {
      checkNoSettings(input);
      return input.credentials === undefined ? {} : { credentials: await seal(actor.tenantId, row.id, input.credentials) };
    }
    const before = settingsOf(row);
    const settings = settingsFrom(processor, merchant, before, input);
    const isOpen = input.timezone === undefined && isZoneOpen(row);
    const isAccountChanged = before === null || hasOtherAccount(before, settings);
    if (input.credentials === undefined && !isAccountChanged) return { settings: toStoredSettings(settings, null, isOpen) };
    if (isAccountChanged) await refuseWhenUsed(actor, row);
    const opened = await credentialsOf(row);
    const storedCredentials = opened ?? {};
    if (settings.origin !== null && settings.origin !== before?.origin)
      checkSecretsReentered(processor, storedCredentials, input.credentials);
    const credentials = credentialsFrom(processor, storedCredentials, input.credentials);
    // Credentials that cannot be decrypted cannot be compared; they have to be entered again.
    const isOtherAccount = isAccountChanged || (opened !== null && hasOtherLogin(processor, opened, credentials));
    if (isOtherAccount && !isAccountChanged) await refuseWhenUsed(actor, row);
    const check = await checkAccount(actor, row.type, row.id, credentials, settings);
    // The check may have taken minutes.
    if (isOtherAccount) await refuseWhenUsed(actor, row);
    return {
      ...(input.credentials === undefined ? {} : { credentials: await seal(actor.tenantId, row.id, credentials) }),
      settings: toStoredSettings(settings, check, isOpen),
      last_check: JSON.stringify(check),
    };
  }

  /** Runs under the lock of the merchant, so that no rule can name the gateway in the meantime. */
  async function refuseWhenNamed(work: Work, row: GatewayRow, operation: string): Promise<void> {
    const merchant = await work.lockOne(MERCHANTS, { id: row.merchant_id });
    const rules = merchant ? sectionOf(merchant, 'gateway-routing').rules : [];
    const index = rules.findIndex((rule) => isNamed(row, 'default' in rule ? rule.default : rule.gateway));
    if (index < 0) return;
    throw new ServiceError('RESOURCE_CONFLICT', `Rule ${index + 1} of the routing rules uses this gateway, so it can't be ${operation}.`, {
      details: { reason: 'in_use', rule: index },
    });
  }

  /** Rejects an operation that must wait until all payments at a gateway, and its payment pages, have ended. */
  async function refuseWhileOpen(actor: Actor, row: GatewayRow, advice: string): Promise<void> {
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
      {
        details: { reason: 'hosted_pages_watched', pages },
      },
    );
  }

  /** Rejects a change to another account after the gateway has taken payments, because they are refunded through the present account. */
  async function refuseWhenUsed(actor: Actor, row: GatewayRow): Promise<void> {
    await refuseWhileOpen(
      actor,
      row,
      'The account can be changed after they are concluded, if the gateway has no payments. Otherwise add another gateway.',
    );
    if (!(await deps.hasPayments(actor.tenantId, row.id))) return;
    throw new ServiceError('RESOURCE_CONFLICT', 'Add another gateway, because payments of this gateway are refunded through its account.', {
      details: { reason: 'has_payments' },
    });
  }

  return {
    ...accounts,
    /** Returns the processors that the caller's tenant can choose, with their credential fields. */
    types,
    async page(
      actor: Actor,
      merchantId: string,
      { status }: { readonly status?: Gateway['status'] },
      pageRequest: PageRequest,
    ): Promise<Page<Gateway>> {
      await deps.rowFor(actor, merchantId);
      const rows = await gatewaysOf(deps, actor.tenantId, merchantId);
      const lost = await accounts.unreadableAmong(rows);
      return pageOf(
        rows.map((row) => toGateway(deps, row, lost.has(row.id))).filter((gateway) => status === undefined || gateway.status === status),
        pageRequest,
        ({ id }) => id,
      );
    },
    /**
     * Adds a gateway. A live account is checked at its processor before. @throws ServiceError VALIDATION_ERROR if the processor refuses it,
     * and nothing is stored. If the processor cannot be reached, the gateway is added and its check says so.
     */
    async add(actor: Actor, merchantId: string, input: GatewayInput): Promise<Gateway> {
      const merchant = await deps.rowFor(actor, merchantId);
      checkType(actor, input.type);
      const before = await gatewaysOf(deps, actor.tenantId, merchantId);
      checkRoom(before);
      if (before.some(({ name }) => name === input.name)) throw nameTaken(input.name);
      const now = nowOf(actor);
      const id = newId('gw', now);
      const account = await newAccount(actor, merchant, id, input);
      const createdAt = isoTime(now);
      const row = await withUniqueName(input.name, () =>
        database.unitOfWork.transaction(actor.tenantId, async (work) => {
          await work.lockOne(MERCHANTS, { id: merchantId });
          const gateways = await gatewaysIn(work, merchantId);
          checkRoom(gateways);
          const gateway: GatewayRow = {
            tenant_id: actor.tenantId,
            id,
            merchant_id: merchantId,
            type: input.type,
            name: input.name,
            status: input.status ?? 'active',
            priority: input.priority ?? Math.max(0, ...gateways.map((one) => one.priority)) + 1,
            credentials: null,
            settings: null,
            last_check: null,
            ...account,
            removed_at: null,
            created_at: createdAt,
            updated_at: createdAt,
          };
          work.insert(GATEWAYS, gateway);
          await deps.warnAboutDestination(work, actor, `the gateways: ${gateway.name} was added`);
          audit(work, { actor, action: 'gateway.added', resource: resource(gateway), merchantId, after: auditFields(gateway) });
          return gateway;
        }),
      );
      deps.directory.rows.changed(actor.tenantId, merchantId);
      return toGateway(deps, row);
    },
    /**
     * Changes the given fields, credentials and settings individually. Another account is checked as in `add()`. @throws ServiceError
     * RESOURCE_CONFLICT for
     * another account if the gateway has taken payments, or while one is open.
     */
    async update(actor: Actor, merchantId: string, id: string, input: Partial<GatewayInput>): Promise<Gateway> {
      const before = await rowOf(actor, merchantId, id);
      if (input.type !== undefined && input.type !== before.type)
        throw new ServiceError('VALIDATION_ERROR', "The type of a gateway can't be changed. Add another gateway instead.", {
          field: 'type',
        });
      const account = await changedAccount(actor, await deps.rowFor(actor, merchantId), before, input);
      const { name, status, priority } = input;
      const changed = Object.fromEntries(Object.entries({ name, status, priority }).filter(([, value]) => value !== undefined));
      const set: Partial<GatewayRow> = { ...changed, ...account, updated_at: isoTime(nowOf(actor)) };
      const after = await withUniqueName(name ?? before.name, () =>
        database.unitOfWork.transaction(actor.tenantId, async (work) => {
          if (name !== undefined && name !== before.name) await refuseWhenNamed(work, before, 'renamed');
          const locked = await lockUnchanged(work, before);
          const changed = { ...locked, ...set };
          await work.update(GATEWAYS, { id }, set);
          const login = input.credentials === undefined ? {} : { login: 'changed' };
          await deps.warnAboutDestination(work, actor, 'the settings of a gateway');
          audit(work, {
            actor,
            action: 'gateway.updated',
            resource: resource(locked),
            merchantId,
            before: auditFields(locked),
            after: { ...auditFields(changed), ...login },
          });
          return changed;
        }),
      );
      deps.directory.rows.changed(actor.tenantId, merchantId);
      return toApiGateway(after);
    },
    /**
     * Checks a live gateway at its processor again and stores the result, with its time zone if none was chosen. @throws ServiceError
     * RESOURCE_CONFLICT for a sandbox gateway.
     */
    async check(actor: Actor, merchantId: string, id: string): Promise<Gateway> {
      const row = await rowOf(actor, merchantId, id);
      const settings = settingsOf(row);
      if (settings === null) throw new ServiceError('RESOURCE_CONFLICT', 'Sandbox gateways have no account to check.');
      const credentials = await credentialsOf(row);
      if (credentials === null)
        throw new ServiceError('RESOURCE_CONFLICT', CREDENTIALS_UNREADABLE, { details: { reason: 'credentials_lost' } });
      const account = accountWith(actor.tenantId, id, credentials, settings);
      const result = checkFrom(await deps.gateways.check(row.type, account), isoTime(nowOf(actor)), checkOf(row));
      const set = { last_check: JSON.stringify(result), settings: toStoredSettings(settings, result, isZoneOpen(row)) };
      const after = await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        const locked = await lockUnchanged(work, row);
        await work.update(GATEWAYS, { id }, set);
        audit(work, {
          actor,
          action: 'gateway.checked',
          resource: resource(row),
          merchantId,
          after: { state: result.state, reason: result.reason, timezone: settingsOf(set)?.timezone },
        });
        return { ...locked, ...set };
      });
      deps.directory.rows.changed(actor.tenantId, merchantId);
      return toGateway(deps, after);
    },
    /**
     * Removes a gateway that no rule names. @throws ServiceError RESOURCE_CONFLICT if a rule names it, or if payments of a live gateway are
     * open or its payment pages are watched. Its payments stay, and are still captured and refunded through it.
     */
    async remove(actor: Actor, merchantId: string, id: string): Promise<void> {
      const row = await rowOf(actor, merchantId, id);
      const isLive = row.settings !== null;
      if (isLive) await refuseWhileOpen(actor, row, 'Disable the gateway, and remove it after they are concluded.');
      await database.unitOfWork.transaction(actor.tenantId, async (work) => {
        await refuseWhenNamed(work, row, 'removed');
        await lockedRow(work, id);
        if (!isLive) await work.delete(GATEWAYS, { id });
        else await work.update(GATEWAYS, { id }, { name: id, status: 'disabled', removed_at: isoTime(nowOf(actor)) });
        await deps.warnAboutDestination(work, actor, `the gateways: ${row.name} was removed`);
        audit(work, { actor, action: 'gateway.removed', resource: resource(row), merchantId, before: auditFields(row) });
      });
      deps.directory.rows.changed(actor.tenantId, merchantId);
    },
  };
}

const noGateway = () => new ServiceError('NOT_FOUND', 'This merchant has no gateway with this ID.');

/** Describes the open work of a gateway: "2 captures or refunds are waiting to be sent; 1 payment is unconfirmed". */
function openWorkText(held: number, unconfirmed: number): string {
  const heldText = held === 1 ? '1 capture or refund is waiting to be sent' : `${held} captures or refunds are waiting to be sent`;
  const unconfirmedText = unconfirmed === 1 ? '1 payment is unconfirmed' : `${unconfirmed} payments are unconfirmed`;
  return [...(held > 0 ? [heldText] : []), ...(unconfirmed > 0 ? [unconfirmedText] : [])].join('; ');
}

function refusedBy(processor: Processor | undefined, { reason, field }: Extract<AccountCheck, { kind: 'refused' }>): ServiceError {
  const isCredential = processor?.credentials.some(({ name }) => name === field);
  return new ServiceError('VALIDATION_ERROR', reason, { field: isCredential ? `credentials.${field}` : (field ?? 'credentials') });
}

/** Returns the stored result of a check. If the processor did not answer, its former answer is kept beside it. */
function checkFrom(result: AccountCheck, at: string, before: GatewayCheck | null): GatewayCheck {
  if (result.kind === 'ok') {
    const { merchantName = '', currencies = [], timezone = null, takesBankAccounts = null, markets = null } = result;
    return { state: 'ok', at, merchantName: merchantName || null, currencies, timezone, takesBankAccounts, markets, reason: null };
  }
  const { merchantName = null, currencies = [], timezone = null, takesBankAccounts = null, markets = null } = before ?? {};
  return { state: result.kind, at, merchantName, currencies, timezone, takesBankAccounts, markets, reason: result.reason };
}
