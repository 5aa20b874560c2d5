interface HasPermissions {
  readonly permissions: readonly string[];
}

/** Returns true if the signed-in user has every permission of a user or role, and may therefore manage the user or grant the role. */
export const canManage = (me: HasPermissions, other: HasPermissions): boolean =>
  other.permissions.every((permission) => me.permissions.includes(permission));
