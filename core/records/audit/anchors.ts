import { type Database, emptyHead, type Read } from '#core/database';
import { ServiceError } from '#core/kernel';
import { AUDIT, AUDIT_HEADS } from './schema.ts';
import { startOf } from './verify.ts';

/**
 * An entry by its number and the beginning of its hash, noted outside of the database. While it is the entry of the log, nothing up to it was changed since
 * the note, and the database was not restored to a state before it, even by someone with its key.
 */
export interface Anchor {
  readonly position: number;
  readonly hash: string;
}

const FORM = /^([1-9]\d{0,14}):([0-9a-f]{16,64})$/;
export const ANCHORS_MAX = 50;

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

/** Returns the last entry of a tenant's log as an anchor; null if the log is empty. */
export async function lastEntry(database: Database, tenantId: string): Promise<Anchor | null> {
  const { n, hash } = (await database.read(tenantId).one(AUDIT_HEADS, { tenant_id: tenantId })) ?? emptyHead(tenantId);
  return n === 0 ? null : { position: n, hash };
}

/** Returns how many anchors name entries in archives, which are verified there, and why the first wrong anchor is not an entry of the log. */
export async function checkAnchors(read: Read, anchors: readonly Anchor[], entries: number) {
  const start = await startOf(read);
  let archived = 0;
  for (const { position, hash } of anchors) {
    if (position > entries)
      return {
        archived,
        fault: `an anchor names entry ${position}, but the log has ${entries} entries: the database was restored to an earlier state, or entries were cut off`,
      };
    if (position < start.n) archived += 1;
    else {
      const found = position === start.n ? start.hash : (await read.find(AUDIT, { n: position }, { limit: 1 }))[0]?.hash;
      if (!found?.startsWith(hash)) return { archived, fault: `entry ${position} is not the one that its anchor names` };
    }
  }
  return { archived, fault: null };
}
