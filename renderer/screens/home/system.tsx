import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { serviceText, t } from '#renderer/base/language';
import { QueryContent, StatusChip } from '#renderer/kit/ui';
import { fixLink, nameOf, statusQuery, summaryOf } from '#renderer/session/system-status';
import { Panel } from './panel.tsx';

/** State of the system: one sentence, and each part that does not work, with one action. */
export function SystemState() {
  const query = useQuery(statusQuery);
  return (
    <Panel
      title={t('System')}
      link={
        <MuiLink component={Link} to="/system" sx={{ fontSize: 13 }}>
          {t('Status')}
        </MuiLink>
      }
    >
      <QueryContent query={query}>
        {({ items }) => {
          const open = items.filter(({ state }) => state === 'problem' || state === 'warning');
          if (open.length === 0) return <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{summaryOf(items)}</Box>;
          return (
            <Box component="ul" aria-label={t('System')} sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2 }}>
              {open.map((item) => {
                const link = fixLink(item);
                return (
                  <Box component="li" key={item.name} sx={{ display: 'flex', alignItems: 'center', gap: 2, fontSize: 13 }}>
                    <StatusChip state={item.state} />
                    <Box sx={{ flex: 1, minWidth: 0 }} title={serviceText(item.message)}>
                      {nameOf(item)}
                    </Box>
                    {link && (
                      <Button size="small" component={Link} to={link.to} aria-label={`${link.label}: ${nameOf(item)}`}>
                        {link.label}
                      </Button>
                    )}
                  </Box>
                );
              })}
            </Box>
          );
        }}
      </QueryContent>
    </Panel>
  );
}
