import { type Page, type PageRequest, pageOf, UniqueViolation, type Work } from '#core/database';
import type { AccountCheck, CredentialField, Processor } from '#core/gateways';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import {
  CREDENTIALS_LOST,
  checkOf,
  type Gateway,
  type GatewayCheck,
  type GatewaySettings,
  gatewaysIn,
  gatewaysOf,
  isNamed,
  isZoneOpen,
  keepSettings,
  settingsOf,
  toGateway,
} from './gateway.ts';
import { accountWith, type Credentials } from './gateway-account.ts';
import {
  checkGivenAnew,
  checkNoSettings,
  credentialsFrom,
  type GatewayInput,
  isOfAccount,
  isOtherLogin,
  settingsFrom,
} from './gateway-input.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import { sectionOf } from './settings.ts';

/** A processor that a tenant may choose. */
export interface GatewayType {
  readonly type: string;
  readonly label: string;
  /** True if resellers offer the processor under other host names, so that the host is part of the setup. */
  readonly hasOwnHosts: boolean;
  readonly credentials: readonly CredentialField[];
  /** Says where to find the other settings at the processor; null if that is unknown. */
  readonly hints: { readonly cutoffTime: string | null };
}

const GATEWAYS_MAX = 20;
const SANDBOX: GatewayType = { type: 'sandbox', label: 'Sandbox', hasOwnHosts: false, credentials: [], hints: { cutoffTime: null } };

/** Stored properties of an account after a check at its processor. */
type Account = Partial<Pick<GatewayRow, 'credentials' | 'settings' | 'last_check'>>;

const shown = (row: GatewayRow) => {
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
    return processorsOf(actor).map(({ type, label, hasOwnHosts, credentials, hints }) => ({
      type,
      label,
      hasOwnHosts,
      credentials,
      hints: { cutoffTime: hints?.cutoffTime ?? null },
    }));
  }

  const shownOf = async (row: GatewayRow): Promise<Gateway> => toGateway(deps, row, (await accounts.lostAmong([row])).has(row.id));

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

  /** The same; RESOURCE_CONFLICT when its account was changed since it was read. */
  async function lockedLike(work: Work, row: GatewayRow): Promise<GatewayRow> {
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
    new ServiceError('RESOURCE_CONFLICT', `This merchant has a gateway named ${name} already.`, { field: 'name' });

  /** Before the processor is asked, which may take a while; the write decides. */
  function checkRoom(known: readonly GatewayRow[]): void {
    if (known.length < GATEWAYS_MAX) return;
    throw new ServiceError('RESOURCE_CONFLICT', `A merchant may have ${GATEWAYS_MAX} gateways.`, { details: { limit: GATEWAYS_MAX } });
  }

  async function unique<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      throw error instanceof UniqueViolation ? nameTaken(name) : error;
    }
  }

  /** Checks an account at its processor. @throws ServiceError VALIDATION_ERROR with the processor's text if it refuses. */
  async function asked(actor: Actor, type: string, id: string, credentials: Credentials, settings: GatewaySettings): Promise<GatewayCheck> {
    const said = await deps.gateways.check(type, accountWith(actor.tenantId, id, credentials, settings));
    if (said.kind === 'refused') throw refusedBy(processorOf(actor, type), said);
    return checkFrom(said, isoTime(nowOf(actor)), null);
  }

  const processorOf = (actor: Actor, type: string) => processorsOf(actor).find((each) => each.type === type);

  /** The account of a new gateway; of one of the sandbox, credentials are kept as they come. */
  async function newAccount(actor: Actor, merchant: MerchantRow, id: string, input: GatewayInput): Promise<Account> {
    const processor = processorOf(actor, input.type);
    if (!processor) {
      checkNoSettings(input);
      return { credentials: input.credentials === undefined ? null : await seal(actor.tenantId, id, input.credentials) };
    }
    const settings = settingsFrom(processor, merchant, null, input);
    const credentials = credentialsFrom(processor, {}, input.credentials);
    const check = await asked(actor, input.type, id, credentials, settings);
    return {
      credentials: await seal(actor.tenantId, id, credentials),
      settings: keepSettings(settings, check, input.timezone === undefined),
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
    const isOther = before === null || isOfAccount(before, settings);
    if (input.credentials === undefined && !isOther) return { settings: keepSettings(settings, null, isOpen) };
    if (isOther) await refuseWhenUsed(actor, row);
    const opened = await credentialsOf(row);
    const kept = opened ?? {};
    if (settings.origin !== null && settings.origin !== before?.origin) checkGivenAnew(processor, kept, input.credentials);
    const credentials = credentialsFrom(processor, kept, input.credentials);
    // With what is lost nothing can be compared, and it has to be entered again.
    const isOtherAccount = isOther || (opened !== null && isOtherLogin(processor, opened, credentials));
    if (isOtherAccount && !isOther) await refuseWhenUsed(actor, row);
    const check = await asked(actor, row.type, row.id, credentials, settings);
    // Asking may have taken minutes.
    if (isOtherAccount) await refuseWhenUsed(actor, row);
    return {
      ...(input.credentials === undefined ? {} : { credentials: await seal(actor.tenantId, row.id, credentials) }),
      settings: keepSettings(settings, check, isOpen),
      last_check: JSON.stringify(check),
    };
  }

  /** Runs under the lock of the merchant, so that no rule can name the gateway in the meantime. */
  async function refuseWhenNamed(work: Work, row: GatewayRow, what: string): Promise<void> {
    const merchant = await work.lockOne(MERCHANTS, { id: row.merchant_id });
    const rules = merchant ? sectionOf(merchant, 'gateway-routing').rules : [];
    const index = rules.findIndex((rule) => isNamed(row, 'default' in rule ? rule.default : rule.gateway));
    if (index < 0) return;
    throw new ServiceError('RESOURCE_CONFLICT', `Rule ${index + 1} of the routing names this gateway, so it can't be ${what}.`, {
      details: { reason: 'in_use', rule: index },
    });
  }

  /** Refuses what must wait until every payment at a gateway is ended. */
  async function refuseWhileOpen(actor: Actor, row: GatewayRow, meanwhile: string): Promise<void> {
    const { held, inDoubt } = await deps.openAttempts(actor.tenantId, row.id);
    if (held + inDoubt === 0) return;
    throw new ServiceError('RESOURCE_CONFLICT', `This gateway has open work: ${openWords(held, inDoubt)}. ${meanwhile}`, {
      details: { reason: 'payments_open', held, inDoubt },
    });
  }

  /** Refuses to lead a gateway to another account than the one that holds what it took. */
  async function refuseWhenUsed(actor: Actor, row: GatewayRow): Promise<void> {
    await refuseWhileOpen(
      actor,
      row,
      'Its account can be changed when they have ended, if it took no payment. Otherwise add another gateway.',
    );
    if (!(await deps.hasPayments(actor.tenantId, row.id))) return;
    throw new ServiceError('RESOURCE_CONFLICT', 'Add another gateway: the payments of this one are refunded through its account.', {
      details: { reason: 'has_payments' },
    });
  }

  return {
    ...accounts,
    /** The processors that the caller's tenant may choose, with what is entered for each. */
    types,
    async page(
      actor: Actor,
      merchantId: string,
      { status }: { readonly status?: Gateway['status'] },
      at: PageRequest,
    ): Promise<Page<Gateway>> {
      await deps.rowFor(actor, merchantId);
      const rows = await gatewaysOf(deps, actor.tenantId, merchantId);
      const lost = await accounts.lostAmong(rows);
      return pageOf(
        rows.map((row) => toGateway(deps, row, lost.has(row.id))).filter((gateway) => status === undefined || gateway.status === status),
        at,
        ({ id }) => id,
      );
    },
    /** Adds a gateway. A live one's processor is asked before: what it refuses is VALIDATION_ERROR and nothing is kept; where it cannot be reached, the check says so. */
    async add(actor: Actor, merchantId: string, input: GatewayInput): Promise<Gateway> {
      const merchant = await deps.rowFor(actor, merchantId);
      checkType(actor, input.type);
      const before = await gatewaysOf(deps, actor.tenantId, merchantId);
      checkRoom(before);
      if (before.some(({ name }) => name === input.name)) throw nameTaken(input.name);
      const now = nowOf(actor);
      const id = newId('gw', now);
      const account = await newAccount(actor, merchant, id, input);
      const at = isoTime(now);
      const row = await unique(input.name, () =>
        database.unitOfWork.run(actor.tenantId, async (work) => {
          await work.lockOne(MERCHANTS, { id: merchantId });
          const known = await gatewaysIn(work, merchantId);
          checkRoom(known);
          const made: GatewayRow = {
            tenant_id: actor.tenantId,
            id,
            merchant_id: merchantId,
            type: input.type,
            name: input.name,
            status: input.status ?? 'active',
            priority: input.priority ?? Math.max(0, ...known.map((one) => one.priority)) + 1,
            credentials: null,
            settings: null,
            last_check: null,
            ...account,
            removed_at: null,
            created_at: at,
            updated_at: at,
          };
          work.insert(GATEWAYS, made);
          audit(work, { actor, action: 'gateway.added', resource: resource(made), merchantId, after: shown(made) });
          return made;
        }),
      );
      deps.directory.rows.changed(actor.tenantId);
      return toGateway(deps, row);
    },
    /**
     * Changes the given fields, credentials and settings one by one. The processor is asked as with add() when the account is another, which is
     * RESOURCE_CONFLICT once a live gateway took payments or while one is open.
     */
    async update(actor: Actor, merchantId: string, id: string, input: Partial<GatewayInput>): Promise<Gateway> {
      const before = await rowOf(actor, merchantId, id);
      if (input.type !== undefined && input.type !== before.type)
        throw new ServiceError('VALIDATION_ERROR', "The type of a gateway can't be changed. Add another gateway instead.", {
          field: 'type',
        });
      const account = await changedAccount(actor, await deps.rowFor(actor, merchantId), before, input);
      const { name, status, priority } = input;
      const given = Object.fromEntries(Object.entries({ name, status, priority }).filter(([, value]) => value !== undefined));
      const set: Partial<GatewayRow> = { ...given, ...account, updated_at: isoTime(nowOf(actor)) };
      const after = await unique(name ?? before.name, () =>
        database.unitOfWork.run(actor.tenantId, async (work) => {
          if (name !== undefined && name !== before.name) await refuseWhenNamed(work, before, 'renamed');
          const locked = await lockedLike(work, before);
          const changed = { ...locked, ...set };
          await work.update(GATEWAYS, { id }, set);
          const login = input.credentials === undefined ? {} : { login: 'changed' };
          audit(work, {
            actor,
            action: 'gateway.updated',
            resource: resource(locked),
            merchantId,
            before: shown(locked),
            after: { ...shown(changed), ...login },
          });
          return changed;
        }),
      );
      deps.directory.rows.changed(actor.tenantId);
      return shownOf(after);
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
      if (credentials === null) throw new ServiceError('RESOURCE_CONFLICT', CREDENTIALS_LOST, { details: { reason: 'credentials_lost' } });
      const account = accountWith(actor.tenantId, id, credentials, settings);
      const said = checkFrom(await deps.gateways.check(row.type, account), isoTime(nowOf(actor)), checkOf(row));
      const set = { last_check: JSON.stringify(said), settings: keepSettings(settings, said, isZoneOpen(row)) };
      const after = await database.unitOfWork.run(actor.tenantId, async (work) => {
        const locked = await lockedLike(work, row);
        await work.update(GATEWAYS, { id }, set);
        audit(work, {
          actor,
          action: 'gateway.checked',
          resource: resource(row),
          merchantId,
          after: { state: said.state, reason: said.reason, timezone: settingsOf(set)?.timezone },
        });
        return { ...locked, ...set };
      });
      deps.directory.rows.changed(actor.tenantId);
      return toGateway(deps, after);
    },
    /**
     * Removes a gateway that no rule names. @throws ServiceError RESOURCE_CONFLICT if a rule names it, or if payments of a live gateway are
     * open. Its payments stay, and are still captured and refunded through it.
     */
    async remove(actor: Actor, merchantId: string, id: string): Promise<void> {
      const row = await rowOf(actor, merchantId, id);
      const isLive = row.settings !== null;
      if (isLive) await refuseWhileOpen(actor, row, 'Disable it, and remove it when they have ended.');
      await database.unitOfWork.run(actor.tenantId, async (work) => {
        await refuseWhenNamed(work, row, 'removed');
        await lockedRow(work, id);
        if (!isLive) await work.delete(GATEWAYS, { id });
        else await work.update(GATEWAYS, { id }, { name: id, status: 'disabled', removed_at: isoTime(nowOf(actor)) });
        audit(work, { actor, action: 'gateway.removed', resource: resource(row), merchantId, before: shown(row) });
      });
      deps.directory.rows.changed(actor.tenantId);
    },
  };
}

const noGateway = () => new ServiceError('NOT_FOUND', 'This merchant has no such gateway.');

/** Describes the open work of a gateway: "2 captures or refunds wait to be sent; 1 payment is unconfirmed". */
function openWords(held: number, inDoubt: number): string {
  const waiting = held === 1 ? '1 capture or refund waits until it is sent' : `${held} captures or refunds wait until they are sent`;
  const asked = inDoubt === 1 ? '1 payment is in doubt' : `${inDoubt} payments are in doubt`;
  return [...(held > 0 ? [waiting] : []), ...(inDoubt > 0 ? [asked] : [])].join('; ');
}

function refusedBy(processor: Processor | undefined, { reason, field }: Extract<AccountCheck, { kind: 'refused' }>): ServiceError {
  const isCredential = processor?.credentials.some(({ name }) => name === field);
  return new ServiceError('VALIDATION_ERROR', reason, { field: isCredential ? `credentials.${field}` : (field ?? 'credentials') });
}

/** Returns the stored result of a check. If the processor did not answer, its former answer is kept beside it. */
function checkFrom(said: AccountCheck, at: string, before: GatewayCheck | null): GatewayCheck {
  if (said.kind === 'ok') {
    const { merchantName = '', currencies = [], timezone = null, takesBankAccounts = null } = said;
    return { state: 'ok', at, merchantName: merchantName || null, currencies, timezone, takesBankAccounts, reason: null };
  }
  const { merchantName = null, currencies = [], timezone = null, takesBankAccounts = null } = before ?? {};
  return { state: said.kind, at, merchantName, currencies, timezone, takesBankAccounts, reason: said.reason };
}
