import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAME_MIN = 6;
const PAGE_ROWS = 1_000;
const LEGAL_FORMS = /(?:INCORPORATED|CORPORATION|LIMITED|COMPANY|GMBH|CORP|SARL|LLC|LTD|INC|PLC|SRL|LLP|AG|SA|SL|BV|CO)$/;

interface Row {
  readonly tenant_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly customer_id: string;
  readonly customer_name: string | null;
  readonly customer_company: string | null;
}

const compact = (text: string) => (text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('');

/** Returns names as the texts of banks have them, at the time of this migration. */
function writtenNames(names: readonly (string | null)[]): string[] {
  const written = names
    .filter((name) => name !== null)
    .flatMap((name) => {
      const words = name.trim().split(/\s+/);
      return [compact(name).replace(LEGAL_FORMS, ''), ...(words.length === 2 ? [compact(words.toReversed().join(''))] : [])];
    });
  return [...new Set(written)].filter((name) => name.length >= NAME_MIN);
}

/** Adds the unpaid amount of invoices and the names of their customers, by which lines of bank statements find them. */
export class FindUnpaidInvoicesOfBankLines2026120102100 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    const isPostgres = run.connection.options.type === 'postgres';
    await run.query('ALTER TABLE invoices ADD COLUMN unpaid_minor bigint');
    await run.query(
      "UPDATE invoices SET unpaid_minor = amount_minor - paid_minor - pending_minor WHERE kind = 'invoice' AND status IN ('sent', 'partially_paid', 'overdue') AND amount_minor > paid_minor + pending_minor",
    );
    await run.query(
      'CREATE INDEX invoices_by_unpaid_amount ON invoices (tenant_id, merchant_id, currency, unpaid_minor, id) WHERE unpaid_minor IS NOT NULL',
    );
    await run.query(
      'CREATE INDEX invoices_unpaid_by_customer ON invoices (tenant_id, customer_id, unpaid_minor) WHERE unpaid_minor IS NOT NULL',
    );
    await run.query(`CREATE TABLE invoice_payer_names (
      tenant_id text NOT NULL,
      merchant_id text NOT NULL,
      name text NOT NULL,
      customer_id text NOT NULL,
      start text NOT NULL,
      length bigint NOT NULL,
      PRIMARY KEY (tenant_id, merchant_id, name, customer_id)
    )`);
    await run.query('CREATE INDEX invoice_payer_names_by_start ON invoice_payer_names (tenant_id, merchant_id, start, length)');
    const parameters = isPostgres ? '$1, $2, $3, $4, $5, $6' : '?, ?, ?, ?, ?, ?';
    let after = ['', ''];
    for (;;) {
      const [tenant, id] = isPostgres ? ['$1', '$2'] : ['?', '?'];
      const rows = (await run.query(
        `SELECT tenant_id, id, merchant_id, customer_id, customer_name, customer_company FROM invoices WHERE (tenant_id, id) > (${tenant}, ${id}) AND kind = 'invoice' AND status IN ('sent', 'partially_paid', 'overdue') AND customer_id IS NOT NULL ORDER BY tenant_id, id LIMIT ${PAGE_ROWS}`,
        after,
      )) as Row[];
      for (const row of rows)
        for (const name of writtenNames([row.customer_name, row.customer_company]))
          await run.query(
            `INSERT INTO invoice_payer_names (tenant_id, merchant_id, name, customer_id, start, length) VALUES (${parameters}) ON CONFLICT DO NOTHING`,
            [row.tenant_id, row.merchant_id, name, row.customer_id, name.slice(0, NAME_MIN).toWellFormed(), name.length],
          );
      const last = rows.at(-1);
      if (rows.length < PAGE_ROWS || last === undefined) return;
      after = [last.tenant_id, last.id];
    }
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE invoice_payer_names');
    await run.query('DROP INDEX invoices_unpaid_by_customer');
    await run.query('DROP INDEX invoices_by_unpaid_amount');
    await run.query('ALTER TABLE invoices DROP COLUMN unpaid_minor');
  }
}
