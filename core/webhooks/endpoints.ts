import { randomInt } from 'node:crypto';
import { lit, newestPage, type PageRequest, queriesOn, type Read, TENANT, UniqueViolation, type Work } from '#core/database';
import { type Actor, isoTime, newId, ServiceError, type TenantTime } from '#core/kernel';
import { ALIASES, EVERY_SECURITY_TYPE, EVERY_TYPE, isSecurityName } from '#shared/webhook-events';
import { secretPurpose } from './attempt.ts';
import type { Dependencies } from './dependencies.ts';
import { eventTypeOf } from './event-type.ts';
import { DELIVER_JOB } from './retry-schedule.ts';
import { ATTEMPTS, DELIVERIES, ENDPOINTS, type EndpointRow, type EndpointStatus, SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';
import { newWebhookSecret } from './signature.ts';

const queries = queriesOn(ENDPOINTS, DELIVERIES, ATTEMPTS);

const ENDPOINTS_MAX = 100;
const URL_MAX = 2_000;
const DESCRIPTION_MAX = 500;
const DAY_MS = 86_400_000;
/** After a rotation the secret before signs too, so that a receiver can be changed over. */
const OVERLAP_MS = DAY_MS;
const MARKS = '0123456789abcdefghjkmnpqrstvwxyz';

/** An endpoint's figures of the last 24 hours of the tenant's clock. */
export interface EndpointFigures {
  readonly attempts: number;
  readonly succeeded: number;
  /** 0 to 1; null without an attempt. */
  readonly successRate: number | null;
  /** Milliseconds within which 95 of 100 attempts were answered. */
  readonly p95Ms: number | null;
  /** Deliveries still to be made. */
  readonly pending: number;
}

/** A webhook endpoint (specification 2.7). */
export interface Endpoint {
  readonly endpointId: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: EndpointStatus;
  readonly merchantId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly secretRotatedAt: string | null;
  readonly last24Hours: EndpointFigures;
}

export interface NewEndpoint {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string;
  readonly merchantId?: string;
}

export interface EndpointChange {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly status?: EndpointStatus;
  readonly description?: string | null;
}

/**
 * Creates an endpoint; its secret is returned only this once. @throws ServiceError VALIDATION_ERROR on `url`, `events` or `description`.
 */
export async function createEndpoint(
  deps: Dependencies,
  actor: Actor,
  input: NewEndpoint,
): Promise<Endpoint & { readonly secret: string }> {
  const merchantId = input.merchantId === undefined ? actor.merchantId : (await deps.merchantFor(actor, input.merchantId)).merchantId;
  const now = deps.clockOf(actor.tenantId).now();
  const id = newId('whe', now);
  const secret = newWebhookSecret();
  const sealed = await deps.secrets.seal(actor.tenantId, secretPurpose(id), secret);
  const checked = {
    url: checkUrl(input.url),
    ...registered(actor, input.events, merchantId),
    description: checkDescription(input.description),
  };
  const row = await onceMore(() =>
    deps.database.unitOfWork.run(actor.tenantId, async (work) => {
      const made: EndpointRow = {
        tenant_id: actor.tenantId,
        id,
        merchant_id: merchantId,
        ...checked,
        status: 'active',
        mark: await freeMark(work),
        secret: sealed,
        previous_secret: null,
        previous_until_ms: null,
        secret_rotated_at: null,
        created_at: isoTime(now),
        updated_at: isoTime(now),
      };
      work.insert(ENDPOINTS, made);
      await subscribe(work, made);
      deps.audit(work, { actor, action: 'webhook.created', resource: `webhooks/${id}`, merchantId, after: shown(made) });
      work.afterCommit(() => deps.changes.tell(actor.tenantId, 'webhooks'));
      return made;
    }),
  );
  return { ...(await toEndpoint(deps, row)), secret };
}

export async function listEndpoints(deps: Dependencies, actor: Actor, { status }: { readonly status?: EndpointStatus }, at: PageRequest) {
  const page = await newestPage(deps.database.read(actor.tenantId), ENDPOINTS, 'whe', { ...scopeOf(actor), status }, at);
  return { ...page, items: await Promise.all(page.items.map((row) => toEndpoint(deps, row))) };
}

export async function getEndpoint(deps: Dependencies, actor: Actor, id: string): Promise<Endpoint> {
  return toEndpoint(deps, await readEndpoint(deps.database.read(actor.tenantId), actor, id));
}

/** Changes the given fields. Nothing is queued for a disabled endpoint; after it is enabled, deliveries queued before are sent. */
export async function updateEndpoint(deps: Dependencies, actor: Actor, id: string, change: EndpointChange): Promise<Endpoint> {
  const set: Partial<EndpointRow> = {
    ...(change.url === undefined ? {} : { url: checkUrl(change.url) }),
    ...(change.description === undefined ? {} : { description: checkDescription(change.description ?? undefined) }),
    ...(change.status === undefined ? {} : { status: change.status }),
  };
  return alter(deps, actor, id, 'webhook.updated', async (work, row, now) => {
    if (change.events !== undefined) Object.assign(set, registered(actor, change.events, row.merchant_id));
    const next = { ...row, ...set };
    await work.delete(SUBSCRIPTIONS, { endpoint_id: id });
    if (next.status === 'active') await subscribe(work, next);
    if (next.status === 'active' && row.status === 'disabled') {
      await work.update(DELIVERIES, { endpoint_id: id, status: 'pending', due_ms: null }, { due_ms: now });
    }
    return set;
  });
}

/** Creates a new secret, returned only this once. The former one signs as well for 24 hours of the tenant's clock. */
export async function rotateSecret(deps: Dependencies, actor: Actor, id: string): Promise<Endpoint & { readonly secret: string }> {
  const secret = newWebhookSecret();
  const sealed = await deps.secrets.seal(actor.tenantId, secretPurpose(id), secret);
  const endpoint = await alter(deps, actor, id, 'webhook.secret_rotated', async (_, row, now) => ({
    secret: sealed,
    previous_secret: row.secret,
    previous_until_ms: now + OVERLAP_MS,
    secret_rotated_at: isoTime(now),
  }));
  return { ...endpoint, secret };
}

/** Removes an endpoint with its deliveries. */
export async function deleteEndpoint(deps: Dependencies, actor: Actor, id: string): Promise<void> {
  const row = await readEndpoint(deps.database.read(actor.tenantId), actor, id);
  await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    for (const table of [SUBSCRIPTIONS, ATTEMPTS, DELIVERIES])
      await work.delete<{ endpoint_id: string }>(table as never, { endpoint_id: id });
    await work.delete(ENDPOINTS, { id });
    deps.audit(work, { actor, action: 'webhook.deleted', resource: `webhooks/${id}`, merchantId: row.merchant_id, before: shown(row) });
    work.afterCommit(() => deps.changes.tell(actor.tenantId, 'webhooks'));
  });
}

async function alter(
  deps: Dependencies,
  actor: Actor,
  id: string,
  action: string,
  plan: (work: Work, row: EndpointRow, now: TenantTime) => Promise<Partial<EndpointRow>>,
): Promise<Endpoint> {
  await readEndpoint(deps.database.read(actor.tenantId), actor, id);
  const row = await deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    const found = (await work.lockOne(ENDPOINTS, { id })) ?? missing(id);
    const now = deps.clockOf(actor.tenantId).now();
    const set = { ...(await plan(work, found, now)), updated_at: isoTime(now) };
    await work.update(ENDPOINTS, { id }, set);
    deps.audit(work, {
      actor,
      action,
      resource: `webhooks/${id}`,
      merchantId: found.merchant_id,
      before: shown(found),
      after: shown({ ...found, ...set }),
    });
    work.afterCommit(() => {
      deps.scheduler.wake(DELIVER_JOB);
      deps.changes.tell(actor.tenantId, 'webhooks');
    });
    return { ...found, ...set };
  });
  return toEndpoint(deps, row);
}

/** Returns the fields of an endpoint that the audit log keeps. */
function shown({ url, events, status, description, secret_rotated_at }: EndpointRow) {
  return { url, events: JSON.parse(events) as string[], status, description, rotatedAt: secret_rotated_at };
}

/** Returns the condition for a caller's endpoints: those of its merchant; only owners see those with security activity. */
function scopeOf(actor: Actor): { merchant_id?: string; security?: number } {
  return { ...(actor.merchantId === null ? {} : { merchant_id: actor.merchantId }), ...(maySeeActivity(actor) ? {} : { security: 0 }) };
}

const maySeeActivity = (actor: Actor): boolean => actor.permissions.has('owner:activity');

/**
 * Returns the checked events of an endpoint as columns.
 * @throws VALIDATION_ERROR on `events`; PERMISSION_DENIED if they include security activity and the caller may not see it.
 */
function registered(actor: Actor, names: readonly string[], merchantId: string | null): Pick<EndpointRow, 'events' | 'security'> {
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

/** @throws NOT_FOUND; MERCHANT_NOT_AUTHORIZED; PERMISSION_DENIED if the endpoint gets security activity and the caller may not see it. */
export async function readEndpoint(read: Read, actor: Actor, id: string): Promise<EndpointRow> {
  const row = await read.one(ENDPOINTS, { id });
  if (!row) return missing(id);
  if (actor.merchantId !== null && row.merchant_id !== actor.merchantId) {
    throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This webhook endpoint belongs to another merchant.', { details: { id } });
  }
  if (row.security === 1 && !maySeeActivity(actor)) throw activityDenied();
  return row;
}

function missing(id: string): never {
  throw new ServiceError('NOT_FOUND', `There is no webhook endpoint ${id.slice(0, 60)}.`, { details: { id } });
}

async function subscribe(work: Work, endpoint: EndpointRow): Promise<void> {
  for (const [type, asType] of subscribedTypes(JSON.parse(endpoint.events) as string[])) {
    const { tenant_id, id, merchant_id, mark } = endpoint;
    const row: SubscriptionRow = { tenant_id, type, endpoint_id: id, as_type: asType, merchant_id, mark };
    work.insert(SUBSCRIPTIONS, row);
  }
}

/** The types that registered names stand for, each once, with the name to deliver it under where that differs. */
export function subscribedTypes(names: readonly string[]): Map<string, string | null> {
  const types = new Map<string, string | null>();
  for (const every of [EVERY_TYPE, EVERY_SECURITY_TYPE]) if (names.includes(every)) types.set(every, null);
  for (const name of names) {
    if (types.has(isSecurityName(name) ? EVERY_SECURITY_TYPE : EVERY_TYPE)) continue;
    const type = ALIASES[name];
    if (type === undefined) types.set(name, null);
    else if (!names.includes(type)) types.set(type, name);
  }
  return types;
}

/**
 * Returns a free suffix of as many as there may be endpoints. Their uniqueness also limits the number of endpoints under parallel requests.
 */
async function freeMark(work: Work): Promise<string> {
  const rows = await work.rows(queries.selectFrom('webhook_endpoints').select('mark').where('tenant_id', '=', TENANT));
  const taken = new Set(rows.map(({ mark }) => mark));
  const free = Array.from({ length: ENDPOINTS_MAX }, (_, index) => markOf(index)).filter((mark) => !taken.has(mark));
  const chosen = free[randomInt(Math.max(1, free.length))];
  if (chosen === undefined)
    throw new ServiceError('VALIDATION_ERROR', `There are ${ENDPOINTS_MAX} webhook endpoints already; delete one first.`);
  return chosen;
}

function markOf(index: number): string {
  return MARKS.charAt(Math.floor(index / MARKS.length)) + MARKS.charAt(index % MARKS.length);
}

/** Repeats the creation of an endpoint if another one took its suffix in the meantime. */
async function onceMore<Result>(make: () => Promise<Result>): Promise<Result> {
  for (let left = ENDPOINTS_MAX; ; left -= 1) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || left === 0) throw error;
    }
  }
}

/** HTTPS, without user, password or fragment (specification 6.1); what it leads to is checked at each connection. */
export function checkUrl(text: string): string {
  const bad = (message: string) => new ServiceError('VALIDATION_ERROR', message, { field: 'url' });
  if (text.length > URL_MAX) throw bad(`url may have at most ${URL_MAX} characters.`);
  if (!URL.canParse(text)) throw bad('url must be an address such as https://shop.example/webhooks.');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw bad('url must use HTTPS.');
  if (url.username !== '' || url.password !== '') throw bad('url must not hold a user name or password.');
  if (url.hash !== '') throw bad('url must not have a fragment.');
  return url.href;
}

export function checkEvents(names: readonly string[]): string[] {
  const unique = [...new Set(names)];
  if (unique.length === 0) throw new ServiceError('VALIDATION_ERROR', 'events must name at least one event type.', { field: 'events' });
  for (const name of unique) if (name !== EVERY_TYPE && name !== EVERY_SECURITY_TYPE) eventTypeOf(name, 'events');
  return unique;
}

function checkDescription(text: string | undefined): string | null {
  if (text !== undefined && text.length > DESCRIPTION_MAX) {
    throw new ServiceError('VALIDATION_ERROR', `description may have at most ${DESCRIPTION_MAX} characters.`, { field: 'description' });
  }
  return text ?? null;
}

async function toEndpoint(deps: Dependencies, row: EndpointRow): Promise<Endpoint> {
  return {
    endpointId: row.id,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    description: row.description,
    status: row.status,
    merchantId: row.merchant_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    secretRotatedAt: row.secret_rotated_at,
    last24Hours: await figuresOf(deps.database.read(row.tenant_id), row.id, deps.clockOf(row.tenant_id).now() - DAY_MS),
  };
}

async function figuresOf(read: Read, endpoint: string, fromMs: number): Promise<EndpointFigures> {
  const made = queries
    .selectFrom('webhook_attempts')
    .where('tenant_id', '=', TENANT)
    .where('endpoint_id', '=', endpoint)
    .where('attempted_ms', '>=', fromMs);
  const [counted, waiting] = await Promise.all([
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
  const attempts = Number(counted?.n ?? 0);
  const succeeded = Number(counted?.ok ?? 0);
  const pending = Number(waiting?.n ?? 0);
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
