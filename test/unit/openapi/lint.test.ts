import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { documentOfRoutes } from '../../support/contract.ts';
import { ROOT } from '../../support/sources.ts';

const CONFIG_FILE = join(ROOT, 'redocly.yaml');

test('the OpenAPI document has no fault by the strict rules of Redocly', async () => {
  const config = await createConfig(readFileSync(CONFIG_FILE, 'utf8'), { configPath: CONFIG_FILE });
  const problems = await lintFromString({ source: JSON.stringify(documentOfRoutes()), absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual([]);
});
