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
const WORD_MAX = 60;

interface WordRow {
  readonly tenant_id: string;
  readonly word: string;
  readonly customer_id: string;
}

const hexOf = (text: string) => Buffer.from(text).toString('hex');

/** Adds the words in basic letters by which customers with other letters in their names are found, such as "lukasz" for "łukasz". */
export class AddFoldedSearchWords2026112915010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    const isPostgres = run.connection.options.type === 'postgres';
    const condition = Object.keys(LETTERS)
      .map((letter) => `word LIKE '%${hexOf(letter)}%'`)
      .join(' OR ');
    const rows = (await run.query(`SELECT tenant_id, word, customer_id FROM customer_words WHERE ${condition}`)) as WordRow[];
    const parameters = isPostgres ? '$1, $2, $3' : '?, ?, ?';
    for (const { tenant_id, word, customer_id } of rows) {
      const text = Buffer.from(word, 'hex').toString();
      const folded = [...text]
        .map((letter) => LETTERS[letter] ?? letter)
        .join('')
        .slice(0, WORD_MAX);
      if (folded === text) continue;
      await run.query(`INSERT INTO customer_words (tenant_id, word, customer_id) VALUES (${parameters}) ON CONFLICT DO NOTHING`, [
        tenant_id,
        hexOf(folded),
        customer_id,
      ]);
    }
  }

  async down(): Promise<void> {
    // Further words do no harm to earlier versions.
  }
}
