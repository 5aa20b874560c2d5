import { type Page, type PageRequest, pageOf, UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { CREDENTIALS_UNREADABLE, checkOf, gatewaysIn, gatewaysOf, isZoneOpen, settingsOf, toGateway, toStoredSettings } from './gateway.ts';
import { accountWith } from './gateway-account.ts';
import { changedAccount, checkFrom, gatewayTypes, newAccount, nowOf, refuseWhenNamed, refuseWhileOpen } from './gateway-check.ts';
import type { GatewayInput } from './gateway-input.ts';
import { openRow } from './read.ts';
import type { Gateway } from './records.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS } from './schema.ts';

const GATEWAYS_MAX = 20;

const auditFields = (row: GatewayRow) => {
  const { type, name, status, priority } = row;
  return { type, name, status, priority, ...settingsOf(row) };
};

const resource = (row: GatewayRow) => `merchants/${row.merchant_id}/gateways/${row.id}`;

const toApiGateway = async (deps: Dependencies, row: GatewayRow): Promise<Gateway> =>
  toGateway(deps, row, (await deps.directory.accounts.unreadableAmong([row])).has(row.id));

async function rowOf(deps: Dependencies, actor: Actor, merchantId: string, id: string): Promise<GatewayRow> {
  await openRow(deps, actor, merchantId);
  const row = await deps.database.read(actor.tenantId).one(GATEWAYS, { id, merchant_id: merchantId });
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

function checkType(deps: Dependencies, actor: Actor, type: string): void {
  const known = gatewayTypes(deps, actor).map((each) => each.type);
  if (known.includes(type)) return;
  throw new ServiceError('VALIDATION_ERROR', `The type must be one of: ${known.join(', ')}.`, { field: 'type', details: { types: known } });
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

export async function listGateways(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  { status }: { readonly status?: Gateway['status'] },
  pageRequest: PageRequest,
): Promise<Page<Gateway>> {
  await openRow(deps, actor, merchantId);
  const rows = await gatewaysOf(deps, actor.tenantId, merchantId);
  const lost = await deps.directory.accounts.unreadableAmong(rows);
  return pageOf(
    rows.map((row) => toGateway(deps, row, lost.has(row.id))).filter((gateway) => status === undefined || gateway.status === status),
    pageRequest,
    ({ id }) => id,
  );
}

/**
 * Adds a gateway. A live account is checked at its processor before. @throws ServiceError VALIDATION_ERROR if the processor refuses it,
 * and nothing is stored. If the processor cannot be reached, the gateway is added and its check says so.
 */
export async function addGateway(deps: Dependencies, actor: Actor, merchantId: string, input: GatewayInput): Promise<Gateway> {
  const merchant = await openRow(deps, actor, merchantId);
  checkType(deps, actor, input.type);
  const before = await gatewaysOf(deps, actor.tenantId, merchantId);
  checkRoom(before);
  if (before.some(({ name }) => name === input.name)) throw nameTaken(input.name);
  const now = nowOf(deps, actor);
  const id = newId('gw', now);
  const account = await newAccount(deps, actor, merchant, id, input);
  const createdAt = isoTime(now);
  const row = await withUniqueName(input.name, () =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
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
      deps.audit(work, { actor, action: 'gateway.added', resource: resource(gateway), merchantId, after: auditFields(gateway) });
      return gateway;
    }),
  );
  deps.directory.rows.changed(actor.tenantId, merchantId);
  return toGateway(deps, row);
}

/**
 * Changes the given fields, credentials and settings individually. Another account is checked as in `add()`. @throws ServiceError
 * RESOURCE_CONFLICT for
 * another account if the gateway has taken payments, or while one is open.
 */
export async function updateGateway(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  id: string,
  input: Partial<GatewayInput>,
): Promise<Gateway> {
  const before = await rowOf(deps, actor, merchantId, id);
  if (input.type !== undefined && input.type !== before.type)
    throw new ServiceError('VALIDATION_ERROR', "The type of a gateway can't be changed. Add another gateway instead.", { field: 'type' });
  const account = await changedAccount(deps, actor, await openRow(deps, actor, merchantId), before, input);
  const { name, status, priority } = input;
  const changed = Object.fromEntries(Object.entries({ name, status, priority }).filter(([, value]) => value !== undefined));
  const set: Partial<GatewayRow> = { ...changed, ...account, updated_at: isoTime(nowOf(deps, actor)) };
  const after = await withUniqueName(name ?? before.name, () =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      if (name !== undefined && name !== before.name) await refuseWhenNamed(work, before, 'renamed');
      const locked = await lockUnchanged(work, before);
      const changed = { ...locked, ...set };
      await work.update(GATEWAYS, { id }, set);
      const login = input.credentials === undefined ? {} : { login: 'changed' };
      await deps.warnAboutDestination(work, actor, 'the settings of a gateway');
      deps.audit(work, {
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
  return toApiGateway(deps, after);
}

/**
 * Checks a live gateway at its processor again and stores the result, with its time zone if none was chosen. @throws ServiceError
 * RESOURCE_CONFLICT for a sandbox gateway.
 */
export async function checkGateway(deps: Dependencies, actor: Actor, merchantId: string, id: string): Promise<Gateway> {
  const row = await rowOf(deps, actor, merchantId, id);
  const settings = settingsOf(row);
  if (settings === null) throw new ServiceError('RESOURCE_CONFLICT', 'Sandbox gateways have no account to check.');
  const credentials = await deps.directory.accounts.credentialsOf(row);
  if (credentials === null)
    throw new ServiceError('RESOURCE_CONFLICT', CREDENTIALS_UNREADABLE, { details: { reason: 'credentials_lost' } });
  const account = accountWith(actor.tenantId, id, credentials, settings);
  const result = checkFrom(await deps.gateways.check(row.type, account), isoTime(nowOf(deps, actor)), checkOf(row));
  const set = { last_check: JSON.stringify(result), settings: toStoredSettings(settings, result, isZoneOpen(row)) };
  const after = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const locked = await lockUnchanged(work, row);
    await work.update(GATEWAYS, { id }, set);
    deps.audit(work, {
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
}

/**
 * Removes a gateway that no rule names. @throws ServiceError RESOURCE_CONFLICT if a rule names it, or if payments of a live gateway are
 * open or its payment pages are watched. Its payments stay, and are still captured and refunded through it.
 */
export async function removeGateway(deps: Dependencies, actor: Actor, merchantId: string, id: string): Promise<void> {
  const row = await rowOf(deps, actor, merchantId, id);
  const isLive = row.settings !== null;
  if (isLive) await refuseWhileOpen(deps, actor, row, 'Disable the gateway, and remove it after they are concluded.');
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await refuseWhenNamed(work, row, 'removed');
    await lockedRow(work, id);
    if (!isLive) await work.delete(GATEWAYS, { id });
    else await work.update(GATEWAYS, { id }, { name: id, status: 'disabled', removed_at: isoTime(nowOf(deps, actor)) });
    await deps.warnAboutDestination(work, actor, `the gateways: ${row.name} was removed`);
    deps.audit(work, { actor, action: 'gateway.removed', resource: resource(row), merchantId, before: auditFields(row) });
  });
  deps.directory.rows.changed(actor.tenantId, merchantId);
}

const noGateway = () => new ServiceError('NOT_FOUND', 'This merchant has no gateway with this ID.');
