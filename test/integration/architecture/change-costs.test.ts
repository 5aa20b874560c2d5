// @module-tag full
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../support/sources.ts';

/** Folders of the service and the command line, which the compiler checks. */
const CODE = ['shared', 'core', 'server', 'electron', 'migrations', 'mcp', 'cli'];
/** Folders and files that these folders import. */
const IMPORTED = ['scripts', 'simulators', 'renderer/base/language', 'package.json', 'tsconfig.base.json'];
const COMPILER_MS = 600_000;

/** Changes of the copy: the text after which each is inserted. */
const INSERTIONS = {
  'shared/webhook-events.ts': {
    after: 'export const WEBHOOK_EVENTS = {\n',
    text: "  'transaction.inspected': event('Transactions', object(common('transactionId')), () => ({ transactionId: TRANSACTION_ID })),\n",
  },
  'core/sales/payments/schema.ts': {
    after: "export const TRANSACTIONS = table(\n  'transactions',\n  {\n",
    text: '    inspected_at: text.optional,\n',
  },
  'core/sales/payments/records.ts': {
    after: "export const Transaction = record('Transaction', {\n",
    text: "  inspectedAt: nullable(time('Time of the inspection')),\n",
  },
};

const copy = mkdtempSync(join(tmpdir(), 'paydesk-change-'));

beforeAll(() => {
  for (const path of [...CODE, ...IMPORTED]) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  for (const path of ['node_modules', 'clients']) symlinkSync(join(ROOT, path), join(copy, path));
  for (const [path, { after, text }] of Object.entries(INSERTIONS)) {
    const before = readFileSync(join(copy, path), 'utf8');
    expect(before, path).toContain(after);
    writeFileSync(
      join(copy, path),
      before.replace(after, () => after + text),
    );
  }
  const options = { noEmit: true, composite: false, emitDeclarationOnly: false, types: ['node'] };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', compilerOptions: options, include: CODE }));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Returns the row of a change in ARCHITECTURE.md. */
const rowOf = (change: string) =>
  readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${change} `)) ?? '';

test('an event and a field of transactions touch the files that ARCHITECTURE.md lists, which the compiler names', {
  timeout: COMPILER_MS,
}, () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], { cwd: copy, encoding: 'utf8' });
  const complaints = [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, path = '']) => path);
  expect([...new Set(complaints)].toSorted(), stdout).toEqual(['cli/triggers/flows.ts', 'core/sales/payments/transaction.ts']);
  expect(rowOf('a webhook event')).toMatch(/shared\/webhook-events\.ts.*cli\/triggers\/flows\.ts/);
  for (const file of ['schema', 'records', 'transaction'])
    expect(rowOf('a field of transactions')).toContain(`core/sales/payments/${file}.ts`);
});

test('the table of changes names files and folders that exist', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const table = text.slice(text.indexOf('## Files that a change touches'));
  const paths = [...table.matchAll(/`([\w-]+\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths) expect(() => readFileSync(join(ROOT, path)), path).not.toThrow(/ENOENT/);
});
