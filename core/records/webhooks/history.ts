import { listOf, lit, queriesOn, type Read, sql, TENANT } from '#core/database';
import { type Actor, isId, ServiceError } from '#core/kernel';
import { EVENT_TYPES, EVERY_SECURITY_TYPE, EVERY_TYPE, type EventType, isSecurityName } from '#shared/webhook-events';
import type { Dependencies } from './dependencies.ts';
import { renderBody } from './event.ts';
import { type EventSelection, type NumberRange, newestEventNumber, rangesFor, rangesWith } from './event-counts.ts';
import { eventTypeOf } from './event-type.ts';
import type { EventDetail, HistoryEvent } from './records.ts';
import { EVENTS, type EventRow } from './schema.ts';

/** Maximum number of requests of this server that wait for new events. Further ones get their response immediately. */
const WAITING_MAX = 200;

let waiting = 0;

export interface HistoryFilter {
  /** Names of event types, `*` or `security.*`; absent for `*`. */
  readonly types?: readonly string[];
  /** ISO 8601 times of creation; `until` is exclusive. */
  readonly from?: string;
  readonly until?: string;
}

/** Requested part of the history: the oldest events after one, or the newest events before one. At most one of them is set. */
export interface HistoryRequest extends HistoryFilter {
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
}

/** A part of the history, newest last. */
export interface HistoryPage {
  readonly items: readonly HistoryEvent[];
  readonly limit: number;
  /** Number of events that match, from the cursor on in the direction of the request. */
  readonly total: number;
  /** True if the page begins with the oldest matching event, false if it ends with the newest one. */
  readonly isForward: boolean;
  /** Event after which a forward list continues, or before which the other one does; null if nothing follows. */
  readonly continuesAt: string | null;
}

const queries = queriesOn(EVENTS);

/**
 * Returns events in the order of their commits. With `after` or `from` the list begins with the oldest event, otherwise it ends with the newest one.
 * @throws ServiceError NOT_FOUND for an unknown `after` or `before`; VALIDATION_ERROR on `types`; PERMISSION_DENIED for security types without
 * `owner:activity`.
 */
export async function listEvents(deps: Dependencies, actor: Actor, request: HistoryRequest): Promise<HistoryPage> {
  const read = deps.database.read(actor.tenantId);
  const { after, before, limit, from, until } = request;
  const selection: EventSelection = {
    types: typesOf(actor, request.types),
    merchantId: actor.merchantId,
    from,
    until,
    after: after === undefined ? undefined : await numberOf(read, actor, after, 'after'),
    before: before === undefined ? undefined : await numberOf(read, actor, before, 'before'),
  };
  const isForward = after !== undefined || (from !== undefined && before === undefined);
  const countIn = async (range: NumberRange) => {
    const counted = await read.row(eventsIn(range, selection).select(({ fn }) => fn.countAll<number>().as('n')));
    return Number(counted?.n ?? 0);
  };
  const ranges = await rangesWith(read, selection, await newestEventNumber(read), countIn);
  const total = ranges.reduce((sum, { count }) => sum + count, 0);
  const rows: EventRow[] = [];
  for (const range of rangesFor(ranges, limit, isForward)) {
    const missing = sql<number>`${limit - rows.length}`;
    const events = eventsIn(range, selection)
      .selectAll()
      .orderBy('n', isForward ? 'asc' : 'desc')
      .limit(missing);
    rows.push(...(await read.rows(events)));
  }
  const items = (isForward ? rows : rows.toReversed()).map(toHistoryEvent);
  const continuesAt = total > items.length ? (items.at(isForward ? -1 : 0)?.id ?? null) : null;
  return { items, limit, total, isForward, continuesAt };
}

/** Same as `listEvents`, but if no event matches, waits for one until `waitMs` have passed or the signal aborts. */
export async function awaitEvents(
  deps: Dependencies,
  actor: Actor,
  request: HistoryRequest,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<HistoryPage> {
  if (waitMs === 0 || waiting >= WAITING_MAX) return listEvents(deps, actor, request);
  const endsAt = performance.now() + waitMs;
  let wake = () => {};
  let timer: NodeJS.Timeout | undefined;
  waiting += 1;
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, Math.max(0, endsAt - performance.now()));
    });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  let next = changed();
  const unsubscribe = deps.changes.subscribe(actor.tenantId, (changes) => {
    if (changes.some(({ topic }) => topic === 'webhooks')) wake();
  });
  try {
    for (;;) {
      const page = await listEvents(deps, actor, request);
      if (page.items.length > 0 || signal.aborted || performance.now() >= endsAt) return page;
      await next;
      clearTimeout(timer);
      next = changed();
    }
  } finally {
    waiting -= 1;
    clearTimeout(timer);
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}

/** @throws ServiceError NOT_FOUND, also for a security event that the caller may not see; MERCHANT_NOT_AUTHORIZED for another merchant's. */
export async function getEvent(deps: Dependencies, actor: Actor, id: string): Promise<EventDetail> {
  const types = typesOf(actor, typesSeenBy(actor));
  const query = eventsOf({ types, merchantId: actor.merchantId }).selectAll().where('id', '=', id);
  const row = await deps.database.read(actor.tenantId).row(query);
  if (!row) {
    const other = isId('evt', id) ? await deps.database.read(actor.tenantId).one(EVENTS, { id }) : null;
    if (other?.merchant_id && actor.merchantId !== null && other.merchant_id !== actor.merchantId)
      throw new ServiceError('MERCHANT_NOT_AUTHORIZED', 'This event belongs to another merchant.');
    throw eventNotFound(id);
  }
  return toHistoryDetail(row);
}

/** Returns the number of an event. @throws ServiceError NOT_FOUND on `field`. */
export async function numberOf(read: Read, actor: Actor, id: string, field: string): Promise<number> {
  const row = isId('evt', id) ? await read.one(EVENTS, { id }) : null;
  if (!row || (actor.merchantId !== null && row.merchant_id !== actor.merchantId)) throw eventNotFound(id, field);
  return Number(row.n);
}

export const eventNotFound = (id: string, field?: string) =>
  new ServiceError('NOT_FOUND', `There is no event ${id.slice(0, 60)}.`, { details: { id }, ...(field === undefined ? {} : { field }) });

/** Returns the event types that names select. `*` selects every type except those of security activity. */
export function typesNamed(names: readonly string[], field: string): EventType[] {
  const selected = names.flatMap((name): readonly EventType[] => {
    if (name === EVERY_TYPE) return EVENT_TYPES.filter((type) => !isSecurityName(type));
    return name === EVERY_SECURITY_TYPE ? EVENT_TYPES.filter(isSecurityName) : [eventTypeOf(name, field)];
  });
  return [...new Set(selected)];
}

const maySeeActivity = (actor: Actor) => actor.merchantId === null && actor.permissions.has('owner:activity');

/** Returns the names of all types that a caller may see. */
export const typesSeenBy = (actor: Actor): readonly string[] => (maySeeActivity(actor) ? [EVERY_TYPE, EVERY_SECURITY_TYPE] : [EVERY_TYPE]);

/** Returns the types of a filter that a caller may use. */
function typesOf(actor: Actor, names: readonly string[] = [EVERY_TYPE]): readonly EventType[] {
  const types = typesNamed(names, 'types');
  if (types.length === 0) throw new ServiceError('VALIDATION_ERROR', '`types` must contain an event type.', { field: 'types' });
  if (!maySeeActivity(actor) && types.some(isSecurityName))
    throw new ServiceError('PERMISSION_DENIED', 'Only an owner can see security events.', { details: { permission: 'owner:activity' } });
  return types;
}

/** Returns the query for the selected events with any number. Test events belong to one endpoint and not to the history. */
function eventsOf({ types, merchantId, from, until }: EventSelection) {
  let events = queries
    .selectFrom('events')
    .where('tenant_id', '=', TENANT)
    .where('test', '=', lit(0))
    .where('type', 'in', listOf(types) as EventType[]);
  if (merchantId !== null) events = events.where('merchant_id', '=', merchantId);
  if (from !== undefined) events = events.where('created_at', '>=', from);
  return until === undefined ? events : events.where('created_at', '<', until);
}

/** Returns the query for the selected events with numbers of a range. */
function eventsIn({ after, through }: NumberRange, selection: EventSelection) {
  const events = eventsOf(selection).where('n', '>', after);
  return through === null ? events : events.where('n', '<=', through);
}

/** Returns the test for the events of a list that a caller may see. @throws as `listEvents` for types. */
export function matcherOf(actor: Actor, { types: names, from, until }: HistoryFilter): (row: EventRow) => boolean {
  const types = new Set(typesOf(actor, names));
  return (row) =>
    row.tenant_id === actor.tenantId &&
    row.test === 0 &&
    types.has(row.type) &&
    (actor.merchantId === null || row.merchant_id === actor.merchantId) &&
    (from === undefined || row.created_at >= from) &&
    (until === undefined || row.created_at < until);
}

export function toHistoryDetail(row: EventRow): EventDetail {
  return { ...toHistoryEvent(row), body: renderBody(row, row.type) };
}

export function toHistoryEvent(row: EventRow): HistoryEvent {
  return {
    id: row.id,
    type: row.type,
    createdAt: row.created_at,
    resourceId: row.resource_id,
    data: JSON.parse(row.data) as Record<string, unknown>,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id || null,
  };
}
