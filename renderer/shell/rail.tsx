import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { memo } from 'react';
import { NavLink, useLocation } from 'react-router';
import { disputeSummaryQuery, failedRefundsQuery, openQueuedPaymentsQuery, unconfirmedCountsQuery } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { KeyHint, Logo, NOT_PRINTED, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { usePendingForMe } from '#renderer/shared/approvals';
import { PAGE_GROUPS, type Page } from './pages.ts';
import { unconfirmedBadge } from './unconfirmed-badge.ts';

const RAIL_PX = { wide: 208, narrow: 60 } as const;
/** Windows below this height get closer lines, so that no screen is cut off at 1024 × 700. */
const SHORT = '@media (max-height: 819.95px)';

interface BadgeContent {
  /** Zero shows no badge. */
  readonly count: number;
  readonly tone: 'error' | 'warning';
  /** Description after the count for screen readers: "requests wait for you". */
  readonly description: string;
}

/** Returns the width of the navigation in pixels, and whether it shows icons only: by choice, or because the window is narrow. */
export function useRailWidth(): { readonly px: number; readonly isNarrow: boolean } {
  const isWindowNarrow = useMediaQuery('(max-width: 899.95px)', { noSsr: true });
  const isCollapsed = useWorkstation((settings) => settings.isRailCollapsed);
  const isNarrow = isWindowNarrow || isCollapsed;
  return { px: isNarrow ? RAIL_PX.narrow : RAIL_PX.wide, isNarrow };
}

/** Navigation between the screens by task. Shows only screens that the user may see. */
export const Rail = memo(function Rail() {
  const may = useMay();
  const { isNarrow } = useRailWidth();
  const { pathname } = useLocation();
  const badges = useBadges();
  const isShown = ({ path, permission, badge, isHiddenWithoutBadge }: Page) =>
    may(permission) && (!isHiddenWithoutBadge || (badge && badges[badge].count > 0) || pathname.startsWith(path));
  const groups = PAGE_GROUPS.map(({ name, pages }) => ({ name, pages: pages.filter(isShown) })).filter(({ pages }) => pages.length > 0);
  return (
    <Box
      component="nav"
      aria-label={t('Main')}
      sx={(theme) => ({
        gridArea: 'rail',
        position: 'relative',
        ...NOT_PRINTED,
        display: 'flex',
        flexDirection: 'column',
        px: 2,
        pb: 2,
        [SHORT]: { pb: 0.5 },
        minHeight: 0,
        overflowY: 'auto',
        borderInlineEnd: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
      })}
    >
      <Box
        sx={{
          height: 52,
          flexShrink: 0,
          px: isNarrow ? 0 : 2,
          display: 'flex',
          alignItems: 'center',
          justifyContent: isNarrow ? 'center' : 'flex-start',
          gap: 2.5,
        }}
      >
        <Logo size={24} />
        {!isNarrow && (
          <Box component="span" sx={{ fontSize: 16, fontWeight: 650, letterSpacing: '-0.01em' }}>
            Paydesk
          </Box>
        )}
      </Box>
      {groups.map(({ name, pages }) => (
        <Box key={name}>
          {name !== null && <GroupHeading name={name} isNarrow={isNarrow} />}
          <Box
            component="ul"
            aria-label={name ?? undefined}
            sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5, [SHORT]: { gap: '1px' } }}
          >
            {pages.map((page) => (
              <li key={page.path}>
                <PageLink page={page} isNarrow={isNarrow} badge={page.badge && badges[page.badge]} />
              </li>
            ))}
          </Box>
        </Box>
      ))}
      <CollapseButton />
    </Box>
  );
});

/** Name of a group, or a line where only icons are shown. */
function GroupHeading({ name, isNarrow }: { readonly name: string; readonly isNarrow: boolean }) {
  return (
    <Box
      aria-hidden
      sx={(theme) =>
        isNarrow
          ? { my: 1.5, mx: 2, borderTop: `1px solid ${theme.vars.palette.divider}`, [SHORT]: { my: 1 } }
          : {
              px: 2.5,
              pt: 3,
              pb: 0.5,
              fontSize: 11,
              lineHeight: '16px',
              fontWeight: 600,
              letterSpacing: '0.02em',
              color: theme.vars.palette.text.secondary,
              [SHORT]: { pt: 0, pb: 0, lineHeight: '14px' },
            }
      }
    >
      {isNarrow ? null : name}
    </Box>
  );
}

function PageLink({
  page: { path, name, shortName = name, icon: Icon, keys },
  isNarrow,
  badge,
}: {
  readonly page: Page;
  readonly isNarrow: boolean;
  readonly badge: BadgeContent | undefined;
}) {
  return (
    <Box
      component={NavLink}
      to={path}
      aria-keyshortcuts={keys}
      title={isNarrow ? name : undefined}
      sx={(theme) => ({
        position: 'relative',
        display: 'flex',
        alignItems: 'center',
        gap: 2.5,
        height: 34,
        px: 2.5,
        borderRadius: 1,
        color: theme.vars.palette.text.secondary,
        fontWeight: 550,
        textDecoration: 'none',
        justifyContent: isNarrow ? 'center' : 'flex-start',
        [SHORT]: { height: 24 },
        '&:hover': { backgroundColor: theme.vars.palette.wash, color: theme.vars.palette.text.primary },
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
        '&.active': { backgroundColor: theme.vars.palette.tone.primary.tint, color: theme.vars.palette.tone.primary.main },
      })}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden style={{ flexShrink: 0 }} />
      <Box component="span" sx={isNarrow ? VISUALLY_HIDDEN : { flex: 1, whiteSpace: 'nowrap' }}>
        {shortName}
      </Box>
      {badge && badge.count > 0 && <Badge {...badge} isOnIcon={isNarrow} />}
      {keys && !isNarrow && <KeyHint keys={keys} />}
    </Box>
  );
}

/** Switches between names and icons. Narrow windows always show icons. */
function CollapseButton() {
  const isCollapsed = useWorkstation((settings) => settings.isRailCollapsed);
  const change = useWorkstation((settings) => settings.change);
  const label = isCollapsed ? t('Show names') : t('Show icons only');
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <ButtonBase
      aria-label={label}
      title={label}
      onClick={() => change({ isRailCollapsed: !isCollapsed })}
      sx={(theme) => ({
        display: { xs: 'none', md: 'flex' },
        mt: 'auto',
        alignSelf: isCollapsed ? 'center' : 'flex-start',
        flexShrink: 0,
        width: 36,
        height: 32,
        // Beside the logo, so that the screens that are shown at times only have room too.
        [SHORT]: { height: 26, ...(!isCollapsed && { position: 'absolute', top: 13, insetInlineEnd: 8 }) },
        borderRadius: 1,
        color: theme.vars.palette.text.secondary,
        '&:hover': { backgroundColor: theme.vars.palette.wash },
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
      })}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden />
    </ButtonBase>
  );
}

/** Returns the numbers of declined refunds that need a person, of disputes that are due within a week, and of the merchant's unconfirmed payments. */
function useBadges(): Readonly<Record<NonNullable<Page['badge']>, BadgeContent>> {
  const may = useMay();
  const { merchantId } = useMerchant();
  const { data: failed = 0 } = useQuery({ ...failedRefundsQuery, enabled: may('refunds:read') });
  const { data: unconfirmed } = useQuery({ ...unconfirmedCountsQuery(merchantId), enabled: may('transactions:read') });
  const { data: disputes } = useQuery({ ...disputeSummaryQuery(merchantId), enabled: may('disputes:read') });
  const dueSoon = disputes?.dueSoonCount ?? 0;
  const { data: openQueuedPayments = 0 } = useQuery({ ...openQueuedPaymentsQuery(merchantId), enabled: may('queued-payments:read') });
  const waiting = usePendingForMe().length;
  return {
    approvals: { count: waiting, tone: 'error', description: waiting === 1 ? t('request waits for you') : t('requests wait for you') },
    'disputes-due': { count: dueSoon, tone: 'error', description: dueSoon === 1 ? t('dispute is due') : t('disputes are due') },
    'failed-refunds': {
      count: failed,
      tone: 'error',
      description: failed === 1 ? t('refund needs attention') : t('refunds need attention'),
    },
    'queued-payments': {
      count: openQueuedPayments,
      tone: 'warning',
      description: openQueuedPayments === 1 ? t('payment to charge later') : t('payments to charge later'),
    },
    unconfirmed: unconfirmed ? unconfirmedBadge(unconfirmed) : { count: 0, tone: 'warning', description: '' },
  };
}

/** A count beside a name, or at the corner of an icon. */
function Badge({ count, tone, description, isOnIcon }: BadgeContent & { readonly isOnIcon: boolean }) {
  return (
    <Box
      component="span"
      sx={(theme) => ({
        ...(isOnIcon && { position: 'absolute', top: 1, insetInlineEnd: 2 }),
        minWidth: isOnIcon ? 16 : 20,
        px: isOnIcon ? 1 : 1.5,
        borderRadius: 5,
        fontSize: isOnIcon ? 10 : 12,
        lineHeight: isOnIcon ? '16px' : '20px',
        textAlign: 'center',
        color: theme.vars.palette.tone[tone].main,
        backgroundColor: theme.vars.palette.tone[tone].tint,
      })}
    >
      {count}
      <Box component="span" sx={VISUALLY_HIDDEN}>
        {` ${description}`}
      </Box>
    </Box>
  );
}
