import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACH_DECLINE_CODES, CARD_DECLINE_CODES, REFUND_REFUSED } from '#core/processing/gateways';
import { openApiDocument } from '#server/openapi';
import { allowedTools, type OpenApi, toolsOf } from '../../../mcp/tools.ts';
import { allRoutes } from '../../../server/routes/index.ts';
import { withoutReferences } from '../../support/openapi.ts';

const absent = () => {
  throw new Error('no server is running');
};
const routes = allRoutes(
  { dataDir: '', isSetUp: async () => true, examineDatabase: absent, join: absent, setUp: absent, restore: absent },
  absent,
);
const document = openApiDocument(routes) as unknown as OpenApi;
const tools = toolsOf(document);
const documented = withoutReferences(document).paths;

const resolve = (schema: unknown, root: Record<string, unknown>): unknown => {
  if (Array.isArray(schema)) return schema.map((part) => resolve(part, root));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) return resolve((root.$defs as Record<string, unknown>)[$ref.replace('#/$defs/', '')], root);
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolve(value, root)]));
};

describe('tools for agents', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))('%s takes the fields of its route with their schemas', (name, tool) => {
    const route = routes.find(({ id }) => id === `public.${name}`);
    const properties = resolve(tool.inputSchema.properties, tool.inputSchema) as Record<string, unknown>;
    const { body, permission } = route ?? {};
    expect(permission).toBe(tool.permission);
    const content = documented[`/api/v1${tool.path}`]?.[tool.method]?.requestBody?.content ?? {};
    const described = (content['application/json'] ?? content['multipart/form-data'])?.schema.properties;
    for (const field of tool.places.body) expect(properties[field]).toEqual(described?.[field] ?? 'described');
    const optional = (body?.required ?? []) as readonly string[];
    expect(tool.inputSchema.required).toEqual(expect.arrayContaining([...optional]));
  });

  test('no schema contains a field for a card or account number', () => {
    for (const { inputSchema } of tools) expect(JSON.stringify(resolve(inputSchema, inputSchema))).not.toContain('"protected"');
  });

  test('those that create a record or move money take an idempotency key', () => {
    const others = tools.filter(({ isWrite, method, isIdempotent }) => isWrite && method === 'post' && !isIdempotent);
    expect(others.map(({ name }) => name).sort()).toEqual([
      'addDisputeAttachment',
      'createClientToken',
      // Codes that exist stay as they are, so a repeated file has no effect.
      'importGiftCards',
      'importItems',
      'orderItems',
    ]);
  });

  test('refunds have to name an amount, or ask for all of it', () => {
    const open = tools.filter(({ isOpenRefund }) => isOpenRefund);
    expect(open.map(({ name }) => name).sort()).toEqual(['refundTender', 'refundToGiftCard', 'refundTransaction']);
    for (const { inputSchema } of open) expect(inputSchema.properties).toHaveProperty('full');
  });

  const limits = { liveWrites: false };
  const key = { environment: 'sandbox', permissions: ['refunds:read', 'refunds:write', 'invoices:write'], spendingLimits: limits } as const;

  test('writes only in allowed areas, within the permissions of the key', () => {
    const writes = allowedTools(tools, key, ['refunds', 'customers']).filter(({ isWrite }) => isWrite);
    expect(writes.map(({ name }) => name)).toEqual(['refundTransaction', 'refundToGiftCard']);
    expect(allowedTools(tools, key, []).filter(({ isWrite }) => isWrite)).toEqual([]);
  });

  test('offers no tool that changes something without an allowed area, whatever permissions the key has', () => {
    const everything = { ...key, permissions: [...new Set(tools.map(({ permission }) => permission))] };
    const offered = allowedTools(tools, everything, []);
    expect(offered.filter(({ isWrite }) => isWrite)).toEqual([]);
    // Computes or describes something, and stores nothing.
    const questions = ['describeToken', 'giftCardBalance', 'previewInstallmentPlan'];
    expect(offered.filter(({ method, name }) => method !== 'get' && !questions.includes(name)).map(({ name }) => name)).toEqual([]);
    const ofTenders = allowedTools(tools, everything, ['tenders']).filter(({ isWrite }) => isWrite);
    expect(ofTenders.map(({ name }) => name).sort()).toEqual(['createTender', 'refundTender', 'returnCheck']);
    expect(() => allowedTools(tools, everything, ['tender'])).toThrow(
      'There is no area `tender` with tools for changes. Areas: credits, customers, ',
    );
  });

  test('refuses changes without spending limits, and on a live account unless the limits allow it', () => {
    expect(() => allowedTools(tools, { ...key, spendingLimits: null }, ['refunds'])).toThrow('no spending limits');
    expect(() => allowedTools(tools, { ...key, environment: 'live' }, ['refunds'])).toThrow('live account');
    expect(allowedTools(tools, { ...key, environment: 'live', spendingLimits: { liveWrites: true } }, ['refunds'])).not.toEqual([]);
  });
});

test('the documentation explains every decline code', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/decline-codes.md'), 'utf8');
  for (const code of [...CARD_DECLINE_CODES, ...ACH_DECLINE_CODES, REFUND_REFUSED]) expect(text).toContain(`| \`${code}\``);
});
