import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text } = migrationColumns;

const ranges = new Table({ name: 'card_ranges', columns: [...['tenant_id', 'first_digits'].map(key), text('funding')] });

/** Highest percentage of a rule. Higher ones were allowed before. */
const PERCENT_MAX = 4;

/** Adds the settings of tips, tax and surcharges, card ranges, and the parts that a payer adds to an invoice; moves the percentage of the terminal. */
export class AddSurchargeRules1763600000130 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("ALTER TABLE merchants ADD COLUMN amount_settings text NOT NULL DEFAULT '{}'");
    await run.createTable(ranges);
    for (const part of ['tip', 'surcharge']) {
      await run.query(`ALTER TABLE invoice_payments ADD COLUMN ${part}_minor bigint NOT NULL DEFAULT 0`);
    }
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') {
      await run.query('ALTER TABLE merchants ALTER COLUMN amount_settings DROP DEFAULT');
      for (const part of ['tip', 'surcharge']) await run.query(`ALTER TABLE invoice_payments ALTER COLUMN ${part}_minor DROP DEFAULT`);
    }
    await changeSettings(run, ({ surchargePercent, ...terminal }, amounts) => ({
      terminal,
      amounts:
        typeof surchargePercent === 'number' && surchargePercent > 0
          ? { ...amounts, surchargePercent: Math.min(surchargePercent, PERCENT_MAX) }
          : amounts,
    }));
  }

  async down(run: QueryRunner): Promise<void> {
    await changeSettings(run, (terminal, { surchargePercent }) => ({
      terminal: surchargePercent === undefined ? terminal : { ...terminal, surchargePercent },
      amounts: {},
    }));
    for (const part of ['tip', 'surcharge']) await run.query(`ALTER TABLE invoice_payments DROP COLUMN ${part}_minor`);
    await run.dropTable(ranges.name);
    await run.query('ALTER TABLE merchants DROP COLUMN amount_settings');
  }
}

type Settings = Record<string, unknown>;

async function changeSettings(
  run: QueryRunner,
  change: (terminal: Settings, amounts: Settings) => { terminal: Settings; amounts: Settings },
): Promise<void> {
  const merchants = (await run.query(
    "SELECT tenant_id, id, vt_settings, amount_settings FROM merchants WHERE vt_settings LIKE '%surchargePercent%' OR amount_settings LIKE '%surchargePercent%'",
  )) as { tenant_id: string; id: string; vt_settings: string; amount_settings: string }[];
  const [first, second, third, fourth] = run.connection.options.type === 'postgres' ? ['$1', '$2', '$3', '$4'] : ['?', '?', '?', '?'];
  for (const { tenant_id, id, vt_settings, amount_settings } of merchants) {
    const { terminal, amounts } = change(JSON.parse(vt_settings) as Settings, JSON.parse(amount_settings) as Settings);
    await run.query(
      `UPDATE merchants SET vt_settings = ${first}, amount_settings = ${second} WHERE tenant_id = ${third} AND id = ${fourth}`,
      [JSON.stringify(terminal), JSON.stringify(amounts), tenant_id, id],
    );
  }
}
