import { Type } from 'typebox';
import { route, success } from '#server/http';
import { GatewayHealthOut, Maybe, Success } from '#server/schemas';

const health = route({
  surface: 'admin',
  scope: 'merchant',
  tag: 'Merchants',
  method: 'GET',
  permission: 'transactions:read',
  path: '/gateways/health',
  id: 'admin.gatewayHealth',
  summary: 'Whether the gateways answer',
  description:
    "Of the caller's merchants, each merchant's most preferred first, as this server finds it: another server of the same database may reach what this one does not. While a gateway is `open`, no payment is sent to it; `half-open`, one at a time is. A sandbox gateway is always `closed`. The stream of changes tells the topic `merchants` when one changes.",
  answer: Success(
    Type.Array(
      Type.Object({
        gatewayId: Type.String(),
        merchantId: Type.String(),
        name: Type.String(),
        type: Type.String(),
        status: Type.Union([Type.Literal('active'), Type.Literal('disabled')]),
        currency: Maybe(Type.String({ description: 'the only one that it takes; null of the sandbox, which takes all' })),
        health: GatewayHealthOut,
      }),
    ),
  ),
  run: ({ core, actor }) => core.status.gateways(actor),
  show: success,
});

/** How the ways to the processors stand. */
export const adminGatewayHealth = [health];
