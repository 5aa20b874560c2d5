interface Permitted {
  readonly permissions: readonly string[];
}

/** Returns true if a person holds every permission of a user or a role, and may therefore manage the user or grant the role. */
export const holds = (me: Permitted, other: Permitted): boolean =>
  other.permissions.every((permission) => me.permissions.includes(permission));
