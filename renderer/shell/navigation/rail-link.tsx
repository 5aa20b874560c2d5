import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import { CreditCard } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { KeyHint, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { type Page, SELL, type SubPage } from './pages.ts';

/** Look of a link in the navigation. */
export const linkStyle = (theme: Theme) => ({
  position: 'relative' as const,
  display: 'flex',
  alignItems: 'center',
  gap: 2.5,
  height: 32,
  px: 2.5,
  borderRadius: 1,
  color: theme.vars.palette.text.secondary,
  fontSize: 14,
  fontWeight: 500,
  whiteSpace: 'nowrap' as const,
  textDecoration: 'none',
  '&:hover': { backgroundColor: theme.vars.palette.wash, color: theme.vars.palette.text.primary },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  '&.is-open': { backgroundColor: theme.vars.palette.tone.primary.tint, color: theme.vars.palette.tone.primary.main, fontWeight: 600 },
  '@media (pointer: coarse)': { height: 44 },
});

interface RailLinkProps {
  readonly page: Page;
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  readonly badge?: ReactNode;
}

/** A screen in the navigation. */
export function RailLink({ page: { path, name, icon: Icon, keys }, isNarrow, isOpen, badge }: RailLinkProps) {
  return (
    <Box
      component={Link}
      to={path}
      className={isOpen ? 'is-open' : undefined}
      aria-current={isOpen ? 'page' : undefined}
      aria-keyshortcuts={keys}
      title={isNarrow ? name : undefined}
      sx={[linkStyle, { justifyContent: isNarrow ? 'center' : 'flex-start' }]}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden style={{ flexShrink: 0 }} />
      <Box component="span" sx={isNarrow ? VISUALLY_HIDDEN : { flex: 1 }}>
        {name}
      </Box>
      {badge}
      {keys && !isNarrow && <KeyHint keys={keys} />}
    </Box>
  );
}

const WRAPS = { whiteSpace: { xs: 'nowrap', md: 'normal' }, '@media (pointer: coarse)': { height: 'auto', minHeight: 44 } };

/** A screen below another one, or in the column of an area. */
export function SubLink({
  page,
  isOpen,
  isIndented = false,
}: {
  readonly page: SubPage;
  readonly isOpen: boolean;
  readonly isIndented?: boolean;
}) {
  const shared = {
    className: isOpen ? 'is-open' : undefined,
    // A long name takes a second line in the column of an area, which has a fixed width.
    sx: [
      linkStyle,
      { height: 'auto', minHeight: 28, py: 1, fontSize: 13, lineHeight: '18px', paddingInlineStart: isIndented ? 10 : 2.5 },
      WRAPS,
    ],
  };
  return page.isExternal ? (
    <Box component="a" href={page.path} target="_blank" rel="noreferrer" {...shared}>
      {page.name}
    </Box>
  ) : (
    <Box component={Link} to={page.path} aria-current={isOpen ? 'page' : undefined} {...shared}>
      {page.name}
    </Box>
  );
}

/** The link to Sell at the top of the navigation. */
export function NewSaleLink({ isNarrow, isOpen }: { readonly isNarrow: boolean; readonly isOpen: boolean }) {
  return (
    <Box
      component={Link}
      to={SELL.path}
      aria-current={isOpen ? 'page' : undefined}
      aria-keyshortcuts={SELL.keys}
      title={isNarrow ? t('New sale') : undefined}
      sx={(theme) => ({
        display: 'flex',
        alignItems: 'center',
        justifyContent: isNarrow ? 'center' : 'flex-start',
        gap: 2.5,
        height: 36,
        px: 2.5,
        mb: 2,
        borderRadius: 1,
        fontWeight: 600,
        textDecoration: 'none',
        color: theme.vars.palette.primary.contrastText,
        backgroundColor: theme.vars.palette.primary.main,
        '&:hover': { backgroundColor: theme.vars.palette.primary.dark },
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 2 },
        '@media (pointer: coarse)': { height: 44 },
        '& kbd': { color: 'inherit', backgroundColor: 'transparent', borderColor: 'currentColor' },
      })}
    >
      <CreditCard size={18} strokeWidth={1.9} aria-hidden style={{ flexShrink: 0 }} />
      <Box component="span" sx={isNarrow ? VISUALLY_HIDDEN : { flex: 1 }}>
        {t('New sale')}
      </Box>
      {!isNarrow && <KeyHint keys="F2" />}
    </Box>
  );
}
