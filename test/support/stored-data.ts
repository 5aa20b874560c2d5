import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';

/** Returns everything that is stored, as text: each file of a data directory and, with a database address, each row of its tables. */
export async function storedData(dataDir: string, databaseUrl: string | undefined): Promise<string> {
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const parts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  if (databaseUrl !== undefined) parts.push(...(await rowsOf(databaseUrl)));
  return parts.join('\n');
}

async function rowsOf(databaseUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      "SELECT table_schema AS schema, table_name AS name FROM information_schema.tables WHERE table_schema IN ('public', 'sandbox_gateway')",
    );
    const parts: string[] = [];
    for (const { schema, name } of tables) parts.push(JSON.stringify((await client.query(`SELECT * FROM "${schema}"."${name}"`)).rows));
    return parts;
  } finally {
    await client.end();
  }
}
