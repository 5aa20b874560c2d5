import { t } from '#renderer/base/language';

/** Names of the states of an item of the checklist. */
export const EVIDENCE_STATES: Readonly<Record<string, string>> = { found: t('Found'), missing: t('Missing'), not_kept: t('Not kept') };
