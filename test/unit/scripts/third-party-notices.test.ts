import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXTERNAL_PACKAGES } from '../../../scripts/external-packages.ts';
import { shippedPackages } from '../../../scripts/shipped-packages.ts';
import { thirdPartyNotices } from '../../../scripts/third-party-notices.ts';

/** Licenses that allow shipping a package inside of a proprietary bundle, with a notice. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT AND OFL-1.1',
  'MIT and ISC',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
]);
/** Licenses that require that users can replace the package. */
const COPYLEFT: Readonly<Record<string, string>> = { openpgp: 'LGPL-3.0+' };
const ROOT = join(import.meta.dirname, '../../..');

describe('licenses of shipped packages', () => {
  const packages = shippedPackages();

  test('are permissive, except for packages that stay replaceable', () => {
    expect(packages.filter(({ name, license }) => !PERMISSIVE.has(license) && COPYLEFT[name] !== license)).toEqual([]);
  });

  test('cover the service, the pages and the desktop application', () => {
    const names = packages.map(({ name }) => name);
    for (const name of [
      'fastify',
      'kysely',
      'react',
      '@mui/material',
      '@emotion/react',
      'electron-updater',
      'commander',
      'png-js',
      'openpgp',
    ])
      expect(names).toContain(name);
    for (const name of ['vitest', 'typescript', 'electron-builder']) expect(names).not.toContain(name);
  });

  test('include that of png-js, which states it in a file only', () => {
    expect(readFileSync(join(ROOT, 'node_modules/png-js/LICENSE'), 'utf8')).toMatch(/^MIT License/);
    expect(packages.find(({ name }) => name === 'png-js')?.license).toBe('MIT');
  });

  test('are in the notices with their texts', () => {
    const notices = thirdPartyNotices();
    for (const { name, version, license } of packages) expect(notices).toContain(`${name} ${version} (${license})`);
    expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
    expect(notices).toMatch(/GNU GENERAL PUBLIC LICENSE\s+Version 3/);
    expect(notices).toContain('may be replaced by a changed version');
  });

  test('allow to replace each package under the LGPL, which no bundle contains and the desktop application does not pack', () => {
    const builder = readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8');
    const unpacked = /asarUnpack:\n(?<list>(?: +.*\n)+)/.exec(builder)?.groups?.list;
    for (const name of Object.keys(COPYLEFT)) {
      expect(EXTERNAL_PACKAGES).toContain(name);
      expect(unpacked).toContain(`"**/node_modules/${name}/**"`);
    }
  });
});
