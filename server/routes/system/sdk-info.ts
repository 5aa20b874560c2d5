import { Type } from 'typebox';
import { id, text } from '#core/platform/fields';
import { route, Success, VERSION } from '#server/http';
import { HOSTED_FIELDS } from '#server/pages';

const info = route({
  surface: 'public',
  scope: 'caller',
  method: 'GET',
  permission: 'session',
  path: '/sdk-info',
  id: 'public.sdkInfo',
  tag: 'Public API',
  summary: 'Version and addresses of the hosted card fields',
  description:
    'A shop’s page loads `hostedFieldsUrl` and calls `PaydeskFields.mount(element, {clientToken, tenantId})`; the card number is entered in the frame at `hostedFieldsFrameUrl`. Both are below the merchant’s public address.',
  response: Success(
    Type.Object({
      version: text('version of the hosted card fields', '1.0.0'),
      apiVersion: text('version of the API, as in its addresses', 'v1'),
      serverVersion: text('Version of the server', '0.1.0'),
      hostedFieldsUrl: text('Script of the hosted card fields', 'http://127.0.0.1:4801/fields/v1.js'),
      hostedFieldsFrameUrl: text('Page that the script embeds', 'http://127.0.0.1:4801/fields/card'),
      environment: text('`sandbox` or `live`', 'sandbox'),
      tenantId: id('ten', 'ID of the tenant'),
      merchantId: id('mer', 'ID of the merchant'),
    }),
  ),
  run: async ({ core, actor }) => {
    const merchant = await core.merchants.merchantFor(actor);
    return {
      version: HOSTED_FIELDS.version,
      apiVersion: 'v1',
      serverVersion: VERSION,
      hostedFieldsUrl: core.merchants.pageUrl(merchant, HOSTED_FIELDS.scriptPath),
      hostedFieldsFrameUrl: core.merchants.pageUrl(merchant, HOSTED_FIELDS.framePath),
      environment: core.identity.tenants.environmentOf(actor.tenantId),
      tenantId: actor.tenantId,
      merchantId: merchant.merchantId,
    };
  },
});

export const publicSdkInfo = [info];
