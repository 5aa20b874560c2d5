import { randomInt } from 'node:crypto';
import { lit, newestPage, type Page, type PageRequest, queriesOn, type Read, TENANT, UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError, type TenantTime } from '#core/kernel';
import { ACCOUNT_ONLY } from '#core/platform/change-feed';
import { EVERY_SECURITY_TYPE, EVERY_TYPE, isSecurityName } from '#shared/webhook-events';
import { lockEventStart } from './archive-start.ts';
import { secretPurpose } from './attempt.ts';
import { beginCatchUp, type CatchUpRequest, isCatchingUp, lastCatchUp, prepareCatchUp, stopIfRunning } from './catch-up.ts';
import type { Dependencies } from './dependencies.ts';
import { eventTypeOf } from './event-type.ts';
import type { Endpoint, EndpointWithSecret } from './records.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { ATTEMPTS, CATCH_UPS, DELIVERIES, ENDPOINTS, type EndpointRow, type EndpointStatus, SUBSCRIPTIONS } from './schema.ts';
import { newWebhookSecret } from './signature.ts';
import { subscribe } from './subscriptions.ts';

const queries = queriesOn(ENDPOINTS, DELIVERIES, ATTEMPTS);

const ENDPOINTS_MAX = 100;
const URL_MAX = 2_000;
const DESCRIPTION_MAX = 500;
const DAY_MS = 86_400_000;
/** After a rotation the previous secret signs as well, so that receivers have time to change theirs. */
const PREVIOUS_SECRET_LIFETIME_MS = DAY_MS;
const MARK_CHARACTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Statistics of an endpoint for the last 24 hours of the tenant's clock. */
export interface NewEndpoint {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string;
  readonly merchantId?: string;
  /** Earlier events that are sent first. */
  readonly catchUp?: CatchUpRequest;
}

export interface EndpointChange {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly status?: EndpointStatus;
  readonly description?: string | null;
}

/**
 * Creates an endpoint; its secret is returned only here. @throws ServiceError VALIDATION_ERROR on `url`, `events` or `description`; NOT_FOUND on
 * `fromEventId`.
 */
export async function createEndpoint(deps: Dependencies, actor: Actor, input: NewEndpoint): Promise<EndpointWithSecret> {
  const merchantId = input.merchantId === undefined ? actor.merchantId : (await deps.merchantFor(actor, input.merchantId)).merchantId;
  const now = deps.clockOf(actor.tenantId).now();
  const id = newId('whe', now);
  const secret = newWebhookSecret();
  const sealed = await deps.secrets.seal(actor.tenantId, secretPurpose(id), secret);
  const checked = {
    url: checkUrl(input.url),
    ...eventColumns(actor, input.events, merchantId),
    description: checkDescription(input.description),
  };
  // A mark is chosen later. An empty one matches no delivery, and a new endpoint has none.
  const described = { id, merchant_id: merchantId, events: checked.events, mark: '' };
  const catchUp = input.catchUp && (await prepareCatchUp(deps, actor, described, input.catchUp));
  const row = await retryUntilUnique(() =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      const made: EndpointRow = {
        tenant_id: actor.tenantId,
        id,
        merchant_id: merchantId,
        ...checked,
        status: 'active',
        mark: await chooseFreeMark(work),
        secret: sealed,
        previous_secret: null,
        previous_until_ms: null,
        secret_rotated_at: null,
        created_at: isoTime(now),
        updated_at: isoTime(now),
      };
      work.insert(ENDPOINTS, made);
      if (catchUp) await beginCatchUp(deps, work, actor, made, catchUp);
      else subscribe(work, made);
      await deps.warnAboutDestination(work, actor, `the webhook endpoints: ${made.url} now receives events`);
      deps.audit(work, { actor, action: 'webhook.created', resource: `webhooks/${id}`, merchantId, after: auditFields(made) });
      work.afterCommit(() => deps.changes.publish(actor.tenantId, 'webhooks', merchantId ?? ACCOUNT_ONLY));
      return made;
    }),
  );
  return { ...(await toEndpoint(deps, row)), secret };
}

export async function listEndpoints(
  deps: Dependencies,
  actor: Actor,
  { status }: { readonly status?: EndpointStatus },
  pageRequest: PageRequest,
): Promise<Page<Endpoint>> {
  const page = await newestPage(deps.database.read(actor.tenantId), ENDPOINTS, 'whe', { ...visibleTo(actor), status }, pageRequest);
  return { ...page, items: await Promise.all(page.items.map((row) => toEndpoint(deps, row))) };
}

export async function getEndpoint(deps: Dependencies, actor: Actor, id: string): Promise<Endpoint> {
  return toEndpoint(deps, await readEndpoint(deps.database.read(actor.tenantId), actor, id));
}

/** Changes the given fields. Nothing is queued for a disabled endpoint; when it is enabled, deliveries that were queued before are sent. */
export async function updateEndpoint(deps: Dependencies, actor: Actor, id: string, change: EndpointChange): Promise<Endpoint> {
  const set: Partial<EndpointRow> = {
    ...(change.url === undefined ? {} : { url: checkUrl(change.url) }),
    ...(change.description === undefined ? {} : { description: checkDescription(change.description ?? undefined) }),
    ...(change.status === undefined ? {} : { status: change.status }),
  };
  return changeEndpoint(deps, actor, id, 'webhook.updated', async (work, row, now) => {
    if (change.events !== undefined) Object.assign(set, eventColumns(actor, change.events, row.merchant_id));
    const next = { ...row, ...set };
    if (next.status === 'disabled') await stopIfRunning(deps, work, row);
    await work.delete(SUBSCRIPTIONS, { endpoint_id: id });
    if (next.status === 'active' && !(await isCatchingUp(work, id))) subscribe(work, next);
    if (next.status === 'active' && row.status === 'disabled') {
      await work.update(DELIVERIES, { endpoint_id: id, status: 'pending', due_ms: null }, { due_ms: now });
    }
    return set;
  });
}

/** Creates a new secret, returned only here. The previous one signs as well for 24 hours of the tenant's clock. */
export async function rotateSecret(deps: Dependencies, actor: Actor, id: string): Promise<EndpointWithSecret> {
  const secret = newWebhookSecret();
  const sealed = await deps.secrets.seal(actor.tenantId, secretPurpose(id), secret);
  const endpoint = await changeEndpoint(deps, actor, id, 'webhook.secret_rotated', async (_, row, now) => ({
    secret: sealed,
    previous_secret: row.secret,
    previous_until_ms: now + PREVIOUS_SECRET_LIFETIME_MS,
    secret_rotated_at: isoTime(now),
  }));
  return { ...endpoint, secret };
}

/** Deletes an endpoint with its deliveries. */
export async function deleteEndpoint(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const row = await readEndpoint(deps.database.read(actor.tenantId), actor, id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await work.lockOne(ENDPOINTS, { id });
    await lockEventStart(work);
    for (const table of [CATCH_UPS, SUBSCRIPTIONS, ATTEMPTS, DELIVERIES])
      await work.delete<{ endpoint_id: string }>(table as never, { endpoint_id: id });
    await work.delete(ENDPOINTS, { id });
    deps.audit(work, {
      actor,
      action: 'webhook.deleted',
      resource: `webhooks/${id}`,
      merchantId: row.merchant_id,
      before: auditFields(row),
    });
    work.afterCommit(() => deps.changes.publish(actor.tenantId, 'webhooks', row.merchant_id ?? ACCOUNT_ONLY));
  });
}

async function changeEndpoint(
  deps: Dependencies,
  actor: Actor,
  id: string,
  action: string,
  planChange: (work: Work, row: EndpointRow, now: TenantTime) => Promise<Partial<EndpointRow>>,
): Promise<Endpoint> {
  await readEndpoint(deps.database.read(actor.tenantId), actor, id);
  const row = await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const found = (await work.lockOne(ENDPOINTS, { id })) ?? endpointNotFound(id);
    const now = deps.clockOf(actor.tenantId).now();
    const set = { ...(await planChange(work, found, now)), updated_at: isoTime(now) };
    await work.update(ENDPOINTS, { id }, set);
    const next = { ...found, ...set };
    if (next.url !== found.url || next.events !== found.events || next.secret !== found.secret)
      await deps.warnAboutDestination(work, actor, `the webhook endpoint ${found.url}, which now sends events to ${next.url}`);
    deps.audit(work, {
      actor,
      action,
      resource: `webhooks/${id}`,
      merchantId: found.merchant_id,
      before: auditFields(found),
      after: auditFields({ ...found, ...set }),
    });
    work.afterCommit(() => {
      deps.scheduler.wake(DELIVER_JOB, actor.tenantId);
      deps.changes.publish(actor.tenantId, 'webhooks', found.merchant_id ?? ACCOUNT_ONLY);
    });
    return { ...found, ...set };
  });
  return toEndpoint(deps, row);
}

/** Returns the fields of an endpoint that the audit log keeps. */
function auditFields({ url, events, status, description, secret_rotated_at }: EndpointRow) {
  return { url, events: JSON.parse(events) as string[], status, description, rotatedAt: secret_rotated_at };
}

/** Returns the condition for the endpoints that a caller may see: those of its merchant; only owners see those with security events. */
function visibleTo(actor: Actor): { merchant_id?: string; security?: number } {
  return { ...(actor.merchantId === null ? {} : { merchant_id: actor.merchantId }), ...(maySeeActivity(actor) ? {} : { security: 0 }) };
}

const maySeeActivity = (actor: Actor): boolean => actor.permissions.has('owner:activity');

/**
 * Returns the checked events of an endpoint as columns.
 * @throws VALIDATION_ERROR on `events`; PERMISSION_DENIED if they include security events and the caller may not see them.
 */
function eventColumns(actor: Actor, names: readonly string[], merchantId: string | null): Pick<EndpointRow, 'events' | 'security'> {
  const events = checkEvents(names);
  const hasSecurity = events.some(isSecurityName);
  if (hasSecurity && !maySeeActivity(actor)) throw activityDenied();
  if (hasSecurity && merchantId !== null)
    throw new ServiceError(
      'VALIDATION_ERROR',
      'Security events concern the whole account. Register them at an endpoint without `merchantId`.',
      {
        field: 'events',
      },
    );
  return { events: JSON.stringify(events), security: hasSecurity ? 1 : 0 };
}

function activityDenied(): ServiceError {
  return new ServiceError('PERMISSION_DENIED', 'Only an owner can use webhook endpoints with security events.', {
    details: { permission: 'owner:activity' },
  });
}

/** @throws NOT_FOUND; MERCHANT_NOT_AUTHORIZED; PERMISSION_DENIED if the endpoint gets security events and the caller may not see them. */
export async function readEndpoint(read: Read, actor: Actor, id: string): Promise<EndpointRow> {
  const row = await read.one(ENDPOINTS, { id });
  if (!row) return endpointNotFound(id);
  if (actor.merchantId !== null && row.merchant_id !== actor.merchantId) {
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This webhook endpoint belongs to another merchant.', { details: { id } });
  }
  if (row.security === 1 && !maySeeActivity(actor)) throw activityDenied();
  return row;
}

function endpointNotFound(id: string): never {
  throw new ServiceError('NOT_FOUND', `There is no webhook endpoint ${id.slice(0, 60)}.`, { details: { id } });
}

/**
 * Returns an unused mark. There are as many marks as a tenant may have endpoints, so their uniqueness limits the number of endpoints under parallel
 * requests too.
 */
async function chooseFreeMark(work: Work): Promise<string> {
  const rows = await work.rows(queries.selectFrom('webhook_endpoints').select('mark').where('tenant_id', '=', TENANT));
  const taken = new Set(rows.map(({ mark }) => mark));
  const free = Array.from({ length: ENDPOINTS_MAX }, (_, index) => markOf(index)).filter((mark) => !taken.has(mark));
  const chosen = free[randomInt(Math.max(1, free.length))];
  if (chosen === undefined)
    throw new ServiceError('VALIDATION_ERROR', `You already have ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`);
  return chosen;
}

function markOf(index: number): string {
  return MARK_CHARACTERS.charAt(Math.floor(index / MARK_CHARACTERS.length)) + MARK_CHARACTERS.charAt(index % MARK_CHARACTERS.length);
}

/** Repeats the creation of an endpoint if another request took its mark in the meantime. */
async function retryUntilUnique<Result>(create: () => Promise<Result>): Promise<Result> {
  for (let attemptsLeft = ENDPOINTS_MAX; ; attemptsLeft -= 1) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || attemptsLeft === 0) throw error;
    }
  }
}

/** Returns a checked URL: HTTPS, without user name, password or fragment. Its addresses are checked at each connection. */
export function checkUrl(text: string): string {
  const bad = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: 'url' });
  if (text.length > URL_MAX) throw bad(`\`url\` must have at most ${URL_MAX} characters.`);
  if (!URL.canParse(text)) throw bad('`url` must be an address such as https://shop.example/webhooks.');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw bad('`url` must use HTTPS.');
  // An address that is pasted behind another beginning names a host of this kind.
  if (url.hostname === 'http' || url.hostname === 'https') throw bad('`url` begins twice.');
  if (url.username !== '' || url.password !== '') throw bad('`url` must not contain a user name or password.');
  if (url.hash !== '') throw bad('`url` must not have a fragment.');
  return url.href;
}

export function checkEvents(names: readonly string[]): string[] {
  const unique = [...new Set(names)];
  if (unique.length === 0)
    throw new ServiceError('VALIDATION_ERROR', '`events` must contain at least one event type.', { field: 'events' });
  for (const name of unique) if (name !== EVERY_TYPE && name !== EVERY_SECURITY_TYPE) eventTypeOf(name, 'events');
  return unique;
}

function checkDescription(text: string | undefined): string | null {
  if (text !== undefined && text.length > DESCRIPTION_MAX) {
    throw new ServiceError('VALIDATION_ERROR', `\`description\` must have at most ${DESCRIPTION_MAX} characters.`, {
      field: 'description',
    });
  }
  return text ?? null;
}

async function toEndpoint(deps: Dependencies, row: EndpointRow): Promise<Endpoint> {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    description: row.description,
    status: row.status,
    merchantId: row.merchant_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    secretRotatedAt: row.secret_rotated_at,
    catchUp: await lastCatchUp(deps.database.read(row.tenant_id), row.id),
    last24Hours: await figuresOf(deps.database.read(row.tenant_id), row.id, deps.clockOf(row.tenant_id).now() - DAY_MS),
  };
}

async function figuresOf(read: Read, endpoint: string, fromMs: number): Promise<Endpoint['last24Hours']> {
  const made = queries
    .selectFrom('webhook_attempts')
    .where('tenant_id', '=', TENANT)
    .where('endpoint_id', '=', endpoint)
    .where('attempted_ms', '>=', fromMs);
  const [attemptCounts, pendingCount] = await Promise.all([
    read.row(
      made.select(({ fn, eb }) => [
        fn.countAll<number>().as('n'),
        fn.sum<number | null>(eb.case().when('error_kind', 'is', null).then(lit(1)).else(lit(0)).end()).as('ok'),
      ]),
    ),
    read.row(
      queries
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('tenant_id', '=', TENANT)
        .where('endpoint_id', '=', endpoint)
        .where('status', '=', lit('pending')),
    ),
  ]);
  const attempts = Number(attemptCounts?.n ?? 0);
  const succeeded = Number(attemptCounts?.ok ?? 0);
  const pending = Number(pendingCount?.n ?? 0);
  if (attempts === 0) return { attempts, succeeded, successRate: null, p95Ms: null, pending };
  const offset = Math.ceil(attempts * 0.95) - 1;
  const slow = await read.row(made.select('duration_ms').orderBy('duration_ms').limit(1).offset(offset));
  return {
    attempts,
    succeeded,
    successRate: Math.round((succeeded / attempts) * 10_000) / 10_000,
    p95Ms: slow?.duration_ms ?? null,
    pending,
  };
}
