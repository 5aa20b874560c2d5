import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMerchant } from '#renderer/session';
import { announce, useSettled } from '#renderer/ui';
import { sameEmailQuery } from './queries.ts';
import { nameOf } from './words.ts';

const PAUSE_MS = 300;
const WHOLE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

interface SameEmailNoteProps {
  readonly email: string;
  /** ID of the edited customer; undefined for a new one. */
  readonly ownId: string | undefined;
  readonly onOpen: (customerId: string) => void;
}

/** Warns that another customer has the same address, with a link. It does not prevent saving: families share addresses. */
export function SameEmailNote({ email, ownId, onOpen }: SameEmailNoteProps) {
  const { merchantId } = useMerchant();
  const settled = useSettled(email.trim().toLowerCase(), PAUSE_MS);
  const same = useQuery({ ...sameEmailQuery(merchantId, settled), enabled: WHOLE.test(settled) });
  const other = WHOLE.test(settled) ? same.data?.find(({ customerId }) => customerId !== ownId) : undefined;
  const words = other && `${nameOf(other)} has this e-mail address already.`;
  useEffect(() => {
    if (words) announce(words);
  }, [words]);
  if (!other) return null;
  return (
    <Box component="span" sx={(theme) => ({ color: theme.vars.palette.tone.warning.main })}>
      <Link component="button" type="button" onClick={() => onOpen(other.customerId)} sx={{ font: 'inherit', verticalAlign: 'baseline' }}>
        {nameOf(other)}
      </Link>{' '}
      has this e-mail address already. You may save all the same.
    </Box>
  );
}
