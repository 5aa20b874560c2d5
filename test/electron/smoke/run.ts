// `npm run smoke:desktop -- [--app dist] [--report smoke-report]` uses the packaged application as a person does, and writes a report with pictures.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { NoApplication, packagedApplication } from './application.ts';
import { smokeTest } from './smoke.ts';

const { values } = parseArgs({
  options: { app: { type: 'string', default: 'dist' }, report: { type: 'string', default: 'smoke-report' } },
});
const report = resolve(values.report);
const copy = mkdtempSync(join(tmpdir(), 'paydesk-smoke-application-'));
try {
  const passed = await smokeTest(packagedApplication(resolve(values.app), copy), report);
  console.log(`${passed ? 'No step failed' : 'A step failed'}: see ${join(report, 'report.md')}`);
  process.exitCode = passed ? 0 : 1;
} catch (error) {
  if (!(error instanceof NoApplication)) throw error;
  console.error(error.message);
  process.exitCode = 2;
} finally {
  rmSync(copy, { recursive: true, force: true, maxRetries: 3 });
}
