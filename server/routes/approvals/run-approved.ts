import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { Approval } from '#core/access/approvals';
import type { Principal } from '#core/access/identity';
import { type Actor, type ApprovalRequired, type IdempotencyKey, ServiceError, type StoredResponse } from '#core/kernel';
import { checkAccess, isReplayable } from '#server/hooks';
import {
  errorResponse,
  hasProtectedValue,
  inSdkNaming,
  type Route,
  responseBody,
  type Surface,
  statusOf,
  toServiceError,
} from '#server/http';

/** Half of the time that responses of idempotency keys are kept. */
const KEY_SURELY_KEPT_MS = 12 * 3_600_000;

/** A request whose operation needs the approval of a second person. */
interface RefusedCall {
  readonly core: Core;
  readonly declared: Route;
  readonly actor: Actor;
  readonly params: unknown;
  readonly query: unknown;
  /** The body without the fields of a confirmation. */
  readonly body: unknown;
  /** Reason of the requester; empty if the caller wants to be asked for one, null if there is none. */
  readonly givenReason: string | null;
}

/**
 * Stores a request until a second person decides, and returns the approval. @throws ServiceError PERMISSION_DENIED if the operation cannot
 * wait, or if its body contains card data or another secret, which is never stored; with `details.reason` `approval_reason_required` if the caller wants
 * to be asked for a reason.
 */
export async function storeForApproval(
  { core, declared, actor, givenReason, ...input }: RefusedCall,
  required: ApprovalRequired,
): Promise<Approval> {
  const { approvable, body: schema, id: operation, permission = '' } = declared;
  const { message, rule, details, subject } = required;
  if (schema !== undefined && hasProtectedValue(schema, input.body))
    throw new ServiceError(
      'PERMISSION_DENIED',
      subject.kind === 'tip'
        ? `${message} The request contains card data, which is not kept until then. Charge the payment without the tip, and set the tip afterwards.`
        : `${message} The request contains card data or another secret, which is not kept until then. Send a token or a stored customer.`,
      { details },
    );
  if (!approvable) throw new ServiceError('PERMISSION_DENIED', `${message} This operation cannot wait for it.`, { details });
  const { reason } = subject.details;
  const requestReason = givenReason || (typeof reason === 'string' && reason.trim()) || null;
  if (requestReason === null && givenReason !== null)
    throw new ServiceError('PERMISSION_DENIED', `${message} Send the reason of the request in \`Paydesk-Approval-Reason\`.`, {
      details: { ...details, reason: 'approval_reason_required', rule },
    });
  return core.approvals.request(actor, { operation, permission, requestReason, ...input }, required);
}

/** Returns the response of an operation that waits for an approval. */
export function approvalAnswer({ approvalId, expiresAt, status, reason }: Approval, surface: Surface) {
  const data = { approvalRequired: true, approvalId, expiresAt, status, reason };
  return { success: true, data: surface === 'sdk' ? inSdkNaming(data) : data };
}

/** Request that started a run. Approved operations do not use it. */
interface RunContext {
  readonly core: Core;
  readonly routes: readonly Route[];
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Runs an approved operation with the permissions of its requester, and stores the response. If the server was killed, a repeated call finds
 * the response of the first run or runs the operation; it takes effect once, because it uses up the approval in its own commit. A request that
 * its gateway did not receive has used up the approval too: the failure is its response.
 * @throws ServiceError a temporary failure before the approval was used up, after which the call can be repeated; GATEWAY_TIMEOUT if the outcome
 * is unconfirmed.
 */
export async function runApproved({ core, routes, request, reply }: RunContext, tenantId: string, approvalId: string): Promise<void> {
  const approved = await core.approvals.approvedRequest(tenantId, approvalId);
  if (approved === null) return;
  const { requesterId, operation, request: stored, given, usedForMs } = approved;
  const declared = routes.find(({ id }) => id === operation);
  if (declared === undefined) throw new ServiceError('INTERNAL_ERROR', `There is no operation ${operation}.`);
  const finish = (response: StoredResponse | null) => core.approvals.finish(tenantId, approvalId, response);
  const idempotencyKey = declared.keyClaimedBy === 'operation' ? (stored.idempotencyKey ?? ownKey(core, approvalId, operation)) : null;
  let actor: Actor | null = null;
  try {
    const principal = limitedTo(stored, await core.identity.principalOf(tenantId, requesterId));
    const { name, merchantId, permissions, spendingLimits } = principal;
    actor = {
      tenantId,
      credentialId: requesterId,
      name,
      merchantId,
      permissions,
      hasSpendingLimits: spendingLimits !== null,
      approval: given,
      requestId: stored.requestId,
      ip: stored.ip,
      userAgent: stored.userAgent,
      drawer: stored.drawer ?? null,
      idempotencyKey,
    };
    const known = await core.idempotencyKeys.find(actor);
    if (known.kind === 'done') return await finish(known.response);
    if (known.kind === 'running')
      throw new ServiceError('RESOURCE_CONFLICT', 'The approved operation is still running.', { details: { retryAfter: 1 } });
    if (usedForMs !== null) return await finish(isKeyReleased(actor, usedForMs) ? errorResponse(notSent(), declared) : null);
    await checkAccess(declared, principal, core);
    const { params, query, body } = stored;
    const result = await declared.run({ core, params, query, body, request, reply, actor, principal } as never);
    const response = { status: statusOf(declared, result), body: responseBody(declared, result) };
    if (declared.keyClaimedBy === 'server')
      await core.idempotencyKeys.storeResponse({ ...actor, idempotencyKey: stored.idempotencyKey ?? null }, response, { isSecret: true });
    await finish(response);
  } catch (thrown) {
    const error = toServiceError(thrown);
    // A parallel run of the same approval has the result.
    if (error.details?.reason === 'approval_used') return;
    const isTemporary = !isReplayable(error) && error.status !== 400;
    if (isTemporary && !(await hasNoEffect(core, actor, approvalId))) throw error;
    const response = errorResponse(error, declared);
    if (actor?.idempotencyKey && isReplayable(error)) await core.idempotencyKeys.storeResponse(actor, response);
    await finish(response);
  }
}

/** Returns true if a failed operation has used up the approval and released its idempotency key, which it does if nothing was done. */
async function hasNoEffect(core: Core, actor: Actor | null, approvalId: string): Promise<boolean> {
  if (actor === null) return false;
  const approved = await core.approvals.approvedRequest(actor.tenantId, approvalId);
  if (approved === null || approved.usedForMs === null) return false;
  return isKeyReleased(actor, approved.usedForMs) && (await core.idempotencyKeys.find(actor)).kind === 'new';
}

/**
 * Returns true if the absence of an idempotency key means that it was released: an operation claims it in the commit that uses up the
 * approval, and a stored response does not expire as early as this.
 */
function isKeyReleased({ idempotencyKey }: Actor, usedForMs: number): boolean {
  return idempotencyKey !== null && usedForMs < KEY_SURELY_KEPT_MS;
}

const notSent = () => new ServiceError('GATEWAY_UNAVAILABLE', 'The gateway did not receive the approved request. Nothing was done.');

/** Returns the requester's present principal without permissions that the requester did not have at the time of the request. */
function limitedTo(
  stored: { readonly permissions: readonly string[]; readonly merchantId: string | null },
  principal: Principal,
): Principal {
  const permissions = new Set([...principal.permissions].filter((permission) => stored.permissions.includes(permission)));
  return { ...principal, permissions, merchantId: principal.merchantId ?? stored.merchantId };
}

/** Returns the key of an operation whose request had none, so that a repeated run finds the result of the first. */
function ownKey({ idempotencyFingerprintKey }: Core, approvalId: string, route: string): IdempotencyKey {
  const digest = createHmac('sha256', idempotencyFingerprintKey).update(`approval\n${approvalId}`).digest('base64url');
  return { key: digest, credentialId: approvalId, route, fingerprint: digest };
}

/** Returns an approval as the API shows it, with the response of the operation for its requester. */
export async function showApproval(core: Core, actor: Actor, approval: Approval) {
  return {
    ...approval,
    result: await core.approvals.resultFor(actor, approval.approvalId),
    requestsOfDay: await core.approvals.requestsOfDay(actor, approval),
  };
}
