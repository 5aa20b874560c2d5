import type { ApiKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { actorText } from '#renderer/kit/ui';

/** Returns the name of the person who made a key, and says that the person was removed. */
export function creatorText({ createdBy, isCreatorRemoved }: Pick<ApiKey, 'createdBy' | 'isCreatorRemoved'>): string | null {
  if (createdBy === null) return null;
  const name = actorText(createdBy);
  return isCreatorRemoved ? t('{{name}} (removed person)', { name }) : name;
}
