import { ServiceError } from '#core/kernel';
import { type Anchor, entryHash } from '#core/records/audit';
import type { Dependencies } from './dependencies.ts';

const FORM = /^([1-9]\d{0,14}):([0-9a-f]{16,64})$/;
const ANCHORS_MAX = 50;

/** Returns the anchors of a text, `POSITION:HASH` with commas between them. @throws ServiceError VALIDATION_ERROR. */
export function parseAnchors(text: string): Anchor[] {
  const parts = text.split(',');
  const anchors = parts.flatMap((part) => {
    const [, position = '', hash = ''] = FORM.exec(part.trim().toLowerCase()) ?? [];
    return hash === '' ? [] : [{ position: Number(position), hash }];
  });
  if (anchors.length < parts.length || parts.length > ANCHORS_MAX)
    throw new ServiceError(
      'VALIDATION_ERROR',
      `Anchors are up to ${ANCHORS_MAX} entries as \`POSITION:HASH\`, with at least 16 characters of the hash.`,
      {
        field: 'anchors',
      },
    );
  return anchors;
}

/** Comparison of anchors with a log. */
interface Comparison {
  /** Number of anchors that name entries in archives whose files are not on this computer. */
  readonly uncompared: number;
  /** Reason why the log is not the one that the anchors name; null if it is. */
  readonly fault: string | null;
}

const wrongEntry = (position: number) => `entry ${position} is not the one that its anchor names`;

/** Compares anchors with a tenant's log of a number of entries, of which the first ones are in archives. */
export async function compareAnchors(
  deps: Dependencies,
  tenantId: string,
  anchors: readonly Anchor[],
  { entries, archivedEntries }: { readonly entries: number; readonly archivedEntries: number },
): Promise<Comparison> {
  const archived: Anchor[] = [];
  for (const anchor of anchors) {
    const { position, hash } = anchor;
    if (position > entries)
      return {
        uncompared: 0,
        fault: `an anchor names entry ${position}, but the log has ${entries} entries: the database was restored to an earlier state, or entries were cut off`,
      };
    if (position < archivedEntries) archived.push(anchor);
    else {
      const found = await entryHash(deps.database.read(tenantId), position);
      // Entries may have been archived since the log was verified.
      if (found === undefined) archived.push(anchor);
      else if (!found.startsWith(hash)) return { uncompared: 0, fault: wrongEntry(position) };
    }
  }
  return compareArchived(deps, tenantId, archived);
}

/** Compares anchors with archived entries, and verifies that each of these up to the last anchor follows the one before it. */
async function compareArchived(deps: Dependencies, tenantId: string, anchors: readonly Anchor[]): Promise<Comparison> {
  const left = new Set(anchors);
  const faultAt = (fault: string): Comparison => ({ uncompared: left.size, fault });
  const last = Math.max(0, ...anchors.map(({ position }) => position));
  if (last === 0) return { uncompared: 0, fault: null };
  let end: { n: number; hash: string } | undefined;
  try {
    for await (const { start, rows } of deps.archives.chain(tenantId, last)) {
      if (end?.n === start.n && end.hash !== start.hash) return faultAt(`archived entry ${start.n + 1} does not match the entry before it`);
      let point = start;
      for (const row of rows) {
        const reason = deps.audit.archiving.breakOf(point, row);
        if (reason !== null) return faultAt(`the archive is broken at entry ${row.n}: ${reason}`);
        for (const anchor of left) {
          if (anchor.position !== row.n) continue;
          if (!row.hash.startsWith(anchor.hash)) return faultAt(wrongEntry(row.n));
          left.delete(anchor);
        }
        point = deps.audit.archiving.pointOf(row);
      }
      end = point;
    }
  } catch (error) {
    if (error instanceof ServiceError) return faultAt(error.message.replace(/\.$/, ''));
    throw error;
  }
  return { uncompared: left.size, fault: null };
}
