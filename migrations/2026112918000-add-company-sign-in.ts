import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  `CREATE TABLE company_sign_in (
    tenant_id text NOT NULL, id text NOT NULL, is_on bigint NOT NULL, name text NOT NULL, issuer text NOT NULL, client_id text NOT NULL,
    secret text, groups_claim text NOT NULL, domain text, address text, groups text NOT NULL, seen_groups text NOT NULL,
    is_required bigint NOT NULL, break_glass_user_id text, updated_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  `CREATE TABLE company_identities (
    tenant_id text NOT NULL, id text NOT NULL, user_id text NOT NULL, issuer text NOT NULL, subject text NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX company_identities_by_user ON company_identities (tenant_id, user_id)',
  `CREATE TABLE company_sign_in_attempts (
    tenant_id text NOT NULL, id text NOT NULL, browser_hash text NOT NULL, secrets text NOT NULL, redirect_uri text NOT NULL,
    process_id text, answer text, expires_ms bigint NOT NULL, created_at text NOT NULL,
    PRIMARY KEY (tenant_id, id)
  )`,
  'CREATE INDEX company_sign_in_attempts_by_id ON company_sign_in_attempts (id)',
];

const COLUMNS = [
  ['users', 'company_link_until_ms', 'bigint'],
  ['sessions', 'company_identity_id', 'text'],
  ['sessions', 'company_sid', 'text'],
  ['sessions', 'company_token', 'text'],
  ['sessions', 'company_checked_ms', 'bigint'],
  ['sessions', 'company_auth_ms', 'bigint'],
] as const;

/** Adds the sign-in by OpenID Connect: settings, identities, sign-ins that have begun, and what a session knows of its provider. */
export class AddCompanySignIn2026112918000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const sql of TABLES) await run.query(sql);
    for (const [table, column, type] of COLUMNS) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS.toReversed()) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const table of ['company_sign_in_attempts', 'company_identities', 'company_sign_in']) await run.query(`DROP TABLE ${table}`);
  }
}
