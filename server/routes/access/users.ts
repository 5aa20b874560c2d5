import { Type } from 'typebox';
import { CreatedUser, Role as RoleRecord, Session, User } from '#core/access/identity';
import { id } from '#core/platform/fields';
import { Paginated, type Route, route, Success } from '#server/http';
import {
  AllowedAddressesIn,
  AlwaysTrue,
  DateQuery,
  Deleted,
  datedPageFrom,
  EmailIn,
  IdIn,
  Maybe,
  oneOf,
  PageQuery,
  Params,
  PermissionsIn,
  PhoneIn,
  ProtectedText,
  pageFrom,
  Text,
} from '#server/schemas';

const shared = { surface: 'admin', tag: 'Users and roles' } as const;
const readUsers = { ...shared, method: 'GET', permission: 'users:read', scope: 'merchant' } as const;
const writeUsers = { ...shared, permission: 'users:write', scope: 'merchant', confirms: { level: 'recent' } } as const;
const readRoles = { ...shared, method: 'GET', permission: 'roles:read', scope: 'tenant' } as const;
const writeRoles = { ...shared, permission: 'roles:write', scope: 'tenant', confirms: { level: 'recent' } } as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const ROLE_MISSING = ['NOT_FOUND', 'FORBIDDEN', 'RESOURCE_CONFLICT'] as const;

const Role = Text(60, 'name or ID of a role');
const AllMerchants = Type.Boolean({ description: 'whether the user has access to every merchant; owners always have' });
const RoleName = Type.String({ minLength: 1, maxLength: 60, description: 'Name' });
const KeepKeys = {
  keepApiKeyIds: Type.Optional(
    Type.Array(Text(60), {
      maxItems: 200,
      description:
        'API keys of the person that stay valid although they may do more than the remaining rights; all others of this kind are revoked',
    }),
  ),
};
const KEYS_REVOKED =
  'API keys that the person made or last extended and that may do more than the remaining rights are revoked in the same commit, except those in `keepApiKeyIds`. `GET /api-keys?createdById=` lists them.';
const { role, permissions, ownPermissions } = User.properties;
const UserPermissions = Type.Object({ userId: id('usr', 'ID of the user'), role, permissions, ownPermissions });
const deletedId = (id: string) => ({ id, deleted: true }) as const;

/** Codes of the second factor go to the phone. */
const changesOwnPhone: NonNullable<NonNullable<Route['confirms']>['passwordOfSelf']> = async (core, { tenantId, credentialId }, body) =>
  body.phone !== undefined && body.phone !== (await core.identity.users.self(tenantId, credentialId)).phone;

const users = [
  route({
    ...writeUsers,
    method: 'POST',
    path: '/merchants/:merchantId/users',
    id: 'admin.createUser',
    approvable: true,
    summary: 'Create a user of a merchant',
    description:
      'Without a password the user gets an invitation by email; the response also contains its link in a sandbox, and while email is not set up. `permissions` replace those of the role. Nobody can grant a permission that they do not have. Only an owner can create an owner.',
    created: true,
    params: Params('merchantId'),
    body: Type.Object({
      email: EmailIn(),
      name: Type.Optional(Maybe(Text(100, 'name of the person'))),
      role: Role,
      permissions: Type.Optional(PermissionsIn),
      password: Type.Optional(ProtectedText(1024, '12 or more characters')),
      phone: Type.Optional(PhoneIn),
      allMerchants: Type.Optional(AllMerchants),
    }),
    response: Success(CreatedUser),
    errors: ['INVALID_EMAIL', 'INVALID_PHONE', 'RESOURCE_CONFLICT', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
    run: ({ core, actor, params, body }) => core.identity.users.create(actor, params.merchantId, body),
  }),
  route({
    ...readUsers,
    path: '/merchants/:merchantId/users',
    id: 'admin.listUsers',
    summary: 'Users with access to a merchant, newest first',
    description: 'Includes users of all merchants.',
    params: Params('merchantId'),
    query: Type.Object({ ...PageQuery, ...DateQuery, status: oneOf('active', 'invited', 'locked') }),
    response: Paginated(User),
    errors: ['INVALID_DATE', 'MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
    run: async ({ core, actor, params, query }) => {
      const { merchantId } = params;
      return core.identity.users.page(
        actor,
        merchantId,
        { status: query.status },
        await datedPageFrom(core, actor, { ...query, merchantId }),
      );
    },
  }),
  route({
    ...writeUsers,
    confirms: { level: 'recent', passwordOfSelf: changesOwnPhone },
    method: 'PUT',
    path: '/merchants/:merchantId/users/:userId',
    id: 'admin.updateUser',
    approvable: true,
    summary: 'Change a user',
    description:
      "Takes effect with the user's next request. A caller can't change a user who has permissions that the caller lacks. Only an owner can grant or revoke the owner role, or change an owner. A change of the caller's own `phone` always needs `currentPassword`. " +
      KEYS_REVOKED,
    params: Params('merchantId', 'userId'),
    body: Type.Object({
      name: Type.Optional(Maybe(Text(100, 'name of the person'))),
      role: Type.Optional(Role),
      permissions: Type.Optional(Maybe(PermissionsIn)),
      phone: Type.Optional(Maybe(PhoneIn)),
      allMerchants: Type.Optional(AllMerchants),
      ...KeepKeys,
    }),
    response: Success(User),
    errors: [...MISSING, 'INVALID_PHONE', 'RESOURCE_CONFLICT'],
    run: ({ core, actor, params, body }) => core.identity.users.update(actor, params.merchantId, params.userId, body),
  }),
  route({
    ...writeUsers,
    method: 'DELETE',
    path: '/merchants/:merchantId/users/:userId',
    id: 'admin.deleteUser',
    approvable: true,
    summary: 'Remove a user',
    description: `The sessions of the user end immediately. Only an owner can remove an owner. The last owner can't be removed. ${KEYS_REVOKED} A removed person has no rights left.`,
    params: Params('merchantId', 'userId'),
    body: Type.Object(KeepKeys),
    response: Success(Deleted),
    errors: [...MISSING, 'RESOURCE_CONFLICT'],
    run: async ({ core, actor, params, body }) => {
      await core.identity.users.remove(actor, params.merchantId, params.userId, body);
      return params.userId;
    },
    show: deletedId,
  }),
  route({
    ...writeUsers,
    method: 'POST',
    path: '/merchants/:merchantId/users/:userId/invite',
    id: 'admin.inviteUser',
    approvable: true,
    summary: 'Send a link to set a password',
    description:
      'Another invitation, valid for 7 days; for a user who has a password already, a link valid for one hour. The response contains the link in a sandbox, and on a live account for invitations while email is not set up; never for a user with `approvals:write` while changes of access need two people. RESOURCE_CONFLICT if the link could not reach the user, because email is not set up. Only an owner can call this for an owner.',
    params: Params('merchantId', 'userId'),
    response: Success(Type.Object({ sent: AlwaysTrue, inviteUrl: CreatedUser.properties.inviteUrl })),
    errors: [...MISSING, 'RESOURCE_CONFLICT'],
    run: ({ core, actor, params }) => core.identity.users.invite(actor, params.merchantId, params.userId),
  }),
  route({
    ...writeUsers,
    confirms: { level: 'password' },
    method: 'DELETE',
    path: '/merchants/:merchantId/users/:userId/two-factor',
    id: 'admin.resetTwoFactor',
    approvable: true,
    summary: 'Turn off the second factor of a user',
    description:
      'For a user who lost the phone and the recovery codes. The caller confirms with their own password. Only an owner can call this for an owner.',
    params: Params('merchantId', 'userId'),
    response: Success(User),
    errors: [...MISSING, 'RESOURCE_CONFLICT'],
    run: ({ core, actor, params }) => core.identity.twoFactor.reset(actor, params.merchantId, params.userId),
  }),
  route({
    ...readUsers,
    path: '/users/:id/permissions',
    id: 'admin.getUserPermissions',
    summary: 'Permissions of a user',
    description: 'The permissions of the role, or those that were given to the user.',
    params: Params('id'),
    response: Success(UserPermissions),
    errors: MISSING,
    run: ({ core, actor, params }) => core.identity.users.get(actor, params.id),
    show: ({ userId, role, permissions, ownPermissions }) => ({ userId, role, permissions, ownPermissions }),
  }),
  route({
    ...writeUsers,
    method: 'POST',
    path: '/users/:id/permissions',
    id: 'admin.setUserPermissions',
    approvable: true,
    summary: "Set a user's own permissions",
    description:
      "They replace those of the role; null restores the role's. The permissions of the `owner` area belong to the owner role only and cannot be granted. " +
      KEYS_REVOKED,
    params: Params('id'),
    body: Type.Object({ permissions: Maybe(PermissionsIn), ...KeepKeys }),
    response: Success(UserPermissions),
    errors: [...MISSING, 'RESOURCE_CONFLICT'],
    run: ({ core, actor, params, body }) => core.identity.users.setPermissions(actor, params.id, body.permissions, body),
    show: ({ userId, role, permissions, ownPermissions }) => ({ userId, role, permissions, ownPermissions }),
  }),
];

const roles = [
  route({
    ...readRoles,
    path: '/roles',
    id: 'admin.listRoles',
    summary: 'Built-in roles, then those of the tenant',
    description: 'Built-in roles cannot be changed; copy one to change it.',
    query: Type.Object(PageQuery),
    response: Paginated(RoleRecord),
    run: ({ core, actor, query }) => core.identity.roles.page(actor, pageFrom(query)),
  }),
  route({
    ...writeRoles,
    method: 'POST',
    path: '/roles',
    id: 'admin.createRole',
    approvable: true,
    summary: 'Create a role',
    description: 'The permissions of the `owner` area belong to the owner role only and cannot be granted.',
    created: true,
    body: Type.Object({ name: RoleName, permissions: PermissionsIn, allowedAddresses: Type.Optional(AllowedAddressesIn) }),
    response: Success(RoleRecord),
    errors: ['RESOURCE_CONFLICT'],
    run: ({ core, actor, body }) => core.identity.roles.create(actor, body),
  }),
  route({
    ...readRoles,
    path: '/roles/:id',
    id: 'admin.getRole',
    summary: 'One role',
    description: 'The ID of a built-in role is its name.',
    params: Params('id'),
    response: Success(RoleRecord),
    errors: ['NOT_FOUND'],
    run: ({ core, actor, params }) => core.identity.roles.get(actor.tenantId, params.id),
  }),
  route({
    ...writeRoles,
    method: 'PUT',
    path: '/roles/:id',
    id: 'admin.updateRole',
    approvable: true,
    summary: 'Change a role',
    description:
      'Takes effect with the next request of all its users. Built-in roles are read-only (FORBIDDEN). API keys that people of the role made or last extended and that may do more than its new permissions are revoked in the same commit, except those in `keepApiKeyIds`. `GET /api-keys?creatorRole=` lists them.',
    params: Params('id'),
    body: Type.Object({
      name: Type.Optional(RoleName),
      permissions: Type.Optional(PermissionsIn),
      allowedAddresses: Type.Optional(AllowedAddressesIn),
      ...KeepKeys,
    }),
    response: Success(RoleRecord),
    errors: ROLE_MISSING,
    run: ({ core, actor, params, body }) => core.identity.roles.update(actor, params.id, body),
  }),
  route({
    ...writeRoles,
    method: 'DELETE',
    path: '/roles/:id',
    id: 'admin.deleteRole',
    approvable: true,
    summary: 'Remove a role without users',
    description: 'Refused with RESOURCE_CONFLICT while a user has the role.',
    params: Params('id'),
    response: Success(Deleted),
    errors: ROLE_MISSING,
    run: async ({ core, actor, params }) => {
      await core.identity.roles.remove(actor, params.id);
      return params.id;
    },
    show: deletedId,
  }),
];

const sessions = [
  route({
    ...readUsers,
    path: '/user-sessions',
    id: 'admin.listSessions',
    summary: 'Active sessions, newest first',
    description: 'Sessions of the users that the caller may manage.',
    query: Type.Object({ ...PageQuery, ...DateQuery, userId: Type.Optional(IdIn('usr', 'user')) }),
    response: Paginated(Session),
    run: async ({ core, actor, principal, query }) =>
      core.identity.sessions.page(actor, { userId: query.userId }, principal.sessionId, await datedPageFrom(core, actor, query)),
  }),
  route({
    ...writeUsers,
    // The first help after a theft, which gives nobody a right.
    confirms: undefined,
    method: 'DELETE',
    path: '/user-sessions/:id',
    id: 'admin.revokeSession',
    summary: 'End a session immediately',
    description: 'Your own, or one of a user whom you may manage.',
    params: Params('id'),
    response: Success(Deleted),
    errors: ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'],
    run: async ({ core, actor, params }) => {
      await core.identity.sessions.revoke(actor, params.id);
      return params.id;
    },
    show: deletedId,
  }),
];

export const adminUsers = [...users, ...roles, ...sessions];
