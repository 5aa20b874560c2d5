import { sentenceCase } from '#renderer/ui';

/** `branding.updated` → "Branding updated". */
export function actionText(action: string): string {
  return sentenceCase(action.replaceAll('.', ' '));
}

/** The screen that shows a thing, by the path that the log names it by. */
const SCREENS: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/^transactions\/(txn_\w+)/, (id) => `/transactions/${id}`],
  [/^customers\/(cus_\w+)/, (id) => `/customers/${id}`],
  [/^recurring\/(sub_\w+)/, (id) => `/recurring/${id}`],
  [/^webhooks\/(whe_\w+)/, (id) => `/webhooks/${id}`],
  [/^refund-decline-queue\/(rdq_\w+)/, (id) => `/refund-queue/${id}`],
  [/^merchants\/mer_\w+\/branding/, () => '/settings/branding'],
  [/^merchants\/mer_\w+\/vt-settings/, () => '/settings/terminal'],
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

/** The first that fits counts: most programs also name the ones that they descend from. */
const PROGRAMS = [
  [/Electron\//, 'Paydesk'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^PostmanRuntime\//, 'Postman'],
  [/^python/i, 'Python'],
  [/^(node|undici)/i, 'Node.js'],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;
const AGENT_SHOWN_MAX = 40;

/** A program as it named itself, in two words: "Firefox on Windows". */
export function deviceText(agent: string | null): string {
  if (!agent) return 'Unknown';
  const program = PROGRAMS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  return [program, system].filter(Boolean).join(' on ') || agent.slice(0, AGENT_SHOWN_MAX);
}
