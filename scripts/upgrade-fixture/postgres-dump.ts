import { Client } from 'pg';

const SCHEMAS = ['public', 'sandbox_gateway'];
/** Rows of one INSERT statement. */
const ROWS = 200;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly default: string | null;
}

/** Returns a database as statements that any PostgreSQL loads into an empty one: tables with their rows, then keys, indexes and sequences. */
export async function dumpPostgres(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const parts = ["SET standard_conforming_strings = on;\nSET client_min_messages = 'warning';"];
    for (const schema of SCHEMAS) parts.push(...(await dumpSchema(client, schema)));
    return `${parts.join('\n')}\n`;
  } finally {
    await client.end();
  }
}

async function dumpSchema(client: Client, schema: string): Promise<string[]> {
  const read = async <Row>(sql: string, ...values: unknown[]) => (await client.query(sql, values)).rows as Row[];
  const parts = [`CREATE SCHEMA IF NOT EXISTS ${schema};`];
  const sequences = await read<{ name: string; value: string | null }>(
    'SELECT sequencename AS name, last_value AS value FROM pg_sequences WHERE schemaname = $1 ORDER BY 1',
    schema,
  );
  for (const { name, value } of sequences) {
    parts.push(`CREATE SEQUENCE ${schema}.${name};`);
    if (value !== null) parts.push(`SELECT setval('${schema}.${name}', ${value});`);
  }
  const tables = await read<{ name: string }>(
    "SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' ORDER BY 1",
    schema,
  );
  for (const { name } of tables) parts.push(...(await dumpTable(client, schema, name)));
  // Constraints make their own indexes, and keys come before the references to them.
  const constraints = await read<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = $1::regnamespace AND contype IN ('p', 'u', 'c', 'f') ORDER BY contype = 'f', 1, 2`,
    schema,
  );
  for (const { table, name, definition } of constraints) parts.push(`ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition};`);
  const indexes = await read<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes i WHERE schemaname = $1
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = i.indexname AND connamespace = $1::regnamespace) ORDER BY indexname`,
    schema,
  );
  return [...parts, ...indexes.map(({ definition }) => `${definition};`)];
}

async function dumpTable(client: Client, schema: string, table: string): Promise<string[]> {
  const { rows: columns } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS "isRequired", pg_get_expr(adbin, adrelid) AS default
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [`${schema}.${table}`],
  );
  const declarations = columns.map(
    ({ name, type, isRequired, default: value }) =>
      `"${name}" ${type}${value === null ? '' : ` DEFAULT ${value}`}${isRequired ? ' NOT NULL' : ''}`,
  );
  const parts = [`CREATE TABLE ${schema}.${table} (${declarations.join(', ')});`];
  const { rows } = await client.query<{ literals: readonly string[] }>(
    `SELECT ARRAY[${columns.map(({ name }) => `quote_nullable("${name}")`).join(', ')}] AS literals FROM ${schema}.${table} ORDER BY 1`,
  );
  for (let from = 0; from < rows.length; from += ROWS) {
    const block = rows.slice(from, from + ROWS).map((row) => `(${row.literals.join(', ')})`);
    parts.push(`INSERT INTO ${schema}.${table} VALUES\n${block.join(',\n')};`);
  }
  return parts;
}
