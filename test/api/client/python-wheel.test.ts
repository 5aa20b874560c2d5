import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeClientsWhenStale } from '../../../scripts/client-types.ts';
import { writePythonWheel } from '../../../scripts/release/python-wheel.ts';
import { whyNotRun } from '../../support/other-programs.ts';

const EPOCH = 1_795_000_000;
const reason = whyNotRun('python3');
const run = (program: string, args: readonly string[], env: Record<string, string> = {}) =>
  execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }).trim();

let folder: string;
let wheel: string;
beforeAll(async () => {
  await writeClientsWhenStale();
  folder = mkdtempSync(join(tmpdir(), 'paydesk-wheel-'));
  wheel = join(folder, writePythonWheel(folder, '0.1.0', EPOCH));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the same files give the same bytes in every time zone', () => {
  const before = process.env.TZ;
  const bytes = readFileSync(wheel);
  try {
    process.env.TZ = 'Pacific/Auckland';
    writePythonWheel(folder, '0.1.0', EPOCH);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
  expect(readFileSync(wheel).equals(bytes)).toBe(true);
  expect(bytes.length).toBeLessThan(1_000_000);
});

test.skipIf(reason !== undefined)(
  `pip installs the wheel, whose package is complete and typed${reason === undefined ? '' : ` (not run: ${reason})`}`,
  () => {
    const site = join(folder, 'site');
    run('python3', [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-index',
      '--no-compile',
      '--disable-pip-version-check',
      '--target',
      site,
      wheel,
    ]);
    const program = `
import importlib.metadata, paydesk
print(importlib.metadata.version("paydesk"), paydesk.__file__.startswith(${JSON.stringify(site)}))
print(len([name for name in dir(paydesk.Paydesk(base_url="http://127.0.0.1:9", tenant_id="t", api_key="k").admin) if not name.startswith("_")]) > 100)
print(all(file.hash is None or file.locate().exists() for file in importlib.metadata.files("paydesk")), any(str(file).endswith("py.typed") for file in importlib.metadata.files("paydesk")))
`;
    expect(run('python3', ['-I', '-c', `import sys; sys.path.insert(0, ${JSON.stringify(site)})\n${program}`]).split('\n')).toEqual([
      '0.1.0 True',
      'True',
      'True True',
    ]);
  },
);
