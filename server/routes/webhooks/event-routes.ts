import { type Static, Type } from 'typebox';
import type { Core } from '#core';
import { type Actor, addDays, agreedValue, checkPeriod, ServiceError } from '#core/kernel';
import { EventDetail, HistoryEvent, type HistoryPage, type HistoryRequest } from '#core/records/webhooks';
import { CursorPaginated, type Route, route, Success } from '#server/http';
import { archiveYearFrom, DateQuery, MomentIn, PageQuery, Params, pageFrom, Text, timeFrom } from '#server/schemas';

const MS_PER_SECOND = 1_000;

const ARCHIVE = 'a year of `/webhooks/events/archives`, whose events are read from its archive';

const EventQuery = Type.Object({
  after: Type.Optional(Text(60, 'an event; the list begins with the oldest one after it')),
  before: Type.Optional(Text(60, 'an event; the list ends with the newest one before it')),
  types: Type.Optional(Text(2_000, 'event types separated by commas; `*` and `security.*` are accepted')),
  from: Type.Optional(MomentIn('the start')),
  to: Type.Optional(MomentIn('the end, exclusive')),
  ...DateQuery,
  archive: Type.Optional(Text(4, ARCHIVE)),
  cursor: Type.Optional(Text(80, '`nextCursor` of the previous page; replaces `after` and `before`')),
  limit: PageQuery.limit,
  wait: Type.Optional(
    Type.String({
      pattern: '^(\\d|1\\d|20)$',
      description: 'a whole number of seconds from 0 to 20; if no event matches, the response waits for one that long; needs `after`',
    }),
  ),
});

/** The routes of the event history, on the Public and the Admin surface. */
export function eventRoutes(surface: 'public' | 'admin'): Route[] {
  const tag = surface === 'admin' ? 'Webhooks' : 'Public API';
  const shared = { surface, tag, method: 'GET', scope: 'merchant', permission: 'webhooks:read' } as const;
  return [
    route({
      ...shared,
      path: '/webhooks/events',
      id: `${surface}.listEvents`,
      summary: 'Event history, newest last',
      description:
        'Events in the order in which they were committed, whether or not an endpoint receives them; the cursor is the ID of an event. With `after` or `from` the list begins with the oldest matching event, and `nextCursor` leads to newer ones. Otherwise it ends with the newest event, and `nextCursor` leads to older ones. `total` counts the matching events from the position of the request on. Without `types`, it contains all events about payments. Test events are not part of the history. Events are kept until the sandbox is reset; live events are never deleted. Events of old years may have been moved to an archive, from which `archive` reads them; `wait` does not apply to it.',
      query: EventQuery,
      response: CursorPaginated(HistoryEvent),
      errors: ['NOT_FOUND', 'INVALID_DATE', 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, query, request, reply }) => {
        const waitMs = Number(query.wait ?? 0) * MS_PER_SECOND;
        if (waitMs > 0 && positionFrom(query).after === undefined)
          throw new ServiceError('VALIDATION_ERROR', '`wait` needs `after`.', { field: 'wait' });
        const { archive } = query;
        const found = await historyRequestFrom(core, actor, query);
        if (archive !== undefined) return core.archives.events(actor, archiveYearFrom(archive), found);
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const signal = AbortSignal.any([request.server.closing, gone.signal]);
        return core.webhooks.awaitEvents(actor, found, { waitMs, signal });
      },
      show: historyPage,
    }),
    route({
      ...shared,
      path: '/webhooks/events/archives',
      id: `${surface}.listArchivedEventYears`,
      summary: 'Archived years of the event history',
      description: 'Newest first. The events of these years are in archive files: `archive` of the other routes reads them.',
      response: Success(Type.Array(Type.Object({ year: Type.Integer({ description: 'calendar year, UTC' }) }))),
      run: async ({ core, actor }) => (await core.archives.eventYears(actor)).map(({ year }) => ({ year })),
    }),
    route({
      ...shared,
      path: '/webhooks/events/:id',
      id: `${surface}.getEvent`,
      summary: 'One event',
      description: 'Returns the event as its deliveries contain it. An archived event also has its deliveries with their attempts.',
      params: Params('id'),
      query: Type.Object({ archive: Type.Optional(Text(4, ARCHIVE)) }),
      response: Success(EventDetail),
      errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT'],
      run: ({ core, actor, params, query: { archive } }) =>
        archive === undefined ? core.webhooks.getEvent(actor, params.id) : core.archives.event(actor, archiveYearFrom(archive), params.id),
    }),
  ];
}

/** Start of the cursors that lead to older events; the others are IDs of events and lead to newer ones. */
const BACKWARD = 'before:';

const historyPage = ({ isForward, continuesAt, ...page }: HistoryPage) => ({
  ...page,
  nextCursor: continuesAt === null || isForward ? continuesAt : `${BACKWARD}${continuesAt}`,
});

/** Returns where the list of a query begins or ends. A cursor replaces `after` and `before`, which clients repeat for each page. */
function positionFrom({ after, before, cursor }: Static<typeof EventQuery>): Pick<HistoryRequest, 'after' | 'before'> {
  if (after !== undefined && before !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'Send either `after` or `before`.', { field: 'before' });
  if (cursor !== undefined && cursor !== '')
    return cursor.startsWith(BACKWARD) ? { before: cursor.slice(BACKWARD.length) } : { after: cursor };
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

async function historyRequestFrom(core: Core, actor: Actor, query: Static<typeof EventQuery>): Promise<HistoryRequest> {
  const { types, from, to, startDate, endDate } = query;
  checkPeriod({ startDate, endDate });
  const momentOf = (text: string | undefined, field: string) => (text === undefined ? undefined : timeFrom(core, actor, text, field));
  const start = agreedValue({ from: await momentOf(from, 'from'), startDate: await momentOf(startDate, 'startDate') });
  const dayAfter = endDate === undefined ? undefined : addDays(endDate, 1);
  const end = agreedValue({ to: await momentOf(to, 'to'), endDate: await momentOf(dayAfter, 'endDate') });
  return {
    limit: pageFrom({ limit: query.limit }).limit,
    ...positionFrom(query),
    ...(types === undefined
      ? {}
      : {
          types: types
            .split(',')
            .map((type) => type.trim())
            .filter((type) => type !== ''),
        }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { until: end }),
  };
}
