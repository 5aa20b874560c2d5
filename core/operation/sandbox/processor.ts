import { type Database, queriesOn, TENANT } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { ReaderInput, ReaderScreen } from '#core/processing/gateways';
import { READABLE_GATEWAYS } from '#core/processing/merchants';
import { type Dependencies, recordAudit, requireSandbox } from './dependencies.ts';
import type { SandboxGatewayMode } from './records.ts';

export async function getGatewayMode(deps: Dependencies, actor: Actor, gatewayId?: string): Promise<SandboxGatewayMode> {
  requireSandbox(deps, actor);
  await checkGateway(deps.database, actor, gatewayId);
  return { mode: await deps.gateway.modeOf(actor.tenantId, gatewayId) };
}

/** Simulates an outage of all gateways, or of one. */
export async function setGatewayMode(
  deps: Dependencies,
  actor: Actor,
  mode: SandboxGatewayMode['mode'],
  gatewayId?: string,
): Promise<SandboxGatewayMode> {
  requireSandbox(deps, actor);
  await checkGateway(deps.database, actor, gatewayId);
  const before = await deps.gateway.modeOf(actor.tenantId, gatewayId);
  await deps.gateway.setMode(actor.tenantId, mode, gatewayId);
  await recordAudit(
    deps,
    actor,
    'sandbox.gateway_set',
    `sandbox/gateway${gatewayId === undefined ? '' : `/${gatewayId}`}`,
    { mode: before },
    { mode },
  );
  await deps.checkConnectivity(actor.tenantId);
  return { mode };
}

/** Returns what a simulated card reader shows. */
export async function readerScreen(deps: Dependencies, actor: Actor, terminalId: string): Promise<ReaderScreen> {
  requireSandbox(deps, actor);
  return deps.gateway.readerScreen(actor.tenantId, await deps.terminals.deviceOf(actor, terminalId));
}

/** Runs the action of a person at a simulated card reader. The payment on it learns the result, unless the reader lost it. */
export async function presentToReader(deps: Dependencies, actor: Actor, terminalId: string, input: ReaderInput): Promise<ReaderScreen> {
  requireSandbox(deps, actor);
  const { tenantId } = actor;
  const screen = await deps.gateway.presentToReader(tenantId, await deps.terminals.deviceOf(actor, terminalId), input);
  await deps.terminals.recheck(tenantId, terminalId);
  const changed = screen.dialog?.operation === 'verification' ? deps.cardSaves : deps.payments;
  if (screen.dialog) await changed.terminalChanged(tenantId, screen.dialog.processorRef);
  return screen;
}

/** Checks that a gateway that a request names exists. @throws ServiceError VALIDATION_ERROR. */
async function checkGateway(database: Database, { tenantId }: Actor, gatewayId: string | undefined): Promise<void> {
  if (gatewayId === undefined) return;
  const query = queriesOn(READABLE_GATEWAYS)
    .selectFrom('gateways')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where('id', '=', gatewayId)
    .where('removed_at', 'is', null);
  if ((await database.read(tenantId).rows(query)).length === 0)
    throw new ServiceError('VALIDATION_ERROR', `No gateway with ID \`${gatewayId}\`.`, { field: 'gatewayId' });
}
