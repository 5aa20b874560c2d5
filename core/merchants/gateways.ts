import { type Page, type PageOf, pageOf, UniqueViolation } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { Needs } from './needs.ts';
import { GATEWAYS, type GatewayRow, type GatewayStatus, MERCHANTS } from './schema.ts';
import { sectionOf } from './settings.ts';

/** A gateway of a merchant (decisions 9); its credentials never leave. */
export interface Gateway {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly status: GatewayStatus;
  readonly priority: number;
  readonly hasCredentials: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface GatewayInput {
  readonly type: string;
  readonly name: string;
  readonly credentials?: Readonly<Record<string, unknown>>;
  readonly status?: GatewayStatus;
  readonly priority?: number;
}

const GATEWAYS_MAX = 20;

/** The gateways of a merchant, the most preferred first. */
export async function gatewaysOf(on: Needs, tenantId: string, merchantId: string): Promise<GatewayRow[]> {
  const rows = await on.rows.gateways(tenantId);
  return rows
    .filter((row) => row.merchant_id === merchantId)
    .sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
}

/** Whether a rule's `gateway` names this one: by id or by name (decisions 11). */
export const isNamed = (row: Pick<GatewayRow, 'id' | 'name'>, name: string) => row.id === name || row.name === name;

/** The row of the gateway that every merchant of a sandbox tenant begins with. */
export function sandboxGatewayRow(tenantId: string, merchantId: string, nowMs: number): GatewayRow {
  const at = isoTime(nowMs);
  return {
    tenant_id: tenantId,
    id: newId('gw', nowMs),
    merchant_id: merchantId,
    type: 'sandbox',
    name: 'sandbox',
    credentials: null,
    status: 'active',
    priority: 1,
    created_at: at,
    updated_at: at,
  };
}

export function createGatewaySettings(on: Needs) {
  const { database, audit } = on;

  async function rowOf(by: Actor, merchantId: string, id: string): Promise<GatewayRow> {
    await on.rowFor(by, merchantId);
    const row = await database.read(by.tenantId).one(GATEWAYS, { id, merchant_id: merchantId });
    if (!row) throw new ServiceError('NOT_FOUND', 'This merchant has no such gateway.');
    return row;
  }

  function checkType(by: Actor, type: string): void {
    const known = on.connectorsOf(on.environmentOf(by.tenantId));
    if (known.includes(type)) return;
    const words = known.length === 0 ? 'There is no connector for live accounts yet.' : `The type must be one of: ${known.join(', ')}.`;
    throw new ServiceError('VALIDATION_ERROR', words, { field: 'type', details: { types: known } });
  }

  const sealed = async (by: Actor, id: string, credentials: GatewayInput['credentials']) =>
    credentials === undefined ? null : on.secrets.seal(by.tenantId, `gateway/${id}`, JSON.stringify(credentials));

  const shown = ({ type, name, status, priority }: GatewayRow) => ({ type, name, status, priority });
  const resource = (row: GatewayRow) => `merchants/${row.merchant_id}/gateways/${row.id}`;

  async function unique<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw new ServiceError('RESOURCE_CONFLICT', `This merchant has a gateway named ${name} already.`, { field: 'name' });
    }
  }

  return {
    async page(by: Actor, merchantId: string, at: PageOf): Promise<Page<Gateway>> {
      await on.rowFor(by, merchantId);
      return pageOf((await gatewaysOf(on, by.tenantId, merchantId)).map(toGateway), at, ({ id }) => id);
    },
    async add(by: Actor, merchantId: string, input: GatewayInput): Promise<Gateway> {
      await on.rowFor(by, merchantId);
      checkType(by, input.type);
      const now = on.clockOf(by.tenantId).now();
      const id = newId('gw', now);
      const at = isoTime(now);
      const credentials = await sealed(by, id, input.credentials);
      const row = await unique(input.name, () =>
        database.unitOfWork.run(by.tenantId, async (work) => {
          await work.lockOne(MERCHANTS, { id: merchantId });
          const known = await work.find(GATEWAYS, { merchant_id: merchantId });
          if (known.length >= GATEWAYS_MAX)
            throw new ServiceError('RESOURCE_CONFLICT', `A merchant may have ${GATEWAYS_MAX} gateways.`, {
              details: { limit: GATEWAYS_MAX },
            });
          const made: GatewayRow = {
            tenant_id: by.tenantId,
            id,
            merchant_id: merchantId,
            type: input.type,
            name: input.name,
            credentials,
            status: input.status ?? 'active',
            priority: input.priority ?? Math.max(0, ...known.map((one) => one.priority)) + 1,
            created_at: at,
            updated_at: at,
          };
          await work.insert(GATEWAYS, made);
          audit(work, { by, action: 'gateway.added', resource: resource(made), merchantId, after: shown(made) });
          return made;
        }),
      );
      on.rows.changed(by.tenantId);
      return toGateway(row);
    },
    async update(by: Actor, merchantId: string, id: string, input: Partial<GatewayInput>): Promise<Gateway> {
      const before = await rowOf(by, merchantId, id);
      if (input.type !== undefined && input.type !== before.type)
        throw new ServiceError('VALIDATION_ERROR', 'The type of a gateway stays; add another gateway instead.', { field: 'type' });
      if (input.name !== undefined && input.name !== before.name) await refuseWhenNamed(by, before, 'renamed');
      const set: Partial<GatewayRow> = { updated_at: isoTime(on.clockOf(by.tenantId).now()) };
      if (input.name !== undefined) set.name = input.name;
      if (input.status !== undefined) set.status = input.status;
      if (input.priority !== undefined) set.priority = input.priority;
      if (input.credentials !== undefined) set.credentials = await sealed(by, id, input.credentials);
      const after = { ...before, ...set };
      await unique(after.name, () =>
        database.unitOfWork.run(by.tenantId, async (work) => {
          await work.update(GATEWAYS, { id }, set);
          const changed = input.credentials === undefined ? {} : { login: 'changed' };
          audit(work, {
            by,
            action: 'gateway.updated',
            resource: resource(before),
            merchantId,
            before: shown(before),
            after: { ...shown(after), ...changed },
          });
        }),
      );
      on.rows.changed(by.tenantId);
      return toGateway(after);
    },
    /** Removes a gateway that no rule names (RESOURCE_CONFLICT). Payments that it took stay, and are given back through its connector. */
    async remove(by: Actor, merchantId: string, id: string): Promise<void> {
      const row = await rowOf(by, merchantId, id);
      await refuseWhenNamed(by, row, 'removed');
      await database.unitOfWork.run(by.tenantId, async (work) => {
        await work.delete(GATEWAYS, { id });
        audit(work, { by, action: 'gateway.removed', resource: resource(row), merchantId, before: shown(row) });
      });
      on.rows.changed(by.tenantId);
    },
  };

  async function refuseWhenNamed(by: Actor, row: GatewayRow, what: string): Promise<void> {
    const { rules } = sectionOf(await on.rowFor(by, row.merchant_id), 'gateway-routing');
    const index = rules.findIndex((rule) => isNamed(row, 'default' in rule ? rule.default : rule.gateway));
    if (index < 0) return;
    throw new ServiceError('RESOURCE_CONFLICT', `Rule ${index + 1} of the routing names this gateway; it cannot be ${what}.`, {
      details: { reason: 'in_use', rule: index },
    });
  }
}

function toGateway(row: GatewayRow): Gateway {
  const { id, type, name, status, priority, credentials, created_at, updated_at } = row;
  return { id, type, name, status, priority, hasCredentials: credentials !== null, createdAt: created_at, updatedAt: updated_at };
}
