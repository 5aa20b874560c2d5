import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Trans, t } from '#renderer/base/language';
import { announce, useDebounced } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { sameEmailQuery } from './queries.ts';
import { nameOf } from './texts.ts';

const PAUSE_MS = 300;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

interface SameEmailNoteProps {
  readonly email: string;
  /** ID of the edited customer; undefined for a new one. */
  readonly ownId: string | undefined;
  readonly onOpen: (customerId: string) => void;
}

/** Warns that another customer has the same address, with a link. It does not prevent saving: families share addresses. */
export function SameEmailNote({ email, ownId, onOpen }: SameEmailNoteProps) {
  const { merchantId } = useMerchant();
  const settledEmail = useDebounced(email.trim().toLowerCase(), PAUSE_MS);
  const same = useQuery({ ...sameEmailQuery(merchantId, settledEmail), enabled: EMAIL.test(settledEmail) });
  const other = EMAIL.test(settledEmail) ? same.data?.find(({ customerId }) => customerId !== ownId) : undefined;
  const message = other && t('{{customer}} already has this email address.', { customer: nameOf(other) });
  useEffect(() => {
    if (message) announce(message);
  }, [message]);
  if (!other) return null;
  return (
    <Box component="span" sx={(theme) => ({ color: theme.vars.palette.tone.warning.main })}>
      <Trans
        i18nKey="<0>{{customer}}</0> already has this email address. You can still save."
        components={[
          <Link
            key="0"
            component="button"
            type="button"
            onClick={() => onOpen(other.customerId)}
            sx={{ font: 'inherit', verticalAlign: 'baseline' }}
          />,
        ]}
        values={{ customer: nameOf(other) }}
      />
    </Box>
  );
}
