import { UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError } from '#core/kernel';
import type { TerminalConnector, TerminalDevice } from '#core/processing/gateways';
import { checkOpen, type Gateway } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import { TERMINALS, type TerminalRow } from './schema.ts';
import { terminalBusy } from './terminal.ts';

export type Connection = TerminalRow['connection'];

export interface TerminalInput {
  /** Code that the reader shows; for a reader in the local network its ID. */
  readonly code: string;
  /** Address of a reader in the local network. */
  readonly address?: string;
  readonly name: string;
  readonly workstation?: string | null;
  readonly asksTip?: boolean;
  readonly merchantId?: string;
  /** Gateway whose account the reader belongs to; by default the merchant's first one that supports readers. */
  readonly gatewayId?: string;
}

/** Changes of a reader; absent fields stay. A new address must belong to the same reader. */
export type TerminalChange = Partial<Pick<TerminalInput, 'name' | 'workstation' | 'asksTip' | 'address'>>;

/** A merchant has at most this number of gateways. */
const GATEWAYS_MAX = 100;

const auditFields = ({ name, model, serial_number, address, workstation, asks_tip, gateway }: TerminalRow) => ({
  name,
  model,
  serialNumber: serial_number,
  address,
  workstation,
  asksTip: asks_tip === 1,
  gateway,
});

function nameFrom(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '') return trimmed;
  throw new ServiceError('REQUIRED_FIELD_MISSING', '`name` is required.', { field: 'name' });
}

/** @throws ServiceError VALIDATION_ERROR if the readers of the processor cannot ask for a tip. */
function tipColumn(readers: TerminalConnector | undefined, asksTip: boolean | undefined): number | null {
  if (!asksTip) return null;
  if (readers?.features?.has('tip')) return 1;
  throw new ServiceError('VALIDATION_ERROR', 'This card reader cannot ask for a tip.', { field: 'asksTip' });
}

async function connectorOf(deps: Dependencies, { tenant_id, gateway_id }: Pick<TerminalRow, 'tenant_id' | 'gateway_id'>) {
  return (await deps.gateways.connectorFor(tenant_id, gateway_id)).terminals;
}

/** Returns the gateway of a new reader with its readers. @throws ServiceError VALIDATION_ERROR if the gateway supports none. */
async function gatewayFor(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  gatewayId: string | undefined,
): Promise<{ readonly gateway: Gateway; readonly readers: TerminalConnector }> {
  const page = { page: 1, limit: GATEWAYS_MAX };
  const gateways = (await deps.merchants.gateways.page(actor, merchantId, { status: 'active' }, page)).items;
  const wanted = gatewayId === undefined ? gateways : gateways.filter(({ id }) => id === gatewayId);
  if (gatewayId !== undefined && wanted.length === 0)
    throw new ServiceError('VALIDATION_ERROR', `No active gateway with ID \`${gatewayId.slice(0, 60)}\`.`, { field: 'gatewayId' });
  for (const gateway of wanted) {
    const readers = await connectorOf(deps, { tenant_id: actor.tenantId, gateway_id: gateway.id });
    if (readers) return { gateway, readers };
  }
  const message = 'No gateway of this merchant has card readers that Paydesk supports.';
  throw new ServiceError('VALIDATION_ERROR', message, { field: 'gatewayId', details: { reason: 'no_terminals' } });
}

/**
 * Registers the reader that shows a code at its processor and stores it. @throws ServiceError VALIDATION_ERROR if the processor refuses the code;
 * GATEWAY_UNAVAILABLE if it does not answer; RESOURCE_CONFLICT if the reader is paired already.
 */
export async function pairTerminal(deps: Dependencies, actor: Actor, input: TerminalInput): Promise<TerminalRow> {
  const merchant = checkOpen(await deps.merchants.merchantFor(actor, input.merchantId));
  const name = nameFrom(input.name);
  const { gateway, readers } = await gatewayFor(deps, actor, merchant.merchantId, input.gatewayId);
  const { code, address } = input;
  const { deviceId, model, serialNumber, ...device } = await register(readers, actor.tenantId, gateway.id, { code, name, address });
  const now = deps.clockOf(actor.tenantId).now();
  const at = isoTime(now);
  const row: TerminalRow = {
    tenant_id: actor.tenantId,
    id: newId('trm', now),
    merchant_id: merchant.merchantId,
    gateway_id: gateway.id,
    gateway: gateway.name,
    device_id: deviceId,
    address: device.address,
    name,
    model,
    serial_number: serialNumber,
    workstation: input.workstation?.trim() || null,
    asks_tip: tipColumn(readers, input.asksTip),
    connection: 'online',
    connection_at: at,
    created_by: actor.name,
    created_at: at,
    updated_at: at,
    removed_at: null,
  };
  try {
    await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      work.insert(TERMINALS, row);
      auditTerminal(deps, work, actor, row, 'terminal.paired', null, auditFields(row));
      emit(deps, work, row, 'terminal.paired');
    });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new ServiceError('RESOURCE_CONFLICT', 'This card reader is paired already.', { details: { reason: 'already_paired' } });
  }
  return row;
}

/** Registers a reader, or checks its new address. @throws ServiceError VALIDATION_ERROR, GATEWAY_UNAVAILABLE. */
async function register(
  readers: TerminalConnector,
  tenantId: string,
  gatewayId: string | null,
  { code, name, address }: { readonly code: string; readonly name: string; readonly address: string | undefined },
): Promise<TerminalDevice> {
  if (!readers.isLocal && address !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'The processor reaches this card reader. Leave `address` out.', { field: 'address' });
  const registration = await readers.register({ tenantId, gatewayId, code, name, address: address ?? null });
  if (registration.kind === 'unreachable')
    throw new ServiceError('GATEWAY_UNAVAILABLE', `The reader could not be paired: ${registration.reason} Try again shortly.`);
  if (registration.kind === 'refused') throw new ServiceError('VALIDATION_ERROR', registration.reason, { field: registration.field });
  return registration.device;
}

function auditTerminal(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  row: TerminalRow,
  action: string,
  before: ReturnType<typeof auditFields> | null,
  after: ReturnType<typeof auditFields> | null,
): void {
  deps.audit(work, { actor, action, resource: `terminals/${row.id}`, merchantId: row.merchant_id, before, after });
  work.afterCommit(() => deps.changed(row.tenant_id, 'terminals', row.merchant_id));
}

function emit(
  deps: Dependencies,
  work: Work,
  row: TerminalRow,
  type: 'terminal.paired' | 'terminal.removed' | 'terminal.connection_changed',
) {
  const { tenant_id: tenantId, merchant_id: merchantId, id, name, model, workstation, connection } = row;
  deps.emit(work, {
    tenantId,
    merchantId,
    resourceId: id,
    atMs: deps.clockOf(tenantId).now(),
    type,
    data: { terminalId: id, name, model, workstation, connection },
  });
}

/** Changes a reader. Its display keeps the name of its pairing. A new address must belong to the same reader. */
export async function updateTerminal(
  deps: Dependencies,
  actor: Actor,
  before: TerminalRow,
  { name, workstation, asksTip, address }: TerminalChange,
): Promise<TerminalRow> {
  const set = {
    ...(address === undefined ? {} : { address: await checkedAddress(deps, before, address) }),
    ...(name === undefined ? {} : { name: nameFrom(name) }),
    ...(workstation === undefined ? {} : { workstation: workstation?.trim() || null }),
    ...(asksTip === undefined ? {} : { asks_tip: tipColumn(await connectorOf(deps, before), asksTip) }),
    updated_at: isoTime(deps.clockOf(actor.tenantId).now()),
  };
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.update(TERMINALS, { id: before.id }, set);
    auditTerminal(deps, work, actor, before, 'terminal.updated', auditFields(before), auditFields({ ...before, ...set }));
  });
  return { ...before, ...set };
}

async function checkedAddress(deps: Dependencies, row: TerminalRow, address: string): Promise<string | null> {
  const readers = await connectorOf(deps, row);
  if (!readers) throw new ServiceError('GATEWAY_UNAVAILABLE', 'The gateway of this card reader is not set up.');
  return (await register(readers, row.tenant_id, row.gateway_id, { code: row.device_id, name: row.name, address })).address;
}

const requestOf = ({ tenant_id: tenantId, gateway_id: gatewayId, device_id: deviceId, address }: TerminalRow) => ({
  tenantId,
  gatewayId,
  deviceId,
  address,
});

export async function checkTerminal(deps: Dependencies, row: TerminalRow): Promise<TerminalRow> {
  const connection = await (await connectorOf(deps, row))?.connectionOf(requestOf(row));
  return connection ? connectionSeen(deps, row, connection) : row;
}

/** Records the connection of a reader, and emits its change. */
export async function connectionSeen(deps: Dependencies, row: TerminalRow, connection: Connection): Promise<TerminalRow> {
  if (row.connection === connection || row.removed_at !== null) return row;
  const set = { connection, connection_at: isoTime(deps.clockOf(row.tenant_id).now()) };
  const next = { ...row, ...set };
  await deps.database.unitOfWork.transaction(row.tenant_id, async (work) => {
    if ((await work.update(TERMINALS, { id: row.id, connection: row.connection }, set)) === 0) return;
    emit(deps, work, next, 'terminal.connection_changed');
    work.afterCommit(() => deps.changed(row.tenant_id, 'terminals', row.merchant_id));
  });
  return next;
}

/** Removes a reader here and at its processor. If the processor does not answer, the reader is removed here only. */
export async function removeTerminal(deps: Dependencies, actor: Actor, row: TerminalRow): Promise<void> {
  const at = isoTime(deps.clockOf(actor.tenantId).now());
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const locked = await work.lockOne(TERMINALS, { id: row.id });
    if (!locked || locked.removed_at !== null) return;
    const [use] = await deps.usesOf(work, [row.id]);
    if (use) throw terminalBusy(row, use);
    await work.update(TERMINALS, { id: row.id }, { removed_at: at, updated_at: at });
    auditTerminal(deps, work, actor, row, 'terminal.removed', auditFields(row), null);
    emit(deps, work, row, 'terminal.removed');
  });
  await (await connectorOf(deps, row))?.remove(requestOf(row));
}
