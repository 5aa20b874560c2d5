import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The folding of letters in search words at the time of this migration. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
};
const WORDS_MAX = 6;
const KEY_LENGTH_MAX = 60;
/** Names in one statement. */
const BATCH = 200;

const INDEXES = {
  name_key: 'transactions_by_name',
  second_name_key: 'transactions_by_second_name',
  last_name_key: 'transactions_by_last_name',
};

const folded = (text: string) =>
  [...text.replace(/['’]/g, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\p{M}/gu, '')]
    .map((letter) => LETTERS[letter] ?? letter)
    .join('');

function keysOf(name: string): (string | null)[] {
  const words = folded(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
  const starts = [words, words.slice(1), words.length > 2 ? words.slice(-1) : []];
  return starts.map((part) => (part.length === 0 ? null : Buffer.from(part.join(' ').slice(0, KEY_LENGTH_MAX)).toString('hex')));
}

/** Adds the keys of the customer's name, by which payments are found. */
export class FindPaymentsByName2026112932000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    const isPostgres = run.connection.options.type === 'postgres';
    for (const column of Object.keys(INDEXES)) await run.query(`ALTER TABLE transactions ADD COLUMN ${column} text`);
    const rows = (await run.query('SELECT DISTINCT customer_name AS name FROM transactions WHERE customer_name IS NOT NULL')) as {
      readonly name: string;
    }[];
    // Names are far fewer than payments, and no index finds the payments of one.
    await run.query('CREATE TEMPORARY TABLE keys_of_names (name text PRIMARY KEY, first text, second text, last text)');
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH).map(({ name }) => [name, ...keysOf(name)]);
      const places = batch.map((_, row) => `(${[1, 2, 3, 4].map((column) => (isPostgres ? `$${row * 4 + column}` : '?')).join(', ')})`);
      await run.query(`INSERT INTO keys_of_names (name, first, second, last) VALUES ${places.join(', ')}`, batch.flat());
    }
    await run.query(
      'UPDATE transactions SET name_key = k.first, second_name_key = k.second, last_name_key = k.last FROM keys_of_names AS k WHERE customer_name = k.name',
    );
    await run.query('DROP TABLE keys_of_names');
    for (const [column, index] of Object.entries(INDEXES))
      await run.query(`CREATE INDEX ${index} ON transactions (tenant_id, ${column}, id) WHERE ${column} IS NOT NULL`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [column, index] of Object.entries(INDEXES)) {
      await run.query(`DROP INDEX ${index}`);
      await run.query(`ALTER TABLE transactions DROP COLUMN ${column}`);
    }
  }
}
