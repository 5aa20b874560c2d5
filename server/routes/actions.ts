import type { Core } from '#core';
import type { Principal } from '#core/access/identity';
import { type Actions, actionOf, type WithActions } from '#core/kernel';
import { checkAccess, type RouteAccess } from '#server/hooks';

/** Returns actions as the caller may run them: a refusal by its permissions comes before one by the state of the record. */
export async function actionsFor<Name extends string>(
  { core, principal }: { readonly core: Core; readonly principal: Principal },
  routes: Readonly<Record<Name, RouteAccess>>,
  actions: Actions<Name>,
): Promise<Actions<Name>> {
  const names = Object.keys(routes) as Name[];
  const shown = await Promise.all(
    names.map(async (name) => {
      const access = await actionOf(async () => {
        await checkAccess(routes[name], principal, core);
        return {};
      });
      return [name, access.allowed ? actions[name] : access] as const;
    }),
  );
  return Object.fromEntries(shown) as Actions<Name>;
}

/** Returns a record with its actions as the caller may run them. */
export async function forCaller<Name extends string, Found extends WithActions<Name>>(
  call: { readonly core: Core; readonly principal: Principal },
  routes: Readonly<Record<Name, RouteAccess>>,
  record: Found | Promise<Found>,
): Promise<Found> {
  const found = await record;
  return { ...found, actions: await actionsFor(call, routes, found.actions) };
}
