import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Customer } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, Entry, MoneyText, QueryContent, StatusChip, TimeText } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { cardName, customerGiftCardsQuery, entryText, GiftForm, giftCardQuery, giveGiftCard } from '#renderer/shared/gift-cards';
import { Section } from './section.tsx';

/** Changes of store credit that the record of its customer shows. */
const ENTRIES_SHOWN = 5;

interface GiftCardListProps {
  readonly customer: Pick<Customer, 'customerId' | 'merchantId'>;
  readonly currency: string;
  readonly isLoadingEnabled: boolean;
}

/** Store credit of a customer with its last changes, and the gift cards that name the customer. */
export function GiftCardList({ customer: { customerId, merchantId }, currency, isLoadingEnabled }: GiftCardListProps) {
  const canGive = useMay()('gift-cards:write');
  const [isGiving, setGiving] = useState(false);
  const cards = useQuery({ ...customerGiftCardsQuery(merchantId, customerId), enabled: isLoadingEnabled });
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <QueryContent query={cards}>
        {(found) => (
          <Section title={t('Store credit and gift cards')} empty={t('No store credit and no gift cards.')}>
            {found.map((card) => (
              <Entry key={card.giftCardId}>
                <Link component={RouterLink} to={`/gift-cards/${card.giftCardId}`} sx={{ fontWeight: 550 }}>
                  {cardName(card)}
                </Link>
                <MoneyText amount={card.balance} currency={card.currency} code />
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {card.expiresOn !== null && t('Expires on {{day}}.', { day: dayText(card.expiresOn) })}
                </Box>
                <Box component="span" sx={{ marginInlineStart: 'auto' }}>
                  <StatusChip state={card.status} />
                </Box>
                {card.kind === 'store_credit' && <LastChanges giftCardId={card.giftCardId} isLoadingEnabled={isLoadingEnabled} />}
              </Entry>
            ))}
          </Section>
        )}
      </QueryContent>
      {canGive && !isGiving && (
        <Button size="small" sx={{ justifySelf: 'start' }} onClick={() => setGiving(true)}>
          {t('Give store credit')}
        </Button>
      )}
      {isGiving && (
        <GiftForm
          title={t('Give store credit')}
          currency={currency}
          send={(gift, key) => giveGiftCard({ ...gift, merchantId, customerId }, key)}
          onClose={() => setGiving(false)}
        />
      )}
    </Box>
  );
}

function LastChanges({ giftCardId, isLoadingEnabled }: { readonly giftCardId: string; readonly isLoadingEnabled: boolean }) {
  const { timezone } = useMerchant();
  const { data } = useQuery({ ...giftCardQuery(giftCardId), enabled: isLoadingEnabled });
  if (data === undefined) return null;
  return (
    <Box component="ul" aria-label={t('History')} sx={{ m: 0, p: 0, listStyle: 'none', width: '100%', fontSize: 13 }}>
      {data.entries
        .toReversed()
        .slice(0, ENTRIES_SHOWN)
        .map((entry) => (
          <Box
            component="li"
            key={entry.entryId}
            sx={{ display: 'flex', justifyContent: 'space-between', gap: 3, color: 'text.secondary' }}
          >
            <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {[entryText(entry.kind), entry.reason].filter(Boolean).join(', ')}, <TimeText at={entry.createdAt} timeZone={timezone} />
            </Box>
            <MoneyText amount={entry.amount} currency={data.currency} />
          </Box>
        ))}
    </Box>
  );
}
