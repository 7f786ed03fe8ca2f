import { Button, Stack, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { LabelButton } from '../../../features/labels/label-button.tsx'
import { ItemDialog } from '../../../features/stock/item-dialog.tsx'
import { MovementTable } from '../../../features/stock/movement-table.tsx'
import { awaitingAssemblyQuery, movementsQuery, stockItemQuery } from '../../../features/stock/stock.api.ts'
import type { StockChange } from '../../../features/stock/stock-change.ts'
import { StockDialog } from '../../../features/stock/stock-dialog.tsx'
import { stockStatuses } from '../../../features/stock/stock-words.ts'
import { useStockActions } from '../../../features/stock/use-stock-actions.ts'
import type { InventoryItemDetail } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { Facts } from '../../../ui/lists/facts.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

const route = getRouteApi('/member/shell/stock/$itemId')

export function StockItemPage() {
  const { itemId } = route.useParams()
  const found = useQuery(stockItemQuery(itemId))
  return (
    <QueryView query={found} failed={t('This item of the stock could not be read')}>
      {(item) => <StockItemView item={item} />}
    </QueryView>
  )
}

function StockItemView({ item }: { item: InventoryItemDetail }) {
  const mayWrite = useMay('write')
  const actions = useStockActions()
  const awaiting = useQuery(awaitingAssemblyQuery()).data
  const movements = useInfiniteQuery(movementsQuery(item.id))
  const [open, setOpen] = useState<StockChange | 'edit'>()
  const close = () => setOpen(undefined)
  const { tone, word } = item.is_active
    ? stockStatuses[item.effective_status]
    : { tone: 'away' as const, word: t('Out of use') }
  return (
    <>
      <PageHeader
        title={item.sku}
        documentTitle={t('{sku}, stock', { sku: item.sku })}
        badge={<StatusBadge tone={tone}>{word}</StatusBadge>}
        description={
          <>
            <LinkText to="/stock">{t('Stock')}</LinkText> ·{' '}
            <LinkText to="/products/$productId" params={{ productId: item.product_id }}>
              {item.product_name}
            </LinkText>{' '}
            ·{' '}
            <LinkText to="/skus/$skuId" params={{ skuId: item.product_sku_id }}>
              {t('Recipes')}
            </LinkText>
          </>
        }
        actions={
          <>
            {mayWrite && item.is_active && (
              <>
                <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen('restock')}>
                  {t('Restock')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="check" size={16} />}
                  onClick={() => setOpen('count')}
                >
                  {t('Count')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="edit" size={16} />}
                  onClick={() => setOpen('adjust')}
                >
                  {t('Adjust')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="settings" size={16} />}
                  onClick={() => setOpen('edit')}
                >
                  {t('Edit')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Icon name="trash" size={16} />}
                  loading={actions.busyId === item.id}
                  onClick={() => void actions.retire(item)}
                >
                  {t('Take out of use')}
                </Button>
              </>
            )}
            {mayWrite && !item.is_active && (
              <Button leftSection={<Icon name="retry" size={16} />} onClick={() => setOpen('edit')}>
                {t('Bring it back')}
              </Button>
            )}
            <LabelButton items={[{ kind: 'bin', id: item.id }]} />
          </>
        }
      />
      <Stack gap="md">
        <Panel title={t('Stock')}>
          <Facts
            isGrid
            facts={[
              [
                t('Bin'),
                item.bin && (
                  <LinkText key="bin" to="/stock" search={{ bin: item.bin }} inherit>
                    {item.bin}
                  </LinkText>
                ),
              ],
              [t('Ready'), formatCount(item.ready_stock)],
              [t('Reserved for orders'), formatCount(item.reserved)],
              [t('Available'), formatCount(item.available)],
              [t('Awaiting assembly'), awaiting ? formatCount(awaiting.get(item.product_sku_id) ?? 0) : '–'],
              [t('Can be put together now'), item.is_composite ? formatCount(item.available_to_build) : null],
              [t('Low at'), formatCount(item.low_stock_threshold)],
              [t('Colour'), item.color],
              [t('Filament'), item.material],
            ]}
          />
          {item.parts_on_hand.length > 0 && (
            <Text size="sm" mt="sm">
              <Rich
                text="One takes {parts}"
                values={{
                  parts: item.parts_on_hand.map(({ part_sku_id, part_name, quantity_per_kit, on_hand }, index) => (
                    <span key={part_sku_id}>
                      {index > 0 && ', '}
                      <Rich
                        text="{quantity_per_kit} × {part_name} ({on_hand} there)"
                        values={{
                          quantity_per_kit,
                          part_name: (
                            <LinkText to="/skus/$skuId" params={{ skuId: part_sku_id }} inherit>
                              {part_name}
                            </LinkText>
                          ),
                          on_hand: formatCount(on_hand),
                        }}
                      />
                    </span>
                  )),
                }}
              />
              .
            </Text>
          )}
        </Panel>
        <Panel title={t('Movements')}>
          <QueryView query={movements} failed={t('The movements could not be read')}>
            {(data) => {
              const rows = rowsOf(data) ?? []
              if (rows.length === 0) return <Text c="dimmed">{t('No movements yet.')}</Text>
              return <MovementTable movements={rows} {...morePages(movements)} />
            }}
          </QueryView>
        </Panel>
      </Stack>
      {open === 'edit' && <ItemDialog item={item} onClose={close} />}
      {open !== undefined && open !== 'edit' && <StockDialog item={item} change={open} onClose={close} />}
    </>
  )
}
