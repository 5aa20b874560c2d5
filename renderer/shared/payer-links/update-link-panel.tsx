import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { customerQuery } from '#renderer/shared/customers';
import { LinkForm } from './link-form.tsx';
import { createUpdateLink, type UpdateSubject } from './requests.ts';

interface UpdateLinkPanelProps {
  readonly subject: UpdateSubject;
  /** Name of the card or bank account to replace; null if there is none. */
  readonly methodName: string | null;
  readonly onClose: () => void;
}

/** Creates a link by which the customer replaces a card. */
export function UpdateLinkPanel({ subject, methodName, onClose }: UpdateLinkPanelProps) {
  const customer = useQuery(customerQuery(subject.customerId));
  return (
    <LinkForm
      title={t('Link to update the card')}
      explanation={`${
        methodName === null
          ? t('The customer opens the link and enters a new card.')
          : t('The customer opens the link and enters a new card, which replaces {{card}} in all subscriptions.', { card: methodName })
      } ${t('A past due payment is retried with the new card. The link is valid for 30 days and for one card.')}`}
      customer={customer.data}
      create={(channels) => createUpdateLink(subject, channels)}
      onClose={onClose}
    />
  );
}
