import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { NOT_PRINTED } from '#renderer/kit/ui';
import { type Area, isWithin, SETTINGS_AREA } from './pages.ts';
import { SubLink } from './rail-link.tsx';
import { SettingsSearch } from './settings-search.tsx';
import { usePagesOf } from './use-pages-of.ts';

/** Second column of the navigation: the pages of Developers or Settings. A narrow window shows it as a row above the page. */
export function AreaColumn({ area }: { readonly area: Area }) {
  const { pathname } = useLocation();
  const [searched, setSearched] = useState('');
  const groups = usePagesOf()(area);
  const shownGroups = area === SETTINGS_AREA && searched !== '' ? [] : groups;
  const pages = groups.flatMap((group) => group.pages);
  // The longest path wins: the request log is below the API keys. Settings without a tab shows the first one.
  const open =
    pages.filter(({ path }) => isWithin(pathname, path)).sort((left, right) => right.path.length - left.path.length)[0] ?? pages[0];
  const column = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open.
  useEffect(() => {
    column.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open?.path]);
  if (groups.length === 0) return null;
  return (
    <Box
      ref={column}
      component="nav"
      aria-label={area.name}
      sx={(theme) => ({
        gridArea: 'column',
        ...NOT_PRINTED,
        minHeight: 0,
        overflow: 'auto',
        scrollPaddingInline: 24,
        display: { xs: 'flex', md: 'block' },
        alignItems: 'center',
        width: { md: 192 },
        overflowWrap: 'anywhere',
        px: 2,
        py: { xs: 1, md: 4 },
        gap: 2,
        backgroundColor: theme.vars.palette.background.paper,
        borderInlineEnd: { md: `1px solid ${theme.vars.palette.divider}` },
        borderBottom: { xs: `1px solid ${theme.vars.palette.divider}`, md: 0 },
      })}
    >
      {area === SETTINGS_AREA && <SettingsSearch text={searched} onText={setSearched} />}
      {shownGroups.map(({ name, pages: ofGroup }) => (
        <Box key={name} sx={{ mb: { md: 4 } }}>
          <Box
            aria-hidden
            sx={{
              display: { xs: 'none', md: 'block' },
              px: 2.5,
              pb: 1,
              fontSize: 12,
              lineHeight: '16px',
              fontWeight: 600,
              color: 'text.secondary',
            }}
          >
            {name}
          </Box>
          <Box component="ul" aria-label={name} sx={{ m: 0, p: 0, listStyle: 'none', display: { xs: 'flex', md: 'grid' }, gap: '1px' }}>
            {ofGroup.map((page) => (
              <li key={page.path}>
                <SubLink page={page} isOpen={page === open} />
              </li>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
