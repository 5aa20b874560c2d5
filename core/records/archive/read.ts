import { setImmediate as turn } from 'node:timers/promises';
import { cursorOf, type Page, type PageRequest, queriesOn, TENANT } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import type { AuditEntry, AuditFilter, AuditRow, ChainPoint } from '#core/records/audit';
import { type Dependencies, isOnThisComputer, pathOf } from './dependencies.ts';
import { openArchive, rowsOf } from './file.ts';
import { ARCHIVED_FRAMES, ARCHIVES, type ArchivedFrameRow, type ArchiveRow, type Contents, RECORDED } from './schema.ts';

/** A year whose entries or events are in an archive, as a reader of the audit log or of the event history sees it. */
export interface ArchivedYear {
  readonly year: number;
  readonly entries: number;
}

const archives = queriesOn(ARCHIVES).selectFrom('archives').selectAll().where('tenant_id', '=', TENANT);

/** Returns the archives whose files are complete, newest first. They are rows of the first tenant. */
export async function recordedArchives({ database, tenants }: Pick<Dependencies, 'database' | 'tenants'>): Promise<ArchiveRow[]> {
  const first = await tenants.first();
  if (first === null) return [];
  return database.read(first.tenantId).rows(archives.where('status', 'in', [...RECORDED]).orderBy('year', 'desc'));
}

const framesOf = ({ database }: Dependencies, tenantId: string, contents: Contents, year?: number): Promise<ArchivedFrameRow[]> =>
  database.read(tenantId).find(
    ARCHIVED_FRAMES,
    { contents, year },
    {
      orderBy: [
        ['year', 'desc'],
        ['frame', 'desc'],
      ],
    },
  );

/** Returns the archived years in which a tenant has entries or events, newest first. */
export async function archivedYears(deps: Dependencies, { tenantId }: Actor, contents: Contents): Promise<ArchivedYear[]> {
  const recorded = new Set((await recordedArchives(deps)).map(({ year }) => year));
  const counts = new Map<number, number>();
  for (const { year, first_n, last_n } of await framesOf(deps, tenantId, contents))
    if (recorded.has(year)) counts.set(year, (counts.get(year) ?? 0) + last_n - first_n + 1);
  return [...counts].map(([year, entries]) => ({ year, entries }));
}

/** Returns the archive of a year with the frames of a tenant, newest first. @throws ServiceError NOT_FOUND without an archive of that year. */
export async function findYear(
  deps: Dependencies,
  { tenantId }: Actor,
  year: number,
  contents: Contents,
): Promise<{ readonly archive: ArchiveRow; readonly frames: ArchivedFrameRow[] }> {
  const archive = (await recordedArchives(deps)).find((each) => each.year === year);
  if (!archive) throw new ServiceError('NOT_FOUND', `There is no archive of ${year}.`, { field: 'archive' });
  return { archive, frames: await framesOf(deps, tenantId, contents, year) };
}

/**
 * Yields the entries of frames that the caller may read and that match a filter, frame by frame. Other work runs between frames.
 * @throws ServiceError RESOURCE_CONFLICT if the file cannot be used.
 */
async function* matchesOf(
  deps: Dependencies,
  actor: Actor,
  archive: ArchiveRow,
  frames: readonly ArchivedFrameRow[],
  filter: AuditFilter,
): AsyncGenerator<readonly (AuditEntry & { readonly n: number })[]> {
  // A line without these texts does not match.
  const { actor: name, action, resource, requestId } = filter;
  const texts = [name, action, resource, requestId].flatMap((text) => (text === undefined ? [] : [JSON.stringify(text).slice(1, -1)]));
  for await (const lines of linesOf(deps, archive, frames)) {
    const possible = texts.length === 0 ? lines : lines.filter((line) => texts.every((text) => line.includes(text)));
    yield deps.audit.archiving.entriesOf(actor, filter, rowsOf<AuditRow>(possible)).toReversed();
  }
}

/** Yields the lines of frames. Other work runs between frames. @throws ServiceError RESOURCE_CONFLICT if the file cannot be used. */
export async function* linesOf(
  deps: Dependencies,
  archive: ArchiveRow,
  frames: readonly ArchivedFrameRow[],
): AsyncGenerator<readonly string[]> {
  if (frames.length === 0) return;
  const reader = openArchive(pathOf(archive), deps.key, archive.year);
  try {
    for (const { frame, position } of frames) {
      yield reader.frame(frame, position).lines;
      await turn();
    }
  } finally {
    reader.close();
  }
}

/** Part of the archived chain of a tenant: entries, and the point before the first one as it was recorded when they were archived. */
export interface ArchivedPart {
  readonly start: ChainPoint;
  readonly rows: readonly AuditRow[];
}

/**
 * Yields the archived entries of a tenant up to a number, oldest first, without those of archives whose files are not on this computer.
 * @throws ServiceError RESOURCE_CONFLICT if a file was changed or cannot be read.
 */
export async function* archivedChain(deps: Dependencies, tenantId: string, upTo: number): AsyncGenerator<ArchivedPart> {
  for (const archive of (await recordedArchives(deps)).toReversed()) {
    const frames = (await framesOf(deps, tenantId, 'audit', archive.year)).toReversed().filter(({ first_n }) => first_n <= upTo);
    if (frames.length === 0 || !isOnThisComputer(archive)) continue;
    let index = 0;
    for await (const lines of linesOf(deps, archive, frames)) {
      const { first_n, previous_hash } = frames[index] as ArchivedFrameRow;
      yield { start: { n: first_n - 1, hash: previous_hash }, rows: rowsOf<AuditRow>(lines) };
      index += 1;
    }
  }
}

const withoutNumber = ({ n: _, ...entry }: AuditEntry & { readonly n: number }): AuditEntry => entry;

/** Yields every archived entry of a filter in blocks, newest first. */
export async function* archivedBlocks(
  deps: Dependencies,
  actor: Actor,
  year: number,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditEntry[]> {
  const { archive, frames } = await findYear(deps, actor, year, 'audit');
  for await (const block of matchesOf(deps, actor, archive, frames, filter)) yield block.map(withoutNumber);
}

/** Returns one page of the archived entries of a year, newest first. */
export async function archivedPage(
  deps: Dependencies,
  actor: Actor,
  year: number,
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page<AuditEntry>> {
  const cursor = cursorOf(request, (text) => /^\d{1,15}$/.test(text));
  const limit = Math.trunc(request.limit);
  const offset = cursor === undefined ? (Math.trunc(request.page) - 1) * limit : 0;
  const { archive, frames } = await findYear(deps, actor, year, 'audit');
  // Without a filter, the numbers of the entries say which frames have the page.
  const isUnfiltered = actor.merchantId === null && Object.values(filter).every((value) => value === undefined);
  const newest = frames[0]?.last_n ?? 0;
  const before = cursor === undefined ? newest + 1 - (isUnfiltered ? offset : 0) : Number(cursor);
  const needed = isUnfiltered ? frames.filter(({ first_n }) => first_n < before) : frames;
  const toSkip = isUnfiltered ? 0 : offset;
  const items: (AuditEntry & { readonly n: number })[] = [];
  let found = 0;
  let skipped = 0;
  for await (const block of matchesOf(deps, actor, archive, needed, filter)) {
    found += block.length;
    for (const entry of block) {
      if (entry.n >= before || items.length > limit) continue;
      if (skipped < toSkip) skipped += 1;
      else items.push(entry);
    }
    if (isUnfiltered && items.length > limit) break;
  }
  const total = isUnfiltered ? newest + 1 - (frames.at(-1)?.first_n ?? newest + 1) : found;
  const shown = items.slice(0, limit);
  const nextCursor = items.length > limit ? String(shown.at(-1)?.n) : null;
  return { items: shown.map(withoutNumber), page: request.page, limit: request.limit, total, nextCursor };
}
