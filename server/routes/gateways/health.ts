import { Type } from 'typebox';
import { GatewayCircuit } from '#core/operation/status';
import { route, Success } from '#server/http';

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
  response: Success(Type.Array(GatewayCircuit)),
  run: ({ core, actor }) => core.status.gateways(actor),
});

/** Routes for the health of gateways. */
export const adminGatewayHealth = [health];
