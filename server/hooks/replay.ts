import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '#core';
import type { Principal } from '#core/access/identity';
import { type Actor, ServiceError } from '#core/kernel';
import type { ObservedRequest, ReplayedRequest, ReplayedResponse } from '#core/operation/sandbox';
import { check, errorResponse, isShown, NOT_FREE_TEXT, type Route, responseBody, statusOf, toServiceError, urlOf } from '#server/http';
import { checkAccess } from './access.ts';
import { isReplayable, readIdempotencyKey } from './idempotency.ts';

/** Field names whose values a recording stores by name. Bodies with any other protected field are not recorded. */
const NAMED_FIELDS = /^(cardNumber|CardNumber|number|cvv|CVV|Cvv|accountNumber|AccountNumber)$/;
/**
 * Operations about recordings themselves, and the history of events: a recording has the events of each step, and a program that waits for them (`paydesk listen`)
 * names events from before the recording.
 */
const NOT_RECORDED = /^\/(sandbox\/(recordings|replays)|webhooks\/events)/;

/**
 * Returns true if a recording contains requests of the route: all JSON operations of the Public and SDK surfaces except reads
 * of events, and the changes of the Admin surface. Screens read much, which says nothing about an integration.
 */
export function isRecorded(declared: Route): boolean {
  const { surface, method, path, upload, contentType } = declared;
  if (surface === 'open' || !isShown(declared) || upload !== undefined || contentType !== undefined || NOT_RECORDED.test(path))
    return false;
  return surface !== 'admin' || method !== 'GET';
}

/** Notes the time of a request if a recording of its tenant runs. */
export async function beginRecording({ identity, sandbox }: Core, request: FastifyRequest): Promise<void> {
  const { tenantId } = request.principal ?? {};
  if (tenantId !== undefined && (await sandbox.recordings.isRecording(tenantId)))
    request.recordedAtMs = await identity.tenants.timeOf(tenantId);
}

/** Records a request with its response, if `beginRecording` noted its time. */
export async function recordResponse(
  { sandbox }: Core,
  route: Route,
  request: FastifyRequest,
  status: number,
  text: unknown,
): Promise<void> {
  const { principal, recordedAtMs } = request;
  if (principal === null || recordedAtMs === null || typeof text !== 'string') return;
  const key = request.headers['idempotency-key'];
  const observed: ObservedRequest = {
    atMs: recordedAtMs,
    operation: route.id,
    request: `${route.method} ${urlOf(route)}`,
    merchantId: principal.merchantId,
    params: request.params,
    query: request.query,
    body: request.body ?? null,
    idempotencyKey: typeof key === 'string' ? key : null,
    status,
    answer: JSON.parse(text),
    isOmitted: hasSecret(route.body),
  };
  await sandbox.recordings.record(principal.tenantId, observed);
}

/** Returns true if a body has a protected field that is no card or account data, such as a password. */
function hasSecret(schema: unknown, field = ''): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ((schema as Record<string, unknown>)[NOT_FREE_TEXT] === 'protected') return !NAMED_FIELDS.test(field);
  return Object.entries(schema).some(([name, part]) =>
    name === 'properties' ? Object.entries(part as object).some(([inner, value]) => hasSecret(value, inner)) : hasSecret(part, field),
  );
}

/** The request that started a replay, with its caller, whose permissions apply to each step. */
interface ReplayCall {
  readonly core: Core;
  readonly routes: readonly Route[];
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly actor: Actor;
  readonly principal: Principal;
}

/**
 * Runs a step of a replay like a request of its caller: with the validation, the permission and the idempotency of its route. Rate limits do not apply
 * to single steps.
 */
export async function runReplayed(call: ReplayCall, replayed: ReplayedRequest): Promise<ReplayedResponse> {
  const { core, routes, request, reply, principal } = call;
  const { operation, merchantId, params, query, body, idempotencyKey: key } = replayed;
  const declared = routes.find(({ id }) => id === operation);
  if (declared === undefined || !isRecorded(declared) || hasSecret(declared.body))
    throw new ServiceError('VALIDATION_ERROR', `A recording cannot contain the operation \`${operation.slice(0, 100)}\`.`, {
      field: 'file',
    });
  const headers = key === null ? {} : { 'idempotency-key': key };
  const asSent = { method: declared.method, url: `${urlOf(declared)} ${JSON.stringify([params, query])}`, headers, body };
  let actor: Actor = { ...call.actor, merchantId, idempotencyKey: null };
  try {
    await checkAccess(declared, principal, core);
    if (declared.query) check(declared.query, query);
    if (declared.body) check(declared.body, body);
    if (declared.keyClaimedBy) {
      const { credentialId } = principal;
      const idempotencyKey = readIdempotencyKey(
        asSent as unknown as FastifyRequest,
        declared,
        credentialId,
        core.idempotencyFingerprintKey,
      );
      actor = { ...actor, idempotencyKey };
      const stored = await core.idempotencyKeys.find(actor);
      if (stored.kind === 'other-request')
        throw new ServiceError('RESOURCE_CONFLICT', 'This Idempotency-Key was used for another request.', { field: 'Idempotency-Key' });
      if (stored.kind === 'done') return answerOf(stored.response.status, stored.response.body);
    }
    const run = async (caller: Actor) => {
      const result = await declared.run({ core, params, query, body, request, reply, actor: caller, principal } as never);
      return { status: statusOf(declared, result), body: responseBody(declared, result) };
    };
    const response = declared.keyClaimedBy === 'server' ? await core.idempotencyKeys.runOnce(actor, run) : await run(actor);
    return answerOf(response.status, response.body);
  } catch (thrown) {
    const error = toServiceError(thrown);
    const response = errorResponse(error, declared);
    if (actor.idempotencyKey && isReplayable(error)) await core.idempotencyKeys.storeResponse(actor, response);
    return answerOf(response.status, response.body);
  }
}

const answerOf = (status: number, text: string): ReplayedResponse => ({ status, answer: JSON.parse(text) as unknown });
