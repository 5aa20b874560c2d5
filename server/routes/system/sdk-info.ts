import { Type } from 'typebox';
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
      version: Type.String({ description: 'version of the hosted card fields' }),
      apiVersion: Type.String({ description: 'version of the API, as in its addresses' }),
      serverVersion: Type.String(),
      hostedFieldsUrl: Type.String(),
      hostedFieldsFrameUrl: Type.String(),
      environment: Type.String(),
      tenantId: Type.String(),
      merchantId: Type.String(),
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
