import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { LINK_SCHEME } from '../../../electron/deep-link.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { billOfMaterials } from '../../../scripts/release/bill-of-materials.ts';

const PACKAGING = join(import.meta.dirname, '../../../packaging');

test('the container file has no mistakes, runs as an ordinary user and states how its health is checked', () => {
  const text = readFileSync(join(PACKAGING, 'Containerfile'), 'utf8');
  expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  expect(text).toMatch(/^USER node$/m);
  expect(text).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/health/m);
});

test('the desktop entry opens the links of the application, and is like that of the installers', () => {
  const entry = Object.fromEntries(
    readFileSync(join(PACKAGING, 'paydesk.desktop'), 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const builder = readFileSync(join(PACKAGING, '../electron-builder.yml'), 'utf8');
  const fieldOf = (name: string) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(builder)?.[1];
  const category = /^linux:\n {2}category: (.+)$/m.exec(builder)?.[1];
  expect(entry).toMatchObject({
    Type: 'Application',
    Name: fieldOf('productName'),
    Comment: fieldOf('synopsis'),
    Categories: `${category};`,
    MimeType: `x-scheme-handler/${LINK_SCHEME};`,
    Exec: expect.stringMatching(/ %U$/),
  });
  expect(builder).toContain(`schemes: [${LINK_SCHEME}]`);
});

test('the bill of materials lists what is shipped', () => {
  const text = billOfMaterials('1.2.3', 1_760_000_000);
  const { metadata, components } = JSON.parse(text) as {
    metadata: { timestamp: string; component: { name: string; version: string } };
    components: { name: string; scope: string }[];
  };
  expect(metadata).toMatchObject({ timestamp: '2025-10-09T08:53:20.000Z', component: { name: 'paydesk', version: '1.2.3' } });
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(manifest.dependencies), 'fastify', 'react', 'node']));
  expect(names).not.toContain('vitest');
  expect(new Set(components.map(({ scope }) => scope))).toEqual(new Set(['required']));
});
