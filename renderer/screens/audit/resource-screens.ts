/** Screens by the resource paths of the audit log. */
const SCREENS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^transactions\/(txn_\w+)/, (id) => `/transactions/${id}`],
  [/^customers\/(cus_\w+)/, (id) => `/customers/${id}`],
  [/^recurring\/(sub_\w+)/, (id) => `/recurring/${id}`],
  [/^webhooks\/(whe_\w+)/, (id) => `/webhooks/${id}`],
  [/^refund-decline-queue\/(rdq_\w+)/, (id) => `/refund-queue/${id}`],
  [/^merchants\/mer_\w+\/branding/, () => '/settings/branding'],
  [/^merchants\/mer_\w+\/vt-settings/, () => '/settings/terminal'],
  [/^merchants\/mer_\w+\/amount-settings/, () => '/settings/amounts'],
  [/^merchants\/mer_\w+\/fraud-settings/, () => '/settings/fraud'],
  [/^merchants\/mer_\w+\/gateway-routing/, () => '/settings/routing'],
  [/^merchants\/mer_\w+\/gateways/, () => '/settings/gateways'],
  [/^merchants\//, () => '/settings'],
  [/^users/, () => '/users'],
  [/^roles/, () => '/users/roles'],
  [/^api-keys/, () => '/api-keys'],
  [/^user-sessions/, () => '/audit/sessions'],
];

export function screenOf(resource: string): string | undefined {
  for (const [pattern, to] of SCREENS) {
    const found = pattern.exec(resource);
    if (found) return to(found[1] ?? '');
  }
  return undefined;
}
