import Box from '@mui/material/Box';
import { useRef } from 'react';
import { Link, useNavigate } from 'react-router';
import { t } from '#renderer/base/language';
import { SearchBox } from '#renderer/kit/ui';
import { linkStyle } from './rail-link.tsx';
import { matchesOf } from './search-rank.ts';
import { useSettingsIndex } from './use-settings-index.ts';

interface SettingsSearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Search of Settings by the names of pages and settings. Enter opens the first match. */
export function SettingsSearch({ text, onText }: SettingsSearchProps) {
  const navigate = useNavigate();
  const index = useSettingsIndex();
  const list = useRef<HTMLUListElement>(null);
  const found = text === '' ? [] : matchesOf(index, text);
  return (
    <>
      <Box sx={{ mb: { md: 3 }, minWidth: 160 }}>
        <SearchBox
          label={t('Search settings')}
          placeholder={t('Search settings')}
          widthPx={176}
          value={text}
          onSearch={onText}
          onArrowDown={() => list.current?.querySelector('a')?.focus()}
          onEnter={(typed) => {
            const [first] = typed === '' ? [] : matchesOf(index, typed);
            if (first) void navigate(first.path, { state: first.state });
          }}
        />
      </Box>
      {text !== '' && (
        <Box
          component="ul"
          ref={list}
          aria-label={t('Found settings')}
          sx={{ m: 0, p: 0, listStyle: 'none', display: { xs: 'flex', md: 'grid' }, gap: '1px' }}
        >
          {found.map(({ id, path, name, page, state }) => (
            <li key={id}>
              <Box component={Link} to={path} state={state} sx={[linkStyle, FOUND]}>
                {name}
                {page !== null && (
                  <Box component="span" sx={{ fontSize: 12, fontWeight: 400 }}>
                    {page}
                  </Box>
                )}
              </Box>
            </li>
          ))}
          {found.length === 0 && (
            <Box component="li" sx={{ px: 2.5, fontSize: 13, color: 'text.secondary' }}>
              {t('No setting matches “{{text}}”.', { text })}
            </Box>
          )}
        </Box>
      )}
    </>
  );
}

const FOUND = {
  flexDirection: 'column',
  alignItems: 'flex-start',
  gap: 0,
  height: 'auto',
  py: 1,
  fontSize: 13,
  whiteSpace: { xs: 'nowrap', md: 'normal' },
} as const;
