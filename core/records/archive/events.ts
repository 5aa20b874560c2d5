import { type Actor, ServiceError } from '#core/kernel';
import type { ArchivedEventRow, EventDetail, HistoryEvent, HistoryPage, HistoryRequest } from '#core/records/webhooks';
import type { Dependencies } from './dependencies.ts';
import { rowsOf } from './file.ts';
import { findYear, linesOf } from './read.ts';

/**
 * Returns archived events of a year as the event history lists those in the database. Every part of the tenant is read, because a file has no indexes.
 * @throws ServiceError NOT_FOUND for an unknown year, or an unknown `after` or `before`; RESOURCE_CONFLICT if the file cannot be used; else as
 * `Webhooks.events`.
 */
export async function archivedEventPage(deps: Dependencies, actor: Actor, year: number, request: HistoryRequest): Promise<HistoryPage> {
  const { after, before, limit, from } = request;
  const { archiving } = deps.webhooks;
  const isMatch = archiving.matcherOf(actor, request);
  const isForward = after !== undefined || (from !== undefined && before === undefined);
  const items: HistoryEvent[] = [];
  let total = 0;
  let isAfter = after === undefined;
  let isFound = before === undefined;
  for await (const rows of eventsOf(deps, actor, year)) {
    for (const row of rows) {
      if (row.id === before) isFound = true;
      if (before !== undefined && isFound) break;
      if (isAfter && isMatch(row)) {
        total += 1;
        if (!isForward || items.length < limit) items.push(archiving.toEvent(row));
        if (items.length > limit) items.shift();
      }
      if (row.id === after) isAfter = true;
    }
    if (before !== undefined && isFound) break;
  }
  if (!isAfter) throw unknownEvent(after, year, 'after');
  if (!isFound) throw unknownEvent(before, year, 'before');
  const continuesAt = total > items.length ? (items.at(isForward ? -1 : 0)?.id ?? null) : null;
  return { items, limit, total, isForward, continuesAt };
}

/** Returns an archived event with its deliveries and their attempts. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT if the file cannot be used. */
export async function archivedEvent(deps: Dependencies, actor: Actor, year: number, id: string): Promise<EventDetail> {
  const { archiving } = deps.webhooks;
  const isVisible = archiving.matcherOf(actor, { types: archiving.typesSeenBy(actor) });
  for await (const rows of eventsOf(deps, actor, year, `"id":${JSON.stringify(id)}`)) {
    const row = rows.find((each) => each.id === id);
    if (row && isVisible(row)) return archiving.toDetail(row);
  }
  throw unknownEvent(id, year);
}

/** Yields the events of a year, oldest first. With a text, only those whose line contains it. */
async function* eventsOf(deps: Dependencies, actor: Actor, year: number, text = ''): AsyncGenerator<readonly ArchivedEventRow[]> {
  const { archive, frames } = await findYear(deps, actor, year, 'events');
  for await (const lines of linesOf(deps, archive, frames.toReversed()))
    yield rowsOf<ArchivedEventRow>(lines.filter((line) => line.includes(text)));
}

const unknownEvent = (id = '', year = 0, field?: string) =>
  new ServiceError('NOT_FOUND', `The archive of ${year} contains no event ${id.slice(0, 60)}.`, {
    details: { id },
    ...(field === undefined ? {} : { field }),
  });
