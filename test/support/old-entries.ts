import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { openPostgres, openSqlite } from '#core/database';
import { deriveKey, installationKeyOf, loadMasterKey } from '#core/records/vault';
import { MIGRATIONS } from '#migrations';
import { auditChain } from '../../core/records/audit/chain.ts';
import { AUDIT, AUDIT_HEADS, type AuditRow } from '../../core/records/audit/schema.ts';

const BLOCK = 500;

/** Returns the number of entries for each year. */
type Years = Readonly<Record<number, number>>;

interface Place {
  readonly dataDir: string;
  readonly url?: string;
}

const openDatabase = ({ dataDir, url }: Place) =>
  url ? openPostgres({ url, migrations: MIGRATIONS }) : openSqlite({ file: join(dataDir, 'paydesk.sqlite'), migrations: MIGRATIONS });

/** Moves the oldest webhook events of every tenant of an installation that does not run into a past year. */
export async function moveEventsTo(year: number, events: number, place: Place): Promise<void> {
  const database = await openDatabase(place);
  try {
    await database.unitOfWork.transaction(null, (work) =>
      work.run(`UPDATE events SET created_at = '${year}' || substr(created_at, 5) WHERE n <= ${events}`),
    );
  } finally {
    await database.close();
  }
}

/**
 * Puts entries of past years before the entries of every tenant of an installation that does not run, linked by the chain and the key of the
 * product. Every third entry belongs to the action `branding.updated`. `ofTenant` adds entries of one tenant only.
 */
export async function addOldEntries(place: Place, years: Years, ofTenant?: string): Promise<void> {
  const database = await openDatabase(place);
  try {
    const masterKey = await loadMasterKey(join(place.dataDir, 'master.key'));
    const chain = auditChain(deriveKey(await installationKeyOf(database, masterKey), 'audit'));
    for (const { tenant_id: tenantId } of await database
      .readAcrossTenants()
      .all<{ tenant_id: string }>('SELECT tenant_id FROM audit_heads')) {
      if (ofTenant !== undefined && tenantId !== ofTenant) continue;
      const present = await database.read(tenantId).find(AUDIT, {}, { orderBy: [['n', 'asc']] });
      const [example] = present;
      if (!example) throw new Error('The sample data has audit entries.');
      const old = Object.entries(years).flatMap(([year, count]) =>
        Array.from({ length: count }, (_, index): AuditRow => {
          const at = new Date(Date.UTC(Number(year), 0, 1) + Math.floor((index * 364 * 86_400_000) / count)).toISOString();
          const id = `aud_${createHash('sha256').update(`${tenantId}/${year}/${index}`).digest('hex').slice(0, 26)}`;
          const action = index % 3 === 0 ? 'branding.updated' : 'session.started';
          const merchant_id = index % 2 === 0 ? example.merchant_id : null;
          const texts = { actor: 'old@demo.example', resource: `users/${tenantId}`, before: null, after: `{"number":${index}}` };
          return { ...example, ...texts, id, at, action, merchant_id, request_id: `req_${year}_${index}`, user_agent: null };
        }),
      );
      await database.unitOfWork.transaction(tenantId, async (work) => {
        await work.delete(AUDIT, {});
        await work.delete(AUDIT_HEADS, {});
      });
      const all = [...old, ...present];
      for (let from = 0; from < all.length; from += BLOCK)
        await database.unitOfWork.transaction(tenantId, async (work) => {
          for (const row of all.slice(from, from + BLOCK)) work.append(chain, row);
        });
    }
  } finally {
    await database.close();
  }
}
