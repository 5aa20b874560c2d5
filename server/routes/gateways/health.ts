import { Type } from 'typebox';
import { GatewayHealth } from '#core/processing/gateways';
import { route, Success } from '#server/http';
import { Maybe } from '#server/schemas';

const health = route({
  surface: 'admin',
  scope: 'merchant',
  tag: 'Merchants',
  method: 'GET',
  permission: 'transactions:read',
  path: '/gateways/health',
  id: 'admin.gatewayHealth',
  summary: 'Health of the gateways',
  description:
    "Gateways of the caller's merchants in each merchant's order of preference, as this server sees them: another server of the same database may reach a gateway that this one does not reach. While a gateway is `open`, no payment is sent to it; `half-open`, one at a time is. A sandbox gateway is always `closed`. The stream of changes publishes the topic `merchants` when a state changes.",
  response: Success(
    Type.Array(
      Type.Object({
        gatewayId: Type.String(),
        merchantId: Type.String(),
        name: Type.String(),
        type: Type.String(),
        status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
        currency: Maybe(Type.String({ description: 'its only currency; null for the sandbox, which accepts all currencies' })),
        health: GatewayHealth,
      }),
    ),
  ),
  run: ({ core, actor }) => core.status.gateways(actor),
});

/** Routes for the health of gateways. */
export const adminGatewayHealth = [health];
