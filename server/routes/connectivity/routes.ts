import { Type } from 'typebox';
import { ConnectivityReport } from '#core/processing/connectivity';
import { type Route, route, Success, success } from '#server/http';
import { Text } from '#server/schemas';

/** Declares the route of the connection to the gateways, which is the same on the Public and the Admin surface. */
export function connectivityRoutes(surface: 'admin' | 'public'): Route[] {
  return [
    route({
      surface,
      tag: surface === 'admin' ? 'System' : 'Public API',
      scope: 'merchant',
      method: 'GET',
      permission: 'transactions:read',
      path: '/system/connectivity',
      id: `${surface}.systemConnectivity`,
      summary: 'Connection to the gateways, and what works now',
      description:
        'As this server sees it: another server of the same database may reach a gateway that this one does not reach. An outage is shown immediately; its end is shown after the gateway has answered for 10 seconds, and for up to 120 seconds if outages follow each other. Each change publishes the event `system.connectivity_changed`. While the database is down, no credential can be checked, so the response is the same for everyone and contains nothing of an account.',
      query: Type.Object({
        merchantId: Type.Optional(Text(60, "one merchant; by default the caller's own, or the first one of the account")),
      }),
      response: Success(ConnectivityReport),
      errors: ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
      withoutDatabase: async (core) => shown(await core.connectivity.withoutDatabase()),
      run: ({ core, actor, query }) => core.connectivity.of(actor, query.merchantId),
    }),
  ];
}

const shown = (reach: ConnectivityReport | null) => (reach === null ? null : success(reach));
