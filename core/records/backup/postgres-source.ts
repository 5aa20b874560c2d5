import { connectReading } from '#core/database';
import { type Manifest, type MasterKeyColumns, type Part, type Source, storedInstallation, tenantColumnOf } from './rows.ts';

const BLOCK = 1_000;

/** PostgreSQL schema of each part. */
export const SCHEMA_OF: Readonly<Record<Part, string>> = { service: 'public', sandbox: 'sandbox_gateway' };

const COLUMNS = 'SELECT column_name FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2 ORDER BY ordinal_position';

/** Opens a PostgreSQL database in one transaction that sees the same moment of both parts. */
export async function openPostgresSource(url: string): Promise<Source> {
  const client = await connectReading(url);
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT 1');
  } catch (error) {
    await client.end();
    throw error;
  }
  const texts = async (sql: string, values: string[] = []) =>
    (await client.query<string[]>({ text: sql, values, rowMode: 'array' })).rows.map(([text]) => text as string);
  return {
    kind: 'postgres',
    migrations: (part) => texts(`SELECT name FROM "${SCHEMA_OF[part]}".schema_migrations ORDER BY timestamp`),
    async columns(part, table) {
      const names = await texts(COLUMNS, [SCHEMA_OF[part], table]);
      return names.length === 0 ? null : names;
    },
    async *rows({ part, table, columns }, tenantId) {
      const names = columns.map((column) => `"${column}"`).join(', ');
      const condition = tenantId === undefined ? '' : ` WHERE ${tenantColumnOf(table)} = $1`;
      const text = `DECLARE backup NO SCROLL CURSOR FOR SELECT CAST(json_build_array(${names}) AS text) FROM "${SCHEMA_OF[part]}"."${table}"${condition}`;
      await client.query(text, tenantId === undefined ? [] : [tenantId]);
      for (;;) {
        const block = await texts(`FETCH ${BLOCK} FROM backup`);
        if (block.length === 0) break;
        yield block;
      }
      await client.query('CLOSE backup');
    },
    async heads() {
      const { rows } = await client.query<Manifest['heads'][number]>(
        `SELECT tenant_id, n, hash FROM "${SCHEMA_OF.service}".audit_heads ORDER BY tenant_id`,
      );
      return rows.map(({ tenant_id, n, hash }) => ({ tenant_id, n: Number(n), hash }));
    },
    async installation() {
      const [tableName] = await texts(`SELECT CAST(to_regclass('"${SCHEMA_OF.service}".master_keys') AS text)`);
      if (!tableName) return null;
      const { rows } = await client.query<MasterKeyColumns>(`SELECT * FROM "${SCHEMA_OF.service}".master_keys`);
      return storedInstallation(rows[0]);
    },
    async bytes() {
      const { rows } = await client.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
      return Number(rows[0]?.bytes ?? 0);
    },
    close: () => client.end(),
  };
}
