import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { Link } from 'react-router';
import { useIsSandbox, useMay } from '#renderer/session';
import { Banner } from '#renderer/ui';
import { keysQuery } from './requests.ts';

/** Reminder on every screen of a live account until the recovery file is saved, for users who may save it. */
export function RecoveryReminder() {
  const isSandbox = useIsSandbox();
  const may = useMay();
  const isAsked = !isSandbox && may('owner:keys');
  const { data: keys } = useQuery({ ...keysQuery, enabled: isAsked });
  if (!isAsked || !keys?.mayChange || keys.recoveryFileSavedAt !== null || keys.keptIn === 'memory') return null;
  return (
    <Banner icon={KeyRound} tone="warning">
      The recovery file isn’t saved yet. If this computer is lost, all stored cards are lost.{' '}
      <Link to="/settings/security">Save it now</Link>
    </Banner>
  );
}
