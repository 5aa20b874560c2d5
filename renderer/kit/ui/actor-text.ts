import { t } from '#renderer/base/language';

/** Names of actors that are not a person or an API key. */
const NAMES: Readonly<Record<string, string>> = {
  service: 'Paydesk',
  demo: t('Sample data'),
  'sample data': t('Sample data'),
  nobody: t('Unknown user'),
};

/** Returns the displayed name of an actor: an email address, the name of an API key, or Paydesk for its own jobs. */
export const actorText = (actor: string): string => NAMES[actor] ?? actor;
