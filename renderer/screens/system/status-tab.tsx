import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { StatusItem } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { useDesktop } from '#renderer/desktop/bridge';
import { announce, QueryContent, StatusChip, TimeText } from '#renderer/kit/ui';
import { fixLink, nameOf, statusQuery, summaryOf } from '#renderer/session/system-status';
import { useMerchant } from '#renderer/session/user';
import { JobList } from './job-list.tsx';
import { ServerNote } from './updates-tab.tsx';

/** Status of each part, with an explanation and a link to fix it. */
export function StatusTab() {
  const status = useQuery(statusQuery);
  const { timezone } = useMerchant();
  const { isDesktop } = useDesktop();
  useAnnouncedProblems(status.data?.items);
  return (
    <QueryContent query={status}>
      {({ items, jobs }) => (
        <Box sx={{ display: 'grid', gap: 8, maxWidth: 920 }}>
          <Box>
            <Box sx={{ fontWeight: 600, mb: 3 }}>{summaryOf(items)}</Box>
            <Box
              component="ul"
              aria-label={t('Status')}
              sx={(theme) => ({ listStyle: 'none', m: 0, p: 0, borderBottom: `1px solid ${theme.vars.palette.divider}` })}
            >
              {items.toSorted(bySeverity).map((item) => (
                <ItemLine key={item.name} item={item} timeZone={timezone} />
              ))}
            </Box>
          </Box>
          <JobList jobs={jobs} timeZone={timezone} />
          {!isDesktop && <ServerNote />}
        </Box>
      )}
    </QueryContent>
  );
}

const SEVERITIES: readonly StatusItem['state'][] = ['problem', 'warning', 'ok'];

/** Orders problems before warnings, and warnings before parts that work. */
function bySeverity(left: StatusItem, right: StatusItem): number {
  return SEVERITIES.indexOf(left.state) - SEVERITIES.indexOf(right.state);
}

function ItemLine({ item, timeZone }: { item: StatusItem; timeZone: string }) {
  const link = fixLink(item);
  return (
    <Box
      component="li"
      data-item={item.name}
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: '96px minmax(0, 1fr) auto', lg: '96px 152px minmax(0, 1fr) auto' },
        columnGap: 4,
        rowGap: 1,
        alignItems: 'start',
        py: 3,
        borderTop: `1px solid ${theme.vars.palette.divider}`,
      })}
    >
      <Box>
        <StatusChip state={item.state} />
      </Box>
      <Box sx={{ fontWeight: 550, lineHeight: '22px' }}>{nameOf(item)}</Box>
      <Box sx={{ gridColumn: { sm: '2', lg: 'auto' }, minWidth: 0, lineHeight: '22px', overflowWrap: 'anywhere' }}>
        {serviceText(item.message)}
        <Facts facts={item.facts} timeZone={timeZone} />
      </Box>
      {link && (
        <Button size="small" component={Link} to={link.to} sx={{ gridColumn: { sm: '3', lg: 'auto' }, gridRow: { sm: '1', lg: 'auto' } }}>
          {link.label}
        </Button>
      )}
    </Box>
  );
}

function Facts({ facts, timeZone }: { facts: StatusItem['facts']; timeZone: string }) {
  if (facts.length === 0) return null;
  return (
    <Box component="dl" sx={{ m: 0, mt: 1, display: 'flex', flexWrap: 'wrap', columnGap: 4, fontSize: 12, color: 'text.secondary' }}>
      {facts.map(({ name, value, at }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two addresses may have the same name, and the list is recreated on each render.
        <Box key={n} sx={{ display: 'flex', gap: 1, minWidth: 0 }}>
          <dt>{serviceText(name)}:</dt>
          <Box component="dd" sx={{ m: 0, minWidth: 0 }}>
            {at === null ? serviceText(value ?? '') : <TimeText at={at} timeZone={timeZone} />}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** Announces new problems while the screen is open. */
function useAnnouncedProblems(items: readonly StatusItem[] | undefined): void {
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!items) return;
    const problems = items.filter(({ state }) => state === 'problem');
    const fresh = known.current && problems.filter(({ name }) => !known.current?.has(name));
    for (const item of fresh ?? []) announce(`${nameOf(item)}: ${serviceText(item.message)}`);
    known.current = new Set(problems.map(({ name }) => name));
  }, [items]);
}
