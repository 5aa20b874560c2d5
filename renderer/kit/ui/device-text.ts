import { t } from '#renderer/base/language';

/** The first match wins, because most programs also name the browsers that they are derived from. */
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

/** Returns the program and the system of a `User-Agent` header, such as "Firefox on Windows"; "Unknown" without one. */
export function deviceText(agent: string | null): string {
  if (!agent) return t('Unknown');
  const program = PROGRAMS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (program && system) return t('{{program}} on {{system}}', { program, system });
  return program ?? system ?? agent.slice(0, AGENT_SHOWN_MAX);
}
