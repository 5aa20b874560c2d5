// The minimal export for computers without a sqlite3 program: pages by key, checks only free text for quotes, uses no HTTP. Prints rows and time.
// Arguments: file, tenant, columns.
import BetterSqlite3 from 'better-sqlite3';

const [file = '', tenantId = '', columns = ''] = process.argv.slice(2);
const PAGE = 500;
const database = new BetterSqlite3(file, { readonly: true });
const page = database.prepare(`SELECT ${columns} FROM transactions WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT ${PAGE}`).raw();
const began = performance.now();
let rows = 0;
let bytes = 0;
for (let below = 'txn_~'; ; ) {
  const found = page.all(tenantId, below) as (string | number | null)[][];
  let text = '';
  for (const row of found) {
    for (let at = 0; at < row.length; at += 1) {
      const value = row[at];
      const quoted = typeof value === 'string' && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : (value ?? '');
      text += at === 0 ? quoted : `,${quoted}`;
    }
    text += '\r\n';
  }
  bytes += Buffer.byteLength(text);
  rows += found.length;
  const last = found.at(-1);
  if (!last || found.length < PAGE) break;
  below = last[0] as string;
}
process.stdout.write(`${JSON.stringify({ rows, bytes, ms: performance.now() - began })}\n`);
