import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { memo } from 'react';
import { useLocation } from 'react-router';
import { numberText, t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { NOT_PRINTED, VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { useIsFrontDesk, useMay, useMerchant } from '#renderer/session/user';
import { toDoQuery } from '#renderer/shared/to-do';
import { BusinessSwitcher } from './business-switcher.tsx';
import { AREAS, areaOf, isWithin, openChildOf, PAGE_GROUPS, type Page, SELL, TO_DO_PATH } from './pages.ts';
import { NewSaleLink, RailLink, SubLink } from './rail-link.tsx';
import { usePagesOf } from './use-pages-of.ts';
import { UserMenu } from './user-menu.tsx';

const RAIL_PX = { wide: 216, narrow: 60 } as const;

/** Returns the width of the navigation in pixels, and whether it shows icons only: by choice, or because the window is narrow. */
export function useRailWidth(): { readonly px: number; readonly isNarrow: boolean } {
  const isWindowNarrow = useMediaQuery('(max-width: 899.95px)', { noSsr: true });
  const isCollapsed = useWorkstation((settings) => settings.isRailCollapsed);
  const isNarrow = isWindowNarrow || isCollapsed;
  return { px: isNarrow ? RAIL_PX.narrow : RAIL_PX.wide, isNarrow };
}

/** Navigation between the screens by task: only those that the user works with. The business is at its head, the person at its foot. */
export const Rail = memo(function Rail({ onKeyList }: { readonly onKeyList: () => void }) {
  const may = useMay();
  const { isNarrow } = useRailWidth();
  const location = useLocation();
  const { pathname } = location;
  const pagesOf = usePagesOf();
  // The front desk sees what it works with. Screens that it may only read are reached from a payment or a customer.
  const isFrontDesk = useIsFrontDesk();
  const isShown = ({ permission }: Page) => may(isFrontDesk ? permission.replace(':read', ':write') : permission);
  const groups = PAGE_GROUPS.map(({ name, pages }) => ({ name, pages: pages.filter(isShown) })).filter(({ pages }) => pages.length > 0);
  const areas = AREAS.filter(({ permission }) => may(permission));
  const openArea = areaOf(pathname);
  return (
    <Box
      component="nav"
      aria-label={t('Main')}
      sx={(theme) => ({
        gridArea: 'rail',
        ...NOT_PRINTED,
        display: 'flex',
        flexDirection: 'column',
        px: 2,
        pb: 1,
        minHeight: 0,
        overflowY: 'auto',
        borderInlineEnd: `1px solid ${theme.vars.palette.divider}`,
        backgroundColor: theme.vars.palette.background.paper,
        '& > *': { flexShrink: 0 },
      })}
    >
      <BusinessSwitcher isNarrow={isNarrow} />
      {may(SELL.permission) && <NewSaleLink isNarrow={isNarrow} isOpen={isWithin(pathname, SELL.path)} />}
      {/* The foot stays in view in a low window. */}
      <Box sx={{ flex: '1 1 auto', overflowY: 'auto', '&&': { flexShrink: 1, minHeight: 96 } }}>
        {groups.map(({ name, pages }) => (
          <Box key={name}>
            {name !== null && !isFrontDesk && pages.length > 1 && <GroupHeading name={name} isNarrow={isNarrow} />}
            <Box component="ul" aria-label={name ?? undefined} sx={LIST}>
              {pages.map((page) => (
                <li key={page.path}>
                  <RailLink
                    page={page}
                    isNarrow={isNarrow}
                    isOpen={isWithin(pathname, page.path) && openChildOf(page, location) === undefined}
                    badge={page.path === TO_DO_PATH && <ToDoCount isOnIcon={isNarrow} />}
                  />
                  {!isNarrow && !isFrontDesk && <Children page={page} isOpen={isWithin(pathname, page.path)} />}
                </li>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
      <Box sx={(theme) => ({ pt: 2, '& > ul, & > div': { borderTop: `1px solid ${theme.vars.palette.divider}`, pt: 1 } })}>
        {areas.length > 0 && (
          <Box component="ul" aria-label={t('Account and settings')} sx={{ ...LIST, mb: 1 }}>
            {areas.map((area) => {
              const first = pagesOf(area)[0]?.pages[0];
              return (
                first && (
                  <li key={area.name}>
                    <RailLink page={{ ...first, name: area.name, icon: area.icon }} isNarrow={isNarrow} isOpen={area === openArea} />
                  </li>
                )
              );
            })}
          </Box>
        )}
        <Box sx={{ display: 'flex', alignItems: 'center', flexDirection: isNarrow ? 'column' : 'row' }}>
          <UserMenu onKeyList={onKeyList} isNarrow={isNarrow} />
          <CollapseButton />
        </Box>
      </Box>
    </Box>
  );
});

const LIST = { m: 0, p: 0, listStyle: 'none', display: 'grid', gap: '1px' } as const;

/** Screens and saved views below a screen, while one of them is open. */
function Children({ page, isOpen }: { readonly page: Page; readonly isOpen: boolean }) {
  const may = useMay();
  const open = openChildOf(page, useLocation());
  const shown = (page.children ?? []).filter(({ permission }) => may(permission));
  if (shown.length === 0 || (!isOpen && open === undefined)) return null;
  return (
    <Box component="ul" sx={LIST}>
      {shown.map((child) => (
        <li key={child.path}>
          <SubLink page={child} isOpen={child === open} isIndented />
        </li>
      ))}
    </Box>
  );
}

/** Name of a group, or a line where only icons are shown. */
function GroupHeading({ name, isNarrow }: { readonly name: string; readonly isNarrow: boolean }) {
  return (
    <Box
      aria-hidden
      sx={(theme) =>
        isNarrow
          ? { my: 2, mx: 2, borderTop: `1px solid ${theme.vars.palette.divider}` }
          : {
              px: 2.5,
              pt: 4,
              pb: 1,
              fontSize: 11,
              lineHeight: '16px',
              fontWeight: 600,
              letterSpacing: '0.04em',
              textTransform: 'uppercase',
              color: theme.vars.palette.text.secondary,
            }
      }
    >
      {isNarrow ? null : name}
    </Box>
  );
}

/** Number of items of To do; red if one of them is overdue or due within a day. */
function ToDoCount({ isOnIcon }: { readonly isOnIcon: boolean }) {
  const { merchantId } = useMerchant();
  const { data } = useQuery(toDoQuery(merchantId));
  if (data === undefined || data.total === 0) return null;
  const isUrgent = data.urgentCount > 0;
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
        color: isUrgent ? theme.vars.palette.tone.error.main : theme.vars.palette.text.secondary,
        backgroundColor: isUrgent ? theme.vars.palette.tone.error.tint : theme.vars.palette.wash,
      })}
    >
      {numberText(data.total)}
      <Box component="span" sx={VISUALLY_HIDDEN}>
        {isUrgent ? ` ${t('items, {{count, number}} urgent', { count: data.urgentCount })}` : ` ${t('items')}`}
      </Box>
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
        flexShrink: 0,
        width: 32,
        height: 32,
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
