import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, takeData, takePage } from '#renderer/base/client';
import { withConfirmation } from '#renderer/session/confirmation';

export const PAGE_SIZE = 50;
/** Maximum number of roles that are shown. */
const ROLES_MAX = 200;
/** Maximum number of API keys that are shown before they are revoked. */
const KEYS_MAX = 200;

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

/** Valid API keys that a person, or the people of a role, made. */
export const keysOfPeopleQuery = (people: { readonly createdById: string } | { readonly creatorRole: string }) =>
  queryOptions({
    queryKey: ['api-keys', 'of-people', people],
    queryFn: () => takePage(api.GET('/api/v1/api-keys', { params: { query: { ...people, status: 'active', limit: KEYS_MAX } } })),
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

/** API keys that stay valid although their maker loses rights. */
interface KeptKeys {
  readonly keepApiKeyIds?: string[];
}

interface UserChange extends KeptKeys {
  readonly name?: string;
  readonly role?: string;
  readonly permissions?: string[] | null;
  readonly phone?: string | null;
  readonly allMerchants?: boolean;
}

const pathParams = (merchantId: string, userId: string) => ({ params: { path: { merchantId, userId } } });

export const changeUser = (merchantId: string, userId: string, body: UserChange) =>
  takeData(api.PUT('/api/v1/merchants/{merchantId}/users/{userId}', { ...pathParams(merchantId, userId), body }));
export const removeUser = (merchantId: string, userId: string, body: KeptKeys) =>
  takeData(api.DELETE('/api/v1/merchants/{merchantId}/users/{userId}', { ...pathParams(merchantId, userId), body }));
export const inviteAgain = (merchantId: string, userId: string) =>
  takeData(api.POST('/api/v1/merchants/{merchantId}/users/{userId}/invite', pathParams(merchantId, userId)));

/** Turns off the second factor of a user who lost the phone and the recovery codes. */
export const resetTwoFactor = (merchantId: string, userId: string) =>
  withConfirmation((given) =>
    takeData(api.DELETE('/api/v1/merchants/{merchantId}/users/{userId}/two-factor', { ...pathParams(merchantId, userId), body: given })),
  );

/** Lets the account at the company's provider with the same email address sign in as this user, once within a week. */
export const allowCompanyAccount = (userId: string) =>
  takeData(api.POST('/api/v1/users/{userId}/company-account', { params: { path: { userId } }, body: {} }));

/** Removes the PIN of a user, for a PIN that others know. */
export const removePin = (merchantId: string, userId: string) =>
  takeData(api.DELETE('/api/v1/merchants/{merchantId}/users/{userId}/pin', pathParams(merchantId, userId)));

interface RoleForm {
  readonly name: string;
  readonly permissions: string[];
  readonly allowedAddresses: string[];
}

export const createRole = (body: RoleForm) => takeData(api.POST('/api/v1/roles', { body }));
export const changeRole = (id: string, body: RoleForm & KeptKeys) =>
  takeData(api.PUT('/api/v1/roles/{id}', { params: { path: { id } }, body }));
export const deleteRole = (id: string) => takeData(api.DELETE('/api/v1/roles/{id}', { params: { path: { id } } }));

export function refreshUsers(): void {
  void queryClient.invalidateQueries({ queryKey: ['users'] });
  void queryClient.invalidateQueries({ queryKey: ['roles'] });
  void queryClient.invalidateQueries({ queryKey: ['api-keys'] });
}
