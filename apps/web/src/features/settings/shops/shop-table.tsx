import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import type { Shop } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time } from '../../../ui/time.tsx'
import { ShopActions } from './shop-actions.tsx'
import { platformWords, shopState, troubleWords } from './shop-words.ts'
import { TroublesDialog } from './troubles-dialog.tsx'

export function ShopTable({ shops, ...pages }: MorePages & { shops: readonly Shop[] }) {
  const [looked, setLooked] = useState<Shop>()
  const columns: Column<Shop>[] = [
    {
      key: 'name',
      label: t('Shop'),
      isTitle: true,
      cell: ({ name, platform, url }) => (
        <>
          {name}
          <Text size="sm" c="dimmed" fw={400}>
            {platformWords[platform] ?? platform}, {new URL(url).host}
          </Text>
        </>
      ),
    },
    { key: 'state', label: t('State'), cell: (shop) => <ShopState shop={shop} /> },
    { key: 'orders', label: t('Orders'), align: 'right', cell: ({ orders }) => orders },
    {
      key: 'trouble',
      label: t('To look at'),
      cell: (shop) => {
        const words = troubleWords(shop)
        return words === undefined ? (
          '—'
        ) : (
          <Anchor component="button" type="button" underline="always" onClick={() => setLooked(shop)}>
            {words}
          </Anchor>
        )
      },
    },
    { key: 'actions', label: t('Actions'), align: 'right', cell: (shop) => <ShopActions shop={shop} /> },
  ]
  return (
    <>
      <DataTable label={t('Shops')} columns={columns} rows={shops} rowKey={({ id }) => id} {...pages} />
      {looked && <TroublesDialog shop={looked} onClose={() => setLooked(undefined)} />}
    </>
  )
}

function ShopState({ shop }: { shop: Shop }) {
  const { tone, word } = shopState(shop)
  return (
    <>
      <StatusBadge tone={tone}>{word}</StatusBadge>
      <Text size="sm" c="dimmed">
        {shop.status === 'failing' ? (
          <Rich
            text="since {time}: {problem}"
            values={{ time: <Time at={shop.failing_since} as="clock" />, problem: serviceSentence(shop.problem ?? '') }}
          />
        ) : (
          <Rich text="last read {time}" values={{ time: <Time at={shop.last_read_at} /> }} />
        )}
      </Text>
      {shop.status === 'active' && shop.retry_at !== null && (
        <Text size="sm" c="dimmed">
          <Rich
            text="the shop asks to be left alone until {time}"
            values={{ time: <Time at={shop.retry_at} as="clock" /> }}
          />
        </Text>
      )}
    </>
  )
}
