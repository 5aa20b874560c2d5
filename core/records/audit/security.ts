/** The kinds of security activity, each with the actions of the audit log that belong to it. */
const ACTIONS = {
  'sign-in': ['session.started'],
  'sign-in-failed': ['session.refused', 'user.locked', 'address.refused'],
  'second-factor-failed': ['session.code_refused'],
  'new-device': ['session.new_device'],
  'session-revoked': ['session.revoked'],
  'password-changed': ['password.changed', 'password.link_requested', 'user.password_link_made', 'user.invited'],
  'two-factor-changed': ['user.two_factor_changed', 'user.recovery_codes_made', 'user.recovery_code_used'],
  'role-changed': [
    'user.created',
    'user.updated',
    'user.permissions_changed',
    'user.role_synchronized',
    'user.deleted',
    'role.created',
    'role.updated',
    'role.deleted',
  ],
  'company-sign-in': [
    'company_sign_in.updated',
    'company_sign_in.refused',
    'session.break_glass_used',
    'user.company_account_allowed',
    'user.company_connected',
  ],
  'key-changed': ['api_key.created', 'api_key.updated', 'api_key.revoked', 'signing_key.rotated'],
  'channel-changed': ['message_channel.added', 'message_channel.updated', 'message_channel.removed', 'messages.limit_reached'],
  'payer-address-changed': ['payer_address.changed'],
  'destination-changed': [
    'webhook.created',
    'webhook.updated',
    'webhook.secret_rotated',
    'gateway.added',
    'gateway.updated',
    'gateway.removed',
    'gateway_routing.updated',
    'audit_anchors.updated',
  ],
} as const satisfies Record<string, readonly string[]>;

export type SecurityKind = keyof typeof ACTIONS;
export const SECURITY_KINDS = Object.keys(ACTIONS) as SecurityKind[];

type SnakeCase<Text extends string> = Text extends `${infer Head}-${infer Tail}` ? `${Head}_${SnakeCase<Tail>}` : Text;

/** The webhook event of a kind of security activity: `security.sign_in_failed`. */
export type SecurityEventType = `security.${SnakeCase<SecurityKind>}`;

/** Returns the type of the webhook event of a kind. */
export const securityEventTypeOf = (kind: SecurityKind): SecurityEventType => `security.${kind.replaceAll('-', '_')}` as SecurityEventType;

const KIND_OF = new Map<string, SecurityKind>(SECURITY_KINDS.flatMap((kind) => ACTIONS[kind].map((action) => [action, kind] as const)));

/** Returns the kind of an action; undefined if it is not security activity. */
export const securityKindOf = (action: string): SecurityKind | undefined => KIND_OF.get(action);

/** Returns the actions of a kind, or of all kinds. */
export const securityActions = (kind?: SecurityKind): readonly string[] => (kind === undefined ? [...KIND_OF.keys()] : ACTIONS[kind]);
