import { t } from '#renderer/base/language';

/** Labels of delivery failures. */
const FAULT_TEXTS: Readonly<Record<string, string>> = {
  status: t('Not 200'),
  redirect: t('Redirect'),
  timeout: t('No response in 5 s'),
  connection: t('No connection'),
  tls: t('Certificate error'),
  dns: t('Unknown host'),
  blocked: t('Not allowed'),
};

export function faultText(kind: string): string {
  return FAULT_TEXTS[kind] ?? kind;
}
