import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { StatusItem } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { FactList, MutedText, QueryContent, Section, StatusChip } from '#renderer/kit/ui';
import { nameOf, statusQuery } from '#renderer/session/system-status';
import { useMay, useMerchant } from '#renderer/session/user';
import { RehearsalSection } from './rehearsal-section.tsx';

/** Database of the installation: its state, its standbys, and failover rehearsals. */
export function DatabaseTab() {
  const may = useMay();
  const { timezone } = useMerchant();
  const status = useQuery(statusQuery);
  return (
    <Box sx={{ display: 'grid', gap: 8, maxWidth: 920 }}>
      <QueryContent query={status}>
        {({ items }) => {
          const shown = items.filter(({ name }) => name === 'database' || name === 'replication');
          if (shown.length === 0)
            return <MutedText>{t('The database belongs to the whole installation. Only users of its first account see it.')}</MutedText>;
          return (
            <Box sx={{ display: 'grid', gap: 8 }}>
              {shown.map((item) => (
                <ItemSection key={item.name} item={item} />
              ))}
              {may('owner:failover') && <RehearsalSection timeZone={timezone} />}
            </Box>
          );
        }}
      </QueryContent>
    </Box>
  );
}

function ItemSection({ item }: { item: StatusItem }) {
  return (
    <Section title={nameOf(item)}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Box sx={{ display: 'flex', gap: 3, alignItems: 'flex-start' }}>
          <StatusChip state={item.state} />
          <Box sx={{ lineHeight: '22px', overflowWrap: 'anywhere' }}>{serviceText(item.message)}</Box>
        </Box>
        <FactList facts={item.facts.map(({ name, value }) => [serviceText(name), value && serviceText(value)])} />
      </Box>
    </Section>
  );
}
