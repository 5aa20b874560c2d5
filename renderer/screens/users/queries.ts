import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/client';
import { withConfirmation } from '#renderer/confirmation';

export const PAGE_SIZE = 50;
/** Maximum number of roles that are shown. */
const ROLES_MAX = 200;

export function usersQuery(merchantId: string, page: number) {
  return queryOptions({
    queryKey: ['users', merchantId, page],
    queryFn: () =>
      takePage(api.GET('/api/v1/merchants/{merchantId}/users', { params: { path: { merchantId }, query: { page, limit: PAGE_SIZE } } })),
  });
}

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: () => takePage(api.GET('/api/v1/roles', { params: { query: { limit: ROLES_MAX } } })),
});

interface NewUserForm {
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly allMerchants: boolean;
  readonly phone: string;
}

export function createUser(merchantId: string, { email, name, role, allMerchants, phone }: NewUserForm) {
  const body = { email, name, role, allMerchants, ...(phone && { phone }) };
  return takeData(api.POST('/api/v1/merchants/{merchantId}/users', { params: { path: { merchantId } }, body }));
}

interface UserChange {
  readonly name?: string;
  readonly role?: string;
  readonly permissions?: string[] | null;
  readonly phone?: string | null;
  readonly allMerchants?: boolean;
}

const pathParams = (merchantId: string, userId: string) => ({ params: { path: { merchantId, userId } } });

export const changeUser = (merchantId: string, userId: string, body: UserChange) =>
  takeData(api.PUT('/api/v1/merchants/{merchantId}/users/{userId}', { ...pathParams(merchantId, userId), body }));
export const removeUser = (merchantId: string, userId: string) =>
  takeData(api.DELETE('/api/v1/merchants/{merchantId}/users/{userId}', pathParams(merchantId, userId)));
export const inviteAgain = (merchantId: string, userId: string) =>
  takeData(api.POST('/api/v1/merchants/{merchantId}/users/{userId}/invite', pathParams(merchantId, userId)));

/** Turns off the second factor of a user who lost the phone and the recovery codes. */
export const resetTwoFactor = (merchantId: string, userId: string) =>
  withConfirmation((given) =>
    takeData(api.DELETE('/api/v1/merchants/{merchantId}/users/{userId}/two-factor', { ...pathParams(merchantId, userId), body: given })),
  );

/** Removes the PIN of a user, for a PIN that others know. */
export const removePin = (merchantId: string, userId: string) =>
  takeData(api.DELETE('/api/v1/merchants/{merchantId}/users/{userId}/pin', pathParams(merchantId, userId)));

interface RoleForm {
  readonly name: string;
  readonly permissions: string[];
}

export const createRole = (body: RoleForm) => takeData(api.POST('/api/v1/roles', { body }));
export const changeRole = (id: string, body: RoleForm) => takeData(api.PUT('/api/v1/roles/{id}', { params: { path: { id } }, body }));
export const deleteRole = (id: string) => takeData(api.DELETE('/api/v1/roles/{id}', { params: { path: { id } } }));

export function refreshUsers(): void {
  void queryClient.invalidateQueries({ queryKey: ['users'] });
  void queryClient.invalidateQueries({ queryKey: ['roles'] });
}
