import { type Page, type PageOf, pageOf, UniqueViolation, type Work } from '#core/database';
import type { AccountCheck, CredentialField, Processor } from '#core/gateways';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
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
import type { Needs } from './needs.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';
import { sectionOf } from './settings.ts';

/** A processor that a tenant may choose. */
export interface GatewayType {
  readonly type: string;
  readonly label: string;
  /** Whether it is sold under other names, so that the host is part of the set-up. */
  readonly hasOwnHosts: boolean;
  readonly credentials: readonly CredentialField[];
  /** Where the other settings are found at the processor; null where we do not know. */
  readonly hints: { readonly cutoffTime: string | null };
}

const GATEWAYS_MAX = 20;
const SANDBOX: GatewayType = { type: 'sandbox', label: 'Sandbox', hasOwnHosts: false, credentials: [], hints: { cutoffTime: null } };

/** What of an account is written down, after its processor was asked. */
type Account = Partial<Pick<GatewayRow, 'credentials' | 'settings' | 'last_check'>>;

const shown = (row: GatewayRow) => {
  const { type, name, status, priority } = row;
  return { type, name, status, priority, ...settingsOf(row) };
};
const resource = (row: GatewayRow) => `merchants/${row.merchant_id}/gateways/${row.id}`;

export function createGatewaySettings(on: Needs) {
  const { database, audit } = on;
  const { seal, credentialsOf, ...accounts } = on.directory.accounts;

  const nowOf = (by: Actor) => on.clockOf(by.tenantId).now();
  const processorsOf = (by: Actor): readonly Processor[] => on.gateways.processorsFor(on.environmentOf(by.tenantId));

  function types(by: Actor): GatewayType[] {
    if (on.environmentOf(by.tenantId) === 'sandbox') return [SANDBOX];
    return processorsOf(by).map(({ type, label, hasOwnHosts, credentials, hints }) => ({
      type,
      label,
      hasOwnHosts,
      credentials,
      hints: { cutoffTime: hints?.cutoffTime ?? null },
    }));
  }

  const shownOf = async (row: GatewayRow): Promise<Gateway> => toGateway(on, row, (await accounts.lostAmong([row])).has(row.id));

  async function rowOf(by: Actor, merchantId: string, id: string): Promise<GatewayRow> {
    await on.rowFor(by, merchantId);
    const row = await database.read(by.tenantId).one(GATEWAYS, { id, merchant_id: merchantId });
    if (!row || row.removed_at !== null) throw noGateway();
    return row;
  }

  /** As it stands within a work; NOT_FOUND when it was removed meanwhile. */
  async function lockedRow(work: Work, id: string): Promise<GatewayRow> {
    const locked = await work.lockOne(GATEWAYS, { id });
    if (!locked || locked.removed_at !== null) throw noGateway();
    return locked;
  }

  /** The same; RESOURCE_CONFLICT when its account was changed since it was read. */
  async function lockedLike(work: Work, row: GatewayRow): Promise<GatewayRow> {
    const locked = await lockedRow(work, row.id);
    if (locked.credentials === row.credentials && locked.settings === row.settings) return locked;
    throw new ServiceError('RESOURCE_CONFLICT', 'This gateway was changed meanwhile; look at it again.', {
      details: { reason: 'changed_meanwhile' },
    });
  }

  function checkType(by: Actor, type: string): void {
    const known = types(by).map((each) => each.type);
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

  /** Asks the processor about an account; VALIDATION_ERROR in its own words when it refuses. */
  async function asked(by: Actor, type: string, id: string, credentials: Credentials, settings: GatewaySettings): Promise<GatewayCheck> {
    const said = await on.gateways.check(type, accountWith(by.tenantId, id, credentials, settings));
    if (said.kind === 'refused') throw refusedBy(processorOf(by, type), said);
    return checkFrom(said, isoTime(nowOf(by)), null);
  }

  const processorOf = (by: Actor, type: string) => processorsOf(by).find((each) => each.type === type);

  /** The account of a new gateway; of one of the sandbox, credentials are kept as they come. */
  async function newAccount(by: Actor, merchant: MerchantRow, id: string, input: GatewayInput): Promise<Account> {
    const processor = processorOf(by, input.type);
    if (!processor) {
      checkNoSettings(input);
      return { credentials: input.credentials === undefined ? null : await seal(by.tenantId, id, input.credentials) };
    }
    const settings = settingsFrom(processor, merchant, null, input);
    const credentials = credentialsFrom(processor, {}, input.credentials);
    const check = await asked(by, input.type, id, credentials, settings);
    return {
      credentials: await seal(by.tenantId, id, credentials),
      settings: keepSettings(settings, check, input.timezone === undefined),
      last_check: JSON.stringify(check),
    };
  }

  /** What of an account changes; empty where nothing of it is given. */
  async function changedAccount(by: Actor, merchant: MerchantRow, row: GatewayRow, input: Partial<GatewayInput>): Promise<Account> {
    const processor = processorOf(by, row.type);
    if (!processor) {
      checkNoSettings(input);
      return input.credentials === undefined ? {} : { credentials: await seal(by.tenantId, row.id, input.credentials) };
    }
    const before = settingsOf(row);
    const settings = settingsFrom(processor, merchant, before, input);
    const isOpen = input.timezone === undefined && isZoneOpen(row);
    const isOther = before === null || isOfAccount(before, settings);
    if (input.credentials === undefined && !isOther) return { settings: keepSettings(settings, null, isOpen) };
    if (isOther) await refuseWhenUsed(by, row);
    const opened = await credentialsOf(row);
    const kept = opened ?? {};
    if (settings.origin !== null && settings.origin !== before?.origin) checkGivenAnew(processor, kept, input.credentials);
    const credentials = credentialsFrom(processor, kept, input.credentials);
    // With what is lost nothing can be compared, and it has to be entered again.
    const isOtherAccount = isOther || (opened !== null && isOtherLogin(processor, opened, credentials));
    if (isOtherAccount && !isOther) await refuseWhenUsed(by, row);
    const check = await asked(by, row.type, row.id, credentials, settings);
    // Asking may have taken minutes.
    if (isOtherAccount) await refuseWhenUsed(by, row);
    return {
      ...(input.credentials === undefined ? {} : { credentials: await seal(by.tenantId, row.id, credentials) }),
      settings: keepSettings(settings, check, isOpen),
      last_check: JSON.stringify(check),
    };
  }

  /** Under the lock of its merchant, so that no rule comes to name it meanwhile. */
  async function refuseWhenNamed(work: Work, row: GatewayRow, what: string): Promise<void> {
    const merchant = await work.lockOne(MERCHANTS, { id: row.merchant_id });
    const rules = merchant ? sectionOf(merchant, 'gateway-routing').rules : [];
    const index = rules.findIndex((rule) => isNamed(row, 'default' in rule ? rule.default : rule.gateway));
    if (index < 0) return;
    throw new ServiceError('RESOURCE_CONFLICT', `Rule ${index + 1} of the routing names this gateway; it cannot be ${what}.`, {
      details: { reason: 'in_use', rule: index },
    });
  }

  /** Refuses what must wait until every payment at a gateway is ended. */
  async function refuseWhileOpen(by: Actor, row: GatewayRow, meanwhile: string): Promise<void> {
    const { held, inDoubt } = await on.openAttempts(by.tenantId, row.id);
    if (held + inDoubt === 0) return;
    throw new ServiceError('RESOURCE_CONFLICT', `At this gateway ${openWords(held, inDoubt)}. ${meanwhile}`, {
      details: { reason: 'payments_open', held, inDoubt },
    });
  }

  /** Refuses to lead a gateway to another account than the one that holds what it took. */
  async function refuseWhenUsed(by: Actor, row: GatewayRow): Promise<void> {
    await refuseWhileOpen(by, row, 'Its account can be changed when they are ended, if it took no payment; or add another gateway.');
    if (!(await on.hasPayments(by.tenantId, row.id))) return;
    throw new ServiceError('RESOURCE_CONFLICT', 'Add another gateway: this one’s payments are given back through its account.', {
      details: { reason: 'has_payments' },
    });
  }

  return {
    ...accounts,
    /** The processors that the caller's tenant may choose, with what is entered for each. */
    types,
    async page(by: Actor, merchantId: string, { status }: { readonly status?: Gateway['status'] }, at: PageOf): Promise<Page<Gateway>> {
      await on.rowFor(by, merchantId);
      const rows = await gatewaysOf(on, by.tenantId, merchantId);
      const lost = await accounts.lostAmong(rows);
      return pageOf(
        rows.map((row) => toGateway(on, row, lost.has(row.id))).filter((gateway) => status === undefined || gateway.status === status),
        at,
        ({ id }) => id,
      );
    },
    /** Adds a gateway. A live one's processor is asked before: what it refuses is VALIDATION_ERROR and nothing is kept; where it cannot be reached, the check says so. */
    async add(by: Actor, merchantId: string, input: GatewayInput): Promise<Gateway> {
      const merchant = await on.rowFor(by, merchantId);
      checkType(by, input.type);
      const before = await gatewaysOf(on, by.tenantId, merchantId);
      checkRoom(before);
      if (before.some(({ name }) => name === input.name)) throw nameTaken(input.name);
      const now = nowOf(by);
      const id = newId('gw', now);
      const account = await newAccount(by, merchant, id, input);
      const at = isoTime(now);
      const row = await unique(input.name, () =>
        database.unitOfWork.run(by.tenantId, async (work) => {
          await work.lockOne(MERCHANTS, { id: merchantId });
          const known = await gatewaysIn(work, merchantId);
          checkRoom(known);
          const made: GatewayRow = {
            tenant_id: by.tenantId,
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
          audit(work, { by, action: 'gateway.added', resource: resource(made), merchantId, after: shown(made) });
          return made;
        }),
      );
      on.directory.rows.changed(by.tenantId);
      return toGateway(on, row);
    },
    /**
     * Changes the given fields, credentials and settings one by one. The processor is asked as with add() when the account is another, which is
     * RESOURCE_CONFLICT once a live gateway took payments or while one is open.
     */
    async update(by: Actor, merchantId: string, id: string, input: Partial<GatewayInput>): Promise<Gateway> {
      const before = await rowOf(by, merchantId, id);
      if (input.type !== undefined && input.type !== before.type)
        throw new ServiceError('VALIDATION_ERROR', 'The type of a gateway stays; add another gateway instead.', { field: 'type' });
      const account = await changedAccount(by, await on.rowFor(by, merchantId), before, input);
      const { name, status, priority } = input;
      const given = Object.fromEntries(Object.entries({ name, status, priority }).filter(([, value]) => value !== undefined));
      const set: Partial<GatewayRow> = { ...given, ...account, updated_at: isoTime(nowOf(by)) };
      const after = await unique(name ?? before.name, () =>
        database.unitOfWork.run(by.tenantId, async (work) => {
          if (name !== undefined && name !== before.name) await refuseWhenNamed(work, before, 'renamed');
          const locked = await lockedLike(work, before);
          const changed = { ...locked, ...set };
          await work.update(GATEWAYS, { id }, set);
          const login = input.credentials === undefined ? {} : { login: 'changed' };
          audit(work, {
            by,
            action: 'gateway.updated',
            resource: resource(locked),
            merchantId,
            before: shown(locked),
            after: { ...shown(changed), ...login },
          });
          return changed;
        }),
      );
      on.directory.rows.changed(by.tenantId);
      return shownOf(after);
    },
    /** Asks the processor about a live gateway again and keeps what it says, its zone too where that was left open; RESOURCE_CONFLICT for one of the sandbox. */
    async check(by: Actor, merchantId: string, id: string): Promise<Gateway> {
      const row = await rowOf(by, merchantId, id);
      const settings = settingsOf(row);
      if (settings === null) throw new ServiceError('RESOURCE_CONFLICT', 'The sandbox has no account that could be checked.');
      const credentials = await credentialsOf(row);
      if (credentials === null) throw new ServiceError('RESOURCE_CONFLICT', CREDENTIALS_LOST, { details: { reason: 'credentials_lost' } });
      const account = accountWith(by.tenantId, id, credentials, settings);
      const said = checkFrom(await on.gateways.check(row.type, account), isoTime(nowOf(by)), checkOf(row));
      const set = { last_check: JSON.stringify(said), settings: keepSettings(settings, said, isZoneOpen(row)) };
      const after = await database.unitOfWork.run(by.tenantId, async (work) => {
        const locked = await lockedLike(work, row);
        await work.update(GATEWAYS, { id }, set);
        audit(work, {
          by,
          action: 'gateway.checked',
          resource: resource(row),
          merchantId,
          after: { state: said.state, reason: said.reason, timezone: settingsOf(set)?.timezone },
        });
        return { ...locked, ...set };
      });
      on.directory.rows.changed(by.tenantId);
      return toGateway(on, after);
    },
    /**
     * Removes a gateway that no rule names and, of a live one, at which no payment is open (RESOURCE_CONFLICT). Payments that it took stay, and are captured
     * and given back through it.
     */
    async remove(by: Actor, merchantId: string, id: string): Promise<void> {
      const row = await rowOf(by, merchantId, id);
      const isLive = row.settings !== null;
      if (isLive) await refuseWhileOpen(by, row, 'Disable it, and remove it when they are ended.');
      await database.unitOfWork.run(by.tenantId, async (work) => {
        await refuseWhenNamed(work, row, 'removed');
        await lockedRow(work, id);
        if (!isLive) await work.delete(GATEWAYS, { id });
        else await work.update(GATEWAYS, { id }, { name: id, status: 'disabled', removed_at: isoTime(nowOf(by)) });
        audit(work, { by, action: 'gateway.removed', resource: resource(row), merchantId, before: shown(row) });
      });
      on.directory.rows.changed(by.tenantId);
    },
  };
}

const noGateway = () => new ServiceError('NOT_FOUND', 'This merchant has no such gateway.');

/** What is open at a gateway: "2 captures or refunds wait until they are sent; 1 payment is in doubt". */
function openWords(held: number, inDoubt: number): string {
  const waiting = held === 1 ? '1 capture or refund waits until it is sent' : `${held} captures or refunds wait until they are sent`;
  const asked = inDoubt === 1 ? '1 payment is in doubt' : `${inDoubt} payments are in doubt`;
  return [...(held > 0 ? [waiting] : []), ...(inDoubt > 0 ? [asked] : [])].join('; ');
}

function refusedBy(processor: Processor | undefined, { reason, field }: Extract<AccountCheck, { kind: 'refused' }>): ServiceError {
  const isCredential = processor?.credentials.some(({ name }) => name === field);
  return new ServiceError('VALIDATION_ERROR', reason, { field: isCredential ? `credentials.${field}` : (field ?? 'credentials') });
}

/** What is kept of a processor's answer; where none came, what it said before stands beside it. */
function checkFrom(said: AccountCheck, at: string, before: GatewayCheck | null): GatewayCheck {
  if (said.kind === 'ok') {
    const { merchantName = '', currencies = [], timezone = null, takesBankAccounts = null } = said;
    return { state: 'ok', at, merchantName: merchantName || null, currencies, timezone, takesBankAccounts, reason: null };
  }
  const { merchantName = null, currencies = [], timezone = null, takesBankAccounts = null } = before ?? {};
  return { state: said.kind, at, merchantName, currencies, timezone, takesBankAccounts, reason: said.reason };
}
