import { useQuery } from '@tanstack/react-query';
import { Banknote } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { Shift } from '#renderer/base/client';
import { dayIn } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { actorText, announce, Banner, fullTime, showToast } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { useMay, useMe, useMerchant } from '#renderer/session/user';
import { openShiftsQuery } from '#renderer/shared/tenders';

const NONE: readonly Shift[] = [];

/** Shows shifts that were left open on an earlier day, and tells a person after signing in that their shift is open. */
export function OpenShiftBanner() {
  const may = useMay();
  const { user } = useMe();
  const { merchantId, timezone } = useMerchant();
  const today = useToday();
  const { data = NONE } = useQuery({ ...openShiftsQuery(merchantId), enabled: may('shifts:read') });
  const left = data.filter(({ openedAt }) => dayIn(timezone, Date.parse(openedAt)) < today);
  const own = data.find(({ openedBy, shiftId }) => openedBy === user.email && left.every((shift) => shift.shiftId !== shiftId));
  const isTold = useRef(false);
  useEffect(() => {
    if (data === NONE || isTold.current) return;
    isTold.current = true;
    if (own)
      showToast(t('Your shift at {{drawer}} is open since {{time}}.', { drawer: own.drawer, time: fullTime(own.openedAt, timezone) }));
  }, [data, own, timezone]);
  const text = left.map((shift) => textOf(shift, timezone)).join(' ');
  useEffect(() => {
    if (text !== '') announce(text);
  }, [text]);
  return left.map((shift) => (
    <Banner key={shift.shiftId} icon={Banknote} tone="warning">
      {textOf(shift, timezone)} <Link to={`/cash/${shift.shiftId}?tab=shifts`}>{t('Count and close it')}</Link>
    </Banner>
  ));
}

const textOf = ({ drawer, openedBy, openedAt }: Shift, timezone: string) =>
  t('The shift at {{drawer}} is open since {{time}} ({{person}}).', {
    drawer,
    time: fullTime(openedAt, timezone),
    person: actorText(openedBy),
  });
