import { serviceText } from '#shared/service-texts';
import { t } from './texts.tsx';

/** The service's answer whether an operation on a record is allowed now. */
interface Action {
  readonly allowed: boolean;
  readonly code?: string;
  readonly message?: string;
}

/** Returns the service's reason why an operation is not available; undefined if it is. */
export function refusalOf({ allowed, code, message = '' }: Action): string | undefined {
  if (allowed) return undefined;
  return code === 'PERMISSION_DENIED' ? t('Your role does not allow this.') : serviceText(message);
}
